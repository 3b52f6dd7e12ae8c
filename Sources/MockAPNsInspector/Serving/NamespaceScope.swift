internal import MockAPNs
internal import MockAPNsAPI

/// The namespace of a path, and the path within it.
///
/// `/api/v1/namespaces/t-42/pushes` is `/api/v1/pushes` of the namespace `t-42`, so each route is defined once for all
/// namespaces.
struct NamespaceScope {
    private static let root = ServerPaths.root
    private static let prefix = root + "namespaces/"

    /// Still percent-encoded; `nil` for a path without a namespace.
    let name: String?
    /// The path without the name.
    let path: String

    init(_ path: String) {
        let rest = path.dropFirst(Self.prefix.count)
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard path.hasPrefix(Self.prefix), parts.count == 2, !parts[0].isEmpty,
            !ServerPaths.isWithoutNamespace(parts[1])
        else {
            (name, self.path) = (nil, path)
            return
        }
        (name, self.path) = (String(parts[0]), Self.root + parts[1])
    }

    /// Puts the paths of an answer within the namespace.
    func place(_ response: inout APIResponse, in namespace: Namespace) {
        response.headers = response.headers.map { header in
            guard header.name == "Location", header.value.hasPrefix(Self.root) else { return header }
            return (header.name, Self.prefix + (name ?? "") + "/" + header.value.dropFirst(Self.root.count))
        }
        if case .events = response.body { response.namespace = namespace }
    }
}

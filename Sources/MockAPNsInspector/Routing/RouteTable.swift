/// The routes by the parts of their paths.
///
/// A fixed part has precedence over a variable one.
struct RouteTable: Sendable {
    struct Match {
        /// One for each method.
        let routes: [Route]
        /// The variable parts, still percent-encoded, in the order of the path.
        let values: [Substring]
    }

    private struct Node {
        var routes: [Route] = []
        /// By the next part of the path; "/", which is in no part, stands for any.
        var parts: [Substring: Node] = [:]
        /// The routes that take any rest of the path.
        var taking: [Route] = []

        mutating func add(_ route: Route, _ parts: ArraySlice<Substring>) {
            guard let part = parts.first else { return routes.append(route) }
            if part.hasSuffix(Route.restMark) {
                taking.append(route)
            } else {
                let key = part.hasPrefix("{") ? "/" : part
                self.parts[key, default: Node()].add(route, parts.dropFirst())
            }
        }

        func find(_ parts: ArraySlice<Substring>, _ values: [Substring]) -> Match? {
            guard let part = parts.first else { return routes.isEmpty ? nil : Match(routes: routes, values: values) }
            if let match = self.parts[part]?.find(parts.dropFirst(), values) { return match }
            guard !part.isEmpty else { return nil }
            if let match = self.parts["/"]?.find(parts.dropFirst(), values + [part]) { return match }
            guard !taking.isEmpty else { return nil }
            let rest = part.base[part.startIndex...]
            return Match(routes: taking, values: values + [rest])
        }
    }

    let paths: [String]
    private let root: Node

    init(_ routes: [Route]) {
        var root = Node()
        var paths: [String] = []
        for route in routes {
            root.add(route, Self.parts(of: route.path))
            if paths.last != route.path, !paths.contains(route.path) { paths.append(route.path) }
        }
        (self.root, self.paths) = (root, paths)
    }

    func match(_ path: String) -> Match? { root.find(Self.parts(of: path), []) }

    private static func parts(of path: String) -> ArraySlice<Substring> {
        path.split(separator: "/", omittingEmptySubsequences: false)[...]
    }
}

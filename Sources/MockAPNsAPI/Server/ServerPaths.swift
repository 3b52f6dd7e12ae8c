/// The paths of the API that are about the server, by their first part below `/api/v1/`; all others are about a namespace.
package enum ServerPaths {
    package static let root = "/api/v1/"
    /// What no namespace has.
    package static let withoutNamespace = ["namespaces", "shutdown"]
    /// What is the same in every namespace.
    package static let same = withoutNamespace + ["ca.pem", "certificates", "info", "openapi.json", "openapi.yaml"]

    /// Whether a path, which may have a query, is one of `withoutNamespace`; it begins after `root`.
    package static func isWithoutNamespace(_ path: some StringProtocol) -> Bool {
        withoutNamespace.contains { $0 == path.prefix { $0 != "/" && $0 != "?" } }
    }
}

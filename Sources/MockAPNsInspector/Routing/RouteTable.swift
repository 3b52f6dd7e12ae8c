/// The routes by the parts of their paths.
///
/// A fixed part has precedence over one that varies.
struct RouteTable: Sendable {
    /// The routes of a path, one for each method.
    struct Match {
        let routes: [Route]
        /// The parts that vary, still percent-encoded, in the order of the path.
        let values: [Substring]
    }

    private struct Node {
        var routes: [Route] = []
        var fixed: [Substring: Node] = [:]
        /// What follows a part that varies; one node at most.
        var varying: [Node] = []
        /// The routes that take the rest of the path, whatever it is.
        var taking: [Route] = []

        mutating func add(_ route: Route, _ parts: ArraySlice<Substring>) {
            guard let part = parts.first else { return routes.append(route) }
            if part.hasSuffix(Route.restMark) {
                taking.append(route)
            } else if part.hasPrefix("{") {
                if varying.isEmpty { varying.append(Node()) }
                varying[0].add(route, parts.dropFirst())
            } else {
                fixed[part, default: Node()].add(route, parts.dropFirst())
            }
        }

        func find(_ parts: ArraySlice<Substring>, _ values: [Substring]) -> Match? {
            guard let part = parts.first else {
                return routes.isEmpty ? nil : Match(routes: routes, values: values)
            }
            if let match = fixed[part]?.find(parts.dropFirst(), values) { return match }
            guard !part.isEmpty else { return nil }
            if let match = varying.first?.find(parts.dropFirst(), values + [part]) { return match }
            guard !taking.isEmpty else { return nil }
            let rest = part.base[part.startIndex...]
            return Match(routes: taking, values: values + [rest])
        }
    }

    /// The paths, each once.
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

    /// Returns the routes of a path, or `nil` if there are none.
    func match(_ path: String) -> Match? { root.find(Self.parts(of: path), []) }

    private static func parts(of path: String) -> ArraySlice<Substring> {
        path.split(separator: "/", omittingEmptySubsequences: false)[...]
    }
}

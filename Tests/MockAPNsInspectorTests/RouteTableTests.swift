import Testing

@testable import MockAPNsInspector

@Suite struct RouteTableTests {
    private static let table = RouteTable(
        [
            ("GET", "/"), ("GET", "/a/{id}"), ("DELETE", "/a/{id}"), ("GET", "/a/latest"), ("GET", "/a/{id}/raw"),
            ("GET", "/b/{x}/{y}"), ("GET", "/ui/{path...}"),
        ].map { Route($0.0, $0.1) { _ in .done } })

    static let rows: [(path: String, found: String?, values: [String])] = [
        ("/", "/", []), ("/a/7", "/a/{id}", ["7"]), ("/a/latest", "/a/latest", []),
        // The fixed part leads nowhere here.
        ("/a/latest/raw", "/a/{id}/raw", ["latest"]), ("/a/%2F/raw", "/a/{id}/raw", ["%2F"]),
        ("/b/1/2", "/b/{x}/{y}", ["1", "2"]), ("/ui/core/api.js", "/ui/{path...}", ["core/api.js"]),
        ("/ui//x", nil, []), ("/ui/", nil, []), ("/ui", nil, []), ("", nil, []), ("/a", nil, []), ("/a/", nil, []),
        ("/a/7/", nil, []), ("/a/7/raw/x", nil, []), ("a/7", nil, []), ("/b/1", nil, []),
    ]

    @Test(arguments: rows) func `a path finds its routes`(path: String, found: String?, values: [String]) {
        let match = Self.table.match(path)
        #expect(match?.routes.first?.path == found)
        #expect(match?.values.map { String($0) } ?? [] == values)
        if found == "/a/{id}" { #expect(match?.routes.map(\.method) == ["GET", "DELETE"]) }
    }

    @Test func `every route is found by its own path`() {
        let table = RouteTable(DebugAPI.allRoutes)
        for route in DebugAPI.allRoutes {
            let routes = table.match(route.path)?.routes ?? []
            #expect(routes.contains { $0.method == route.method && $0.path == route.path }, "\(route.path)")
            #expect(routes.allSatisfy { $0.path == route.path }, "\(route.path)")
        }
    }
}

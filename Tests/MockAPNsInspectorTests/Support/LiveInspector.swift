import Foundation
import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Lends a server and its API on sockets, and stops both.
func withInspector(
    host: String = "127.0.0.1",
    allowedHosts: [String] = [],
    routes: [Route] = API.allRoutes,
    timing: Inspector.Timing = Inspector.Timing(),
    configuration: Configuration = Configuration(),
    _ use: (MockAPNsServer, Inspector, Int) async throws -> Void
) async throws {
    try await withServerPlace {
        try await withMockAPNs(configuration) { server in
            let inspector = try Inspector(
                server: server,
                host: host,
                port: 0,
                allowedHosts: allowedHosts,
                facts: Inspector.Facts(version: "1.2.3"),
                routes: routes,
                timing: timing
            )
            #expect(inspector.url == nil)
            do {
                try await inspector.start()
                let url = try #require(inspector.url.flatMap { URL(string: $0) })
                try await use(server, inspector, try #require(url.port))
            } catch {
                try await inspector.stop()
                throw error
            }
            try await inspector.stop()
            #expect(inspector.url == nil)
        }
    }
}

import Foundation
import MockAPNs
import TestSupport
import Testing

@testable import MockAPNsInspector

/// Lends a server and its API on sockets, and stops both.
func withInspector(
    host: String = "127.0.0.1", allowedHosts: [String] = [], routes: [Route] = DebugAPI.allRoutes,
    settings: APISettings = APISettings(), threads: AnswerThreads? = nil,
    configuration: Configuration = Configuration(), _ use: (MockAPNsServer, Inspector, Int) async throws -> Void
) async throws {
    try await withServerPlace {
        // Not the shared ones: the tests of all APIs would wait for each other, and clients give up after a while.
        let own = threads == nil ? AnswerThreads(count: 1) : nil
        var settings = settings
        settings.routes = routes
        settings.threads = threads ?? own ?? .shared
        do {
            try await withInspector(
                host: host, allowedHosts: allowedHosts, settings: settings, configuration: configuration, use)
        } catch {
            try await own?.stop()
            throw error
        }
        try await own?.stop()
    }
}

private func withInspector(
    host: String, allowedHosts: [String], settings: APISettings, configuration: Configuration,
    _ use: (MockAPNsServer, Inspector, Int) async throws -> Void
) async throws {
    try await withMockAPNs(configuration) { server in
        let inspector = try Inspector(
            server: server, host: host, port: 0, allowedHosts: allowedHosts, facts: Inspector.Facts(version: "1.2.3"),
            settings: settings)
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

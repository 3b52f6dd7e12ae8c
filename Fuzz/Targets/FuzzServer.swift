import MockAPNs
import MockAPNsRules
import NIOPosix

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// A server that is only looked at through the debug API; it stays for as long as the process.
enum FuzzServer {
    static let subject: InspectedServer = orDie {
        var configuration = Configuration()
        configuration.seed = 1
        configuration.clock = FuzzWorld.now
        configuration.listeners = [ListenAddress(host: "127.0.0.1", port: 0, isSecure: false)]
        let settled = configuration
        // Whoever asks first waits here, on a thread that is neither an event loop's nor of Swift's pool.
        let server = try MultiThreadedEventLoopGroup.singleton.next().makeFutureWithTask {
            try await MockAPNsServer(settled)
        }.wait()
        return InspectedServer(
            server: server, facts: Inspector.Facts(version: "0"), readiness: Readiness(awaiting: []),
            apiHost: "127.0.0.1")
    }
}

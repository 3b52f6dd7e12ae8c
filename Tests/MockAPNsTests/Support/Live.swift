import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import NIOCore
import TestSupport

/// A server to push to, in clear text unless the configuration says otherwise.
struct Live: Sendable {
    /// What the world's clock stands at, in UNIX seconds.
    static let now: Int64 = 1_754_402_113

    let server: MockAPNsServer

    var world: World { server.world }
    var journal: Journal { server.world.journal }
    var port: Int { server.listeners[0].address.port }

    /// A connection to a listener.
    func connect(listener: Int = 0) async throws -> Client {
        try await Client.connect(to: server.listeners[listener].address.port)
    }

    /// A connection that has its full stream limit.
    func connectAuthenticated() async throws -> Client {
        let client = try await connect()
        _ = try await client.send(Push(TestKey.team.token()))
        return client
    }

    /// Moves the world's clock.
    func setClock(_ seconds: Int64) { _ = world.stopClock(at: Timestamp(seconds: seconds)) }

    /// What the world makes of a device token from now on; visible to every request that is sent after this.
    func change(_ token: String, to state: RegistrationState) throws {
        var change = RegistrationChange()
        change.state = state
        _ = try world.devices.change(Self.deviceToken(token), change)
    }

    /// A device token as the world knows it.
    static func deviceToken(_ hex: String) throws -> DeviceToken {
        struct NoToken: Error { let text: String }
        guard let token = DeviceToken(hex: hex) else { throw NoToken(text: hex) }
        return token
    }

    /// The registration that a device token belongs to.
    func registration(_ token: String) -> Registration? {
        DeviceToken(hex: token).flatMap { world.devices.registration($0)?.registration }
    }

    /// What the journal has on an answer.
    func record(of reply: Reply) -> PushRecord? { reply.id.flatMap { journal.push(apnsID: $0) } }

    /// Waits until every event loop has done what it had to do before; each turn brings it further.
    func settle(until isDone: () -> Bool) async throws {
        while !isDone() {
            try Task.checkCancellation()
            try await server.changeRuleset { $0 }
        }
    }

    var openConnections: [ConnectionRecord] { journal.connections.filter { $0.closedAt == nil } }
}

extension Configuration {
    /// A clear-text listener, the keys of `TestKey`, and changes.
    ///
    /// Nothing happens because time passes, however slow the machine is.
    static func clearText(_ change: (inout Configuration) -> Void = { _ in }) -> Configuration {
        var configuration = Configuration()
        configuration.listeners = [.clearText()]
        configuration.keys = TestKey.registered.map(\.configured)
        configuration.transport.handshakeTimeout = .hours(1)
        configuration.transport.settingsTimeout = .hours(1)
        configuration.transport.requestTimeout = .hours(1)
        configuration.transport.stallTimeout = .hours(1)
        change(&configuration)
        return configuration
    }
}

extension ListenAddress {
    /// Any free port.
    static func clearText(_ environment: Environment = .sandbox) -> ListenAddress {
        ListenAddress(host: "127.0.0.1", port: 0, isSecure: false, environment: environment)
    }
}

/// Lends a server whose world's clock stands still, and stops it afterwards.
func withLive<Result: Sendable>(
    _ change: (inout Configuration) -> Void = { _ in }, _ use: (Live) async throws -> Result
) async throws -> Result {
    try await withServerPlace {
        try await withMockAPNs(.clearText(change)) { server in
            let live = Live(server: server)
            live.setClock(Live.now)
            return try await use(live)
        }
    }
}

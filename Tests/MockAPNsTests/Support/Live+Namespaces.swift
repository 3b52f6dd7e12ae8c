import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

extension Live {
    /// Makes a namespace whose clock stands where the tokens of the tests are good.
    func namespace(
        _ name: String, hasListener: Bool = true, _ change: (inout Namespaces.Draft) -> Void = { _ in }
    ) async throws -> Namespace {
        var draft = Namespaces.Draft(name: name)
        draft.hasListener = hasListener
        draft.source = server.namespaces.standard
        change(&draft)
        let made = try await server.namespaces.add(draft)
        _ = made.world.stopClock(at: Timestamp(seconds: Live.now))
        return made
    }

    /// Describes a phone with one app.
    func register(_ token: String, in world: World) throws {
        let app = DeviceDraft.Registration(token: try Self.deviceToken(token), topic: "com.example.app")
        _ = try world.devices.add(DeviceDraft(registrations: [app]))
    }

    func connect(to namespace: Namespace) async throws -> Client {
        try await Client.connect(to: try #require(namespace.listeners.first).address.port)
    }

    func pushes(_ world: World) -> [PushRecord] {
        var query = PushQuery()
        query.limit = 1_000
        query.order = .ascending
        return world.journal.pushes(query).pushes
    }

    func tokens(_ world: World) -> [String] {
        pushes(world).map { String(($0.request[.path] ?? "").dropFirst("/3/device/".count)) }
    }
}

import MockAPNsCrypto
import MockAPNsRules

@testable import MockAPNs
@testable import MockAPNsWorld

/// A world that is the same for every input: its clock stands still, and it has one key and one device.
enum FuzzWorld {
    static let now = Timestamp(seconds: 1_754_402_113)
    static let keyID = "ABC123DEFG"
    static let teamID = "DEF123GHIJ"
    static let deviceToken = "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0"
    static let topic = "com.example.app"

    /// The key that the tokens in the corpus are signed with.
    ///
    /// It is good for nothing else.
    static let signingKey: SigningKey = orDie {
        try SigningKey(
            pem: """
                -----BEGIN PRIVATE KEY-----
                MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgOHb6v9w/Fg4N35N0
                XRuuChXGm3I7VRh8uSg1gsGlw7ahRANCAAQZIbL3l4vwrJGh/e/7yK6JcT/sNzG/
                SdyXJ8Eq3SxTx8srrueftGxJqDDAz+zYXKWZKPANCfWmimkIPpuZug7S
                -----END PRIVATE KEY-----
                """)
    }

    private static let key = Ruleset.RegisteredKey(
        key: ProviderKey(keyID: keyID, teamID: teamID), verifier: KeyVerifier(key: signingKey.verifyingKey))

    /// A new world under these rules.
    static func make(_ options: RuleOptions = RuleOptions()) -> World {
        var startUp = World.StartUp()
        startUp.clock = now
        startUp.devices = devices
        return orDie {
            try World(
                ruleset: Ruleset(options: options, keys: [keyID: key]),
                journalCapacity: Journal.Capacity(records: 64, bytes: 1 << 20), startUp: startUp)
        }
    }

    /// What judges pushes to a world.
    static func worker(of world: World) -> Worker {
        Worker(
            world: world, listeners: [ListenAddress(host: "127.0.0.1", port: 0)], seed: 1,
            certificates: orDie { try ClientCertificates() }, onConnectionProblem: nil)
    }

    private static let devices: [DeviceDraft] = {
        var device = DeviceDraft()
        device.label = "anna"
        device.registrations = [DeviceDraft.Registration(token: DeviceToken(hex: deviceToken), topic: topic)]
        return [device]
    }()
}

/// The result of what cannot fail in a working build.
func orDie<Value>(_ make: () throws -> Value) -> Value {
    do { return try make() } catch { fatalError("expected a working set-up, saw: \(error)") }
}

import MockAPNs
import MockAPNsCrypto
import MockAPNsRules
import MockAPNsWorld
import NIOPosix
import TestSupport
import Testing

/// What keeps a server from starting.
struct StartErrorTests {
    /// Starts a server that must not start.
    private func failure(_ configuration: Configuration) async -> MockAPNsError? {
        await #expect(throws: MockAPNsError.self) {
            let server = try await MockAPNsServer(configuration)
            try await server.stop(grace: .zero)
        }
    }

    @Test func `two keys of one ID are refused`() async throws {
        let twin = Configuration.Key(
            key: ProviderKey(keyID: TestKey.team.key.keyID, teamID: "ANOTHER001"), pem: TestKey.sibling.configured.pem)
        let error = try #require(await failure(.clearText { $0.keys.append(twin) }))
        #expect(error.code == .badKey)
        #expect(error.description == "the key id TEAMKEY001 is given twice; every key needs its own")
        #expect(error.port == nil)
    }

    @Test(arguments: ["", "no PEM at all", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `a key that cannot be read is named`(pem: String) async throws {
        let key = Configuration.Key(key: ProviderKey(keyID: "BADKEY0001", teamID: "EXAMPLE001"), pem: pem)
        let error = try #require(await failure(.clearText { $0.keys = [key] }))
        #expect(error.code == .badKey)
        #expect(error.description.hasPrefix("key BADKEY0001: "))
    }

    @Test func `a private key works as well as a public one`() async throws {
        let key = Configuration.Key(key: TestKey.team.key, pem: TestKey.team.signing.privateKeyPEM)
        try await withLive({ $0.keys = [key] }) { live in
            let reply = try await live.connect().send(Push(TestKey.team.token()))
            #expect(reply.status == 200)
            #expect(live.server.developmentKey == nil)
        }
    }

    @Test func `a certificate of another key is refused`() async throws {
        let (one, other) = try (ServerCertificate.make(additionalNames: []), SigningKey.generate())
        let identity = Configuration.Identity(
            certificateChainPEM: one.identity.certificateChainPEM, privateKeyPEM: other.privateKeyPEM)
        let error = try #require(await failure(.clearText { $0.identity = identity }))
        #expect(error.code == .badCertificate)
        #expect(error.description.hasPrefix("matching the server's private key with its certificate: "))
    }

    @Test(arguments: ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `a certificate that cannot be read is refused`(pem: String) async throws {
        let made = try ServerCertificate.make(additionalNames: [])
        let noCertificate = Configuration.Identity(certificateChainPEM: pem, privateKeyPEM: made.identity.privateKeyPEM)
        let noKey = Configuration.Identity(certificateChainPEM: made.identity.certificateChainPEM, privateKeyPEM: pem)
        for identity in [noCertificate, noKey] {
            let error = await failure(.clearText { $0.identity = identity })
            #expect(error?.code == .badCertificate)
        }
    }

    @Test(arguments: ["", "*.example.com:80", "a b"]) func `an invalid name is refused`(name: String) async {
        let error = await failure(.clearText { $0.additionalNames = [name] })
        #expect(error?.code == .badCertificate)
    }

    @Test func `with a certificate of the user, there is no authority`() async throws {
        let made = try ServerCertificate.make(additionalNames: ["push.example.com"])
        let listener = ListenAddress(host: "127.0.0.1", port: 0)
        try await withLive({ configuration in
            configuration.identity = made.identity
            configuration.listeners = [listener]
        }) { live in
            #expect(live.server.certificateAuthorityPEM == nil)
            let run = try await Curl.post(
                Push(nil), to: "https://push.example.com:\(live.port)", trusting: made.authorityPEM, "--resolve",
                "push.example.com:\(live.port):127.0.0.1")
            #expect(run.head.first == "HTTP/2 403 ")
        }
    }

    @Test func `a port that is taken is named`() async throws {
        try await withLive { live in
            let taken = ListenAddress(host: "127.0.0.1", port: live.port, isSecure: false)
            let error = try #require(await failure(.clearText { $0.listeners = [.clearText(), taken] }))
            #expect(error.code == .addressInUse)
            #expect(error.port == live.port)
            #expect(error.description.contains("port \(live.port) of 127.0.0.1"))
            // The one who was there first is not disturbed.
            #expect(try await live.connect().send(Push(TestKey.team.token())).status == 200)
        }
    }

    @Test func `an address of another machine cannot be bound`() async throws {
        // Documentation addresses (RFC 5737) are nobody's.
        let foreign = ListenAddress(host: "192.0.2.1", port: 0, isSecure: false)
        let error = try #require(await failure(.clearText { $0.listeners = [foreign] }))
        #expect(error.code == .cannotListen)
        #expect(error.port == 0)
    }

    @Test func `impossible devices are named`() async throws {
        let app = DeviceDraft.Registration(topic: "no topic")
        let devices = [DeviceDraft(label: "phone"), DeviceDraft(registrations: [app])]
        let error = try #require(await failure(.clearText { $0.devices = devices }))
        #expect(error.code == .badDevices)
        #expect(error.description.hasPrefix("devices[1].registrations[0].topic: invalid topic 'no topic'"))
        #expect(error.port == nil)
    }

    @Test func `errors are equal by their kind`() {
        let error = MockAPNsError(.addressInUse, "one", port: 1)
        #expect(error == MockAPNsError(.addressInUse, "other"))
        #expect(error != MockAPNsError(.cannotListen, "one", port: 1))
    }
}

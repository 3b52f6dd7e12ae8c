import MockAPNs
import MockAPNsInspector
import MockAPNsTesting
import TestSupport
import Testing

/// The same tests for a server in this process and for one behind HTTP.
enum Place: CaseIterable {
    case here, elsewhere, namespace

    func with(_ use: (APNsMock) async throws -> Void) async throws {
        try await withServerPlace { try await start(use) }
    }

    private func start(_ use: (APNsMock) async throws -> Void) async throws {
        switch self {
        case .here: try await withMockAPNs { try await use($0) }
        case .elsewhere: try await Self.withRemote { try await use(APNsMock.connect(api: $0)) }
        case .namespace: try await Self.withRemote { try await APNsMock.connect(api: $0).withNamespace(use) }
        }
    }

    static func withRemote(_ use: (String) async throws -> Void) async throws {
        try await MockAPNs.withMockAPNs { server in
            let facts = Inspector.Facts(version: "test")
            let inspector = try Inspector(server: server, host: "127.0.0.1", port: 0, facts: facts)
            do {
                try await inspector.start()
                try await use(inspector.url ?? "")
            } catch {
                try await inspector.stop()
                throw error
            }
            try await inspector.stop()
        }
    }
}

struct HandleTests {
    @Test(arguments: Place.allCases) func `a push has what the provider has sent`(_ place: Place) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app", name: "alice")
            try await Provider(apns).send(
                title: "Hi", to: phone.token, members: #","list":[1,{"a":1.50,"b":null,"c":false}]"#)
            let push = try await apns.expect(
                .device("alice"), .topic("com.example.app"), .type("alert"), .priority(10),
                .header("apns-topic", "com.example.app"), .keyID(apns.key.id), .teamID(apns.key.teamID), .status(200),
                .query("is:delivered has:title"))
            #expect(push.token == phone.token)
            #expect((push.type, push.priority, push.status) == ("alert", 10, 200))
            #expect(push.isAccepted && push.reason == nil && push.delivery == "delivered")
            #expect(push.payload["list"][0] == 1)
            #expect(push.payload["list"][1]["a"]?.digits == "1.50")
            #expect(push.payload["list"][1]["c"] == false)
            #expect(push.payload["aps"]["alert"]["title"]?.string == "Hi")
            #expect(push.headers.contains { $0 == ("apns-priority", "10") })
            #expect(push.description.hasPrefix("{"))
            #expect(try await apns.pushes(.rejected).isEmpty)
            try await apns.attachPushes()
        }
    }

    @Test(arguments: Place.allCases) func `an app that is gone is answered 410 and in the feedback`(
        _ place: Place
    ) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app")
            try await phone.uninstallApp()
            let provider = Provider(apns)
            #expect(try await provider.send(title: "one", to: phone.token) == "410")
            #expect(try await provider.send(title: "two", to: phone.token) == "410")
            let push = try await apns.expect(.reason("Unregistered"), .title("two"))
            #expect(push.reason == "Unregistered")
            let entry = try #require(try await apns.feedback().first)
            #expect((entry.token, entry.reported, entry.pushesAfterFirst410) == (phone.token, 2, 1))
        }
    }

    @Test(arguments: Place.allCases) func `faults fire for the pushes that match`(_ place: Place) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app")
            let provider = Provider(apns)
            let fault = try await apns.addFault(.respond("TooManyRequests"), .to(phone), times: 1)
            #expect(try await provider.send(title: "one", to: phone.token) == "429")
            #expect(try await provider.send(title: "two", to: phone.token) == "200")
            #expect(try await fault.fired() == 1)
            try await fault.remove()
            try await apns.addFault(.resetConnection, .title("three"))
            #expect(try await provider.send(title: "three", to: phone.token) == nil)
            try await apns.removeFaults()
            #expect(try await provider.send(title: "three", to: phone.token) == "200")
            await #expect(throws: APNsMock.Failure.self) { try await apns.addFault(.action(["nothing": true])) }
        }
    }

    @Test(arguments: Place.allCases) func `a preset fires for the pushes that match`(_ place: Place) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app")
            let provider = Provider(apns)
            let fault = try await apns.addPreset("too-many-requests", .to(phone), parameters: ["times": 1])
            let other = try await apns.addPhone(topic: "com.example.app")
            #expect(try await provider.send(title: "zero", to: other.token) == "200")
            #expect(try await provider.send(title: "one", to: phone.token) == "429")
            #expect(try await provider.send(title: "two", to: phone.token) == "200")
            #expect(try await fault.fired() == 1)
            try await apns.addPreset("unregistered")
            #expect(try await provider.send(title: "three", to: phone.token) == "410")
            let failure = await #expect(throws: APNsMock.Failure.self) { try await apns.addPreset("too-many") }
            #expect(failure?.description.contains("too-many-requests") == true, "\(failure as Any)")
        }
    }

    @Test(arguments: Place.allCases) func `an app gets a new token`(_ place: Place) async throws {
        try await place.with { apns in
            var phone = try await apns.addPhone(topic: "com.example.app")
            let old = phone.token
            let new = try await phone.rotateToken()
            #expect(new == phone.token && new != old)
            let provider = Provider(apns)
            #expect(try await provider.send(title: "old", to: old) == "410")
            #expect(try await provider.send(title: "new", to: phone.token) == "200")
            try await apns.expect(.to(phone), .title("new"))
        }
    }

    @Test(arguments: Place.allCases) func `a phone goes offline`(_ place: Place) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app")
            try await phone.goOffline()
            try await Provider(apns).send(title: "Hi", to: phone.token)
            #expect(try await phone.inbox().isEmpty)
            try await apns.expect(.to(phone), .delivery("stored-device-offline"))
        }
    }

    @Test(arguments: Place.allCases) func `the page is the inspector of the mock`(_ place: Place) async throws {
        try await place.with { apns in
            let page = try await apns.page()
            // Also when it is asked for again, and by several tasks.
            async let one = apns.page()
            async let two = apns.page()
            #expect(try await [one, two] == [page, page])
            #expect(try await Curl.run(["--header", "accept: text/html", page]).output.contains("mock-apns"))
            // Its server is that of the mock, and so is its namespace.
            _ = try await apns.addPhone(topic: "com.example.app", name: "alice")
            let parts = page.split(separator: "/?ns=").map(String.init)
            #expect((parts.count == 2) == (place == .namespace))
            let server = place == .namespace ? parts[0] : String(page.dropLast())
            let root = server + "/api/v1" + (parts.count == 2 ? "/namespaces/\(parts[1])" : "")
            #expect(try await Curl.run(["\(root)/devices"]).output.contains("alice"))
        }
    }

    @Test(arguments: [Place.here, .elsewhere]) func `a namespace is gone after its test`(_ place: Place) async throws {
        struct Mistake: Error {}
        try await place.with { apns in
            var ended: [APNsMock] = []
            try await apns.withNamespace { ended.append($0) }
            await #expect(throws: Mistake.self) {
                try await apns.withNamespace { mock in
                    ended.append(mock)
                    throw Mistake()
                }
            }
            #expect(ended.count == 2)
            for mock in ended {
                let failure = await #expect(throws: APNsMock.Failure.self) { try await mock.pushes() }
                #expect(failure?.description.contains("no namespace") == true, "\(failure as Any)")
                // Its port is closed, too.
                let provider = Provider(host: mock.host, port: mock.port, trust: mock.trustRootsPEM, key: apns.key)
                #expect(try await provider.send(title: "late", to: "abcd") == nil)
            }
        }
    }

    @Test(arguments: Place.allCases) func `tokens expire by the clock, and keys can be revoked`(
        _ place: Place
    ) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app")
            let provider = Provider(apns)
            let old = try await apns.key.token()
            let before = try await apns.clock.now()
            try await apns.clock.freeze()
            try await apns.clock.advance(by: .seconds(2 * 3_600))
            #expect(try await apns.clock.now() - before >= .seconds(7_200))
            #expect(try await provider.send(title: "one", to: phone.token, bearer: old) == "403")
            try await apns.expect(.reason("ExpiredProviderToken"))
            #expect(try await provider.send(title: "two", to: phone.token) == "200")
            try await apns.clock.run()
            let key = try await apns.addKey(topics: ["com.example.app"])
            #expect(key.pem.hasPrefix("-----BEGIN PRIVATE KEY-----"))
            try await key.revoke()
            let revoked = try await key.token()
            #expect(try await provider.send(title: "three", to: phone.token, bearer: revoked) == "403")
        }
    }

    @Test(arguments: Place.allCases) func `phones subscribe to channels`(_ place: Place) async throws {
        try await place.with { apns in
            let phone = try await apns.addPhone(topic: "com.example.app", .offline)
            let channel = try await apns.addChannel(topic: "com.example.app")
            try await phone.subscribe(to: channel)
            let listed = try #require(try await apns.channels().first)
            #expect((listed.id, listed.bundleID, listed.subscribers) == (channel.id, "com.example.app", 1))
        }
    }

    @Test(arguments: Place.allCases) func `a push fits the schema of its app, or has a warning`(
        _ place: Place
    ) async throws {
        try await place.with { apns in
            try await apns.putSchema(["properties": ["orderID": ["type": "string"]]], of: "com.example.app")
            let token = try await apns.addPhone(topic: "com.example.app").token
            try await Provider(apns).send(title: "one", to: token, members: #","orderID":17"#)
            try await Provider(apns).send(title: "two", to: token, members: #","orderID":"17""#)
            #expect(try await apns.expect(exactly: 1, .fits("payload")).map(\.title) == ["two"])
            #expect(try await apns.expect(.warning("app-schema")).title == "one")
        }
    }

    @Test(arguments: ["127.0.0.1", "https://127.0.0.1:1", "http://:1", "http://127.0.0.1:0"])
    func `a URL that is none is refused`(_ url: String) async {
        await #expect(throws: APNsMock.Failure.self) { try await APNsMock.connect(api: url) }
    }
}

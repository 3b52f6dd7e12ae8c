import Testing

@testable import MockAPNsRules

/// One row of the table of broadcasts and channels: what is changed about a good request, and what is answered.
struct ChannelCase: Sendable, CustomTestStringConvertible {
    let name: String
    let expected: Reason?
    let scenario: ChannelScenario

    init(
        _ name: String, _ scenario: ChannelScenario, _ expected: Reason?,
        _ change: (inout ChannelScenario) -> Void = { _ in }
    ) {
        self.name = name
        self.expected = expected
        self.scenario = scenario.with(change)
    }

    var testDescription: String { name }

    static let table = accepted + paths + authentication + apps + headers + channels + bodies

    private static let accepted = [
        ChannelCase("broadcast", .broadcast, nil), ChannelCase("create", .create, nil), ChannelCase("read", .read, nil),
        ChannelCase("delete", .delete, nil), ChannelCase("list", .list, nil),
        ChannelCase("LiveActivity", .broadcast, nil) { $0.request.set("apns-push-type", "LiveActivity") },
        ChannelCase("no storage", .create, nil) {
            $0.request.body = Array(#"{"push-type":"liveactivity","message-storage-policy":0}"#.utf8)
        },
        ChannelCase("upper-case request id", .broadcast, nil) {
            $0.request.set("apns-request-id", "EABEAE54-14A8-11E5-B60B-1697F925EC7B")
        }, ChannelCase("expiration and storage", .broadcast, nil) { $0.request.set("apns-expiration", "1754409999") },
        ChannelCase("expiration 0 without storage", .broadcast, nil) {
            $0.storage = ChannelStorage.none
            $0.request.set("apns-expiration", "0")
        }, ChannelCase("a header twice", .broadcast, nil) { $0.request.add("apns-priority", "nonsense") },
        ChannelCase("a channel id of no use", .list, nil),
        ChannelCase("5120 bytes", .broadcast, nil) { $0.request.body = [UInt8](repeating: 32, count: 5_120) },
        ChannelCase("management on its listener", .list, nil) { $0.hasOnlyChannels = true },
    ]

    private static let paths = [
        ChannelCase("stopping", .broadcast, .shutdown) { $0.refusal = .shutdown },
        ChannelCase("stopping", .list, .shutdown) { $0.refusal = .shutdown },
        ChannelCase("no room", .broadcast, .serviceUnavailable) { $0.refusal = .serviceUnavailable },
        ChannelCase("no room", .list, .serviceUnavailable) { $0.refusal = .serviceUnavailable },
        ChannelCase("GET a broadcast", .broadcast, .methodNotAllowed) { $0.request.set(":method", "GET") },
        ChannelCase("PUT a channel", .create, .methodNotAllowed) { $0.request.set(":method", "PUT") },
        ChannelCase("POST to all-channels", .list, .methodNotAllowed) { $0.request.set(":method", "POST") },
        ChannelCase("no app", .broadcast, .badPath) { $0.request.set(":path", "/4/broadcasts/apps/") },
        ChannelCase("more than an app", .broadcast, .badPath) { $0.request.edit(":path") { $0 + "/channels" } },
        ChannelCase("a space in the app", .broadcast, .badPath) { $0.request.edit(":path") { $0 + " " } },
        ChannelCase("elsewhere", .broadcast, .badPath) { $0.request.set(":path", "/4/broadcast") },
        ChannelCase("channel in the path", .read, .badPath) { $0.request.edit(":path") { $0 + "/abc" } },
        ChannelCase("only the app", .list, .badPath) { $0.request.set(":path", "/1/apps/com.example.app") },
        ChannelCase("push on the management listener", .broadcast, .badPath) {
            $0.hasOnlyChannels = true
            $0.request.setToken(PushRequest.goodToken)
        }, ChannelCase("broadcast on the management listener", .broadcast, .badPath) { $0.hasOnlyChannels = true },
    ]

    private static let authentication = [ChannelScenario.broadcast, .create, .read, .delete, .list].flatMap {
        [
            ChannelCase("no provider token", $0, .missingProviderToken) { $0.request.remove("authorization") },
            ChannelCase("certificate", $0, nil) {
                $0.request.remove("authorization")
                $0.certificate = .standing()
            },
            ChannelCase("certificate of another app", $0, .topicMismatch) {
                $0.certificate = .standing()
                $0.certificate?.topics = ["com.example.other"]
            }, ChannelCase("expired certificate", $0, .badCertificate) { $0.certificate = .standing(.expired) },
            ChannelCase("certificate of the other environment", $0, .badCertificateEnvironment) {
                $0.certificate = .standing(in: [.production])
            }, ChannelCase("expired", $0, .expiredProviderToken) { $0.token.issuedAt -= 3_600 },
            ChannelCase("bad signature", $0, .invalidProviderToken) { $0.token.verification = .badSignature },
            ChannelCase("key of the other environment", $0, .badEnvironmentKeyInToken) {
                $0.token.environment = .production
            }, ChannelCase("key of another app", $0, .topicMismatch) { $0.token.topics = ["com.example.other"] },
            ChannelCase("key of the app", $0, nil) { $0.token.topics = ["com.example.app"] },
            ChannelCase("capability off", $0, .featureNotEnabled) { $0.isEnabled = false },
            ChannelCase("suffix", $0, .topicDisallowed) {
                $0.token.topics = ["com.example.app"]
                $0.request.edit(":path") {
                    $0.replacing("com.example.app", with: "com.example.app.push-type.liveactivity")
                }
            }, ChannelCase("request id", $0, .badMessageID) { $0.request.set("apns-request-id", "1") },
            ChannelCase("apns-id", $0, .badMessageID) { $0.request.set("apns-id", "1") },
            ChannelCase("channel id that is no Base64", $0, .badChannelID) {
                $0.request.set("apns-channel-id", "no Base64")
            }, ChannelCase("asked answer", $0, .tooManyRequests) { $0.request.set("apns-channel-id", "dead042900==") },
        ]
    }

    private static let apps: [ChannelCase] = [
        ChannelCase("no check of tokens", .broadcast, nil) {
            $0.options.authentication = .any
            $0.token.topics = ["com.example.other"]
        }
    ]

    private static let headers = [
        ChannelCase("no push type", .broadcast, .missingPushType) { $0.request.remove("apns-push-type") },
        ChannelCase("alert", .broadcast, .invalidPushType) { $0.request.set("apns-push-type", "alert") },
        ChannelCase("no channel", .broadcast, .missingChannelID) { $0.request.remove("apns-channel-id") },
        ChannelCase("no channel to read", .read, .missingChannelID) { $0.request.remove("apns-channel-id") },
        ChannelCase("no channel to delete", .delete, .missingChannelID) { $0.request.remove("apns-channel-id") },
        ChannelCase("Base64 without padding", .read, .badChannelID) {
            $0.request.edit("apns-channel-id") { $0.replacing("=", with: "") }
        }, ChannelCase("empty channel", .read, .badChannelID) { $0.request.set("apns-channel-id", "") },
        ChannelCase("long channel", .read, .badChannelID) {
            $0.request.set("apns-channel-id", String(repeating: "A", count: 68))
        }, ChannelCase("priority", .broadcast, .badPriority) { $0.request.set("apns-priority", "7") },
        ChannelCase("expiration", .broadcast, .badExpirationDate) { $0.request.set("apns-expiration", "soon") },
        ChannelCase("within the rate", .broadcast, nil) { $0.options.channelRate = .init(count: 1, interval: 1) },
        ChannelCase("over the rate", .broadcast, .tooManyRequests) {
            $0.options.channelRate = .init(count: 1, interval: 1)
            $0.isWithinRate = false
        }, ChannelCase("no rate", .broadcast, nil) { $0.isWithinRate = false },
        ChannelCase("a rate of broadcasts", .read, nil) {
            $0.options.channelRate = .init(count: 1, interval: 1)
            $0.isWithinRate = false
        },
        ChannelCase("expiration without storage", .broadcast, .badExpirationDate) {
            $0.storage = ChannelStorage.none
            $0.request.set("apns-expiration", "1754409999")
        },
    ]

    private static let channels = [ChannelScenario.broadcast, .read, .delete].flatMap {
        [
            ChannelCase("deleted channel", $0, .channelNotRegistered) { $0.storage = nil },
            ChannelCase("channel of 13 bytes", $0, .channelNotRegistered) {
                $0.request.set("apns-channel-id", "dHN0LXNyY2gtY2hubA==")
            },
            ChannelCase("channel of another app", $0, .channelNotRegistered) {
                $0.request.edit(":path") { $0.replacing("com.example.app", with: "com.example.other") }
            },
        ]
    }

    private static let bodies = [
        ChannelCase("no body", .broadcast, .payloadEmpty) { $0.request.body = [] },
        ChannelCase("large body", .broadcast, .payloadTooLarge) {
            $0.request.body = [UInt8](repeating: 32, count: 5_121)
        },
        ChannelCase("strict", .broadcast, .badRequestPayload) {
            $0.options.refusesInvalidJSON = true
            $0.request.body = Array("{".utf8)
        }, ChannelCase("large channel", .create, .payloadTooLarge) { $0.request.bodyLength = 5_121 },
        create("", .badRequestPayload), create("{", .badRequestPayload), create("[]", .badRequestPayload),
        create("{}", .badRequestParams), create(#"{"push-type":"LiveActivity"}"#, .badRequestParams),
        create(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#, .badRequestParams),
        create(#"{"message-storage-policy":-1,"push-type":"LiveActivity"}"#, .badRequestParams),
        create(#"{"message-storage-policy":"1","push-type":"LiveActivity"}"#, .badRequestParams),
        create(#"{"message-storage-policy":1,"push-type":"LiveActivity","name":"a"}"#, .badRequestParams),
        create(#"{"message-storage-policy":1}"#, .missingPushType),
        create(#"{"message-storage-policy":1,"push-type":"alert"}"#, .invalidPushType),
        create(#"{"message-storage-policy":1,"push-type":1}"#, .invalidPushType),
        ChannelCase("no room", .create, .cannotCreateChannelConfig) { $0.hasRoom = false },
        ChannelCase("no room to read", .read, nil) { $0.hasRoom = false },
    ]

    private static func create(_ body: String, _ expected: Reason) -> ChannelCase {
        ChannelCase("create \(body)", .create, expected) { $0.request.body = Array(body.utf8) }
    }
}

@Suite struct ChannelCheckTests {
    @Test(arguments: ChannelCase.table) func `each request gets the reason of its row, which its check lists`(
        _ row: ChannelCase
    ) throws {
        let outcome = row.scenario.run()
        #expect(outcome.reason == row.expected)
        guard let reason = outcome.reason else { return }
        let check = try #require(
            Pipeline.standard.checks(of: outcome.situation.service).first { $0.id == outcome.checkID })
        #expect(check.reasons.contains(reason))
    }

    /// Every check of its own refuses some row, and gives every reason that it lists.
    @Test(arguments: [Service.broadcast, .channels]) func `each check of the service gives every reason that it lists`(
        _ service: Service
    ) {
        let outcomes = ChannelCase.table.map { $0.scenario.run() }.filter { $0.situation.service == service }
        for check in Pipeline.standard.checks(of: service) where check.stage != .auth {
            let given = outcomes.filter { $0.checkID == check.id }.compactMap(\.reason)
            #expect(!given.isEmpty, "\(check.id)")
            if check.decider != .answerToken { #expect(Set(given) == Set(check.reasons), "\(check.id)") }
        }
    }

    /// A request with several problems gets the first reason of this order.
    @Test func `a broadcast with several mistakes gets their reasons in the order of checks`() {
        var scenario = ChannelScenario.broadcast.with {
            $0.request.set(":method", "GET")
            $0.request.set(":path", "/4/broadcasts/apps/com.example.app.voip")
            $0.request.remove("authorization")
            $0.token.topics = ["com.example.other"]
            $0.isEnabled = false
            $0.request.remove("apns-push-type")
            $0.request.remove("apns-channel-id")
            $0.request.set("apns-priority", "2")
            $0.request.set("apns-expiration", "-1")
            $0.storage = nil
            $0.request.body = []
        }
        let repairs: [(Reason, (inout ChannelScenario) -> Void)] = [
            (.methodNotAllowed, { $0.request.set(":method", "POST") }),
            (.missingProviderToken, { $0.request.set("authorization", "bearer header.claims.signature") }),
            (.topicMismatch, { $0.token.topics = nil }), (.featureNotEnabled, { $0.isEnabled = true }),
            (.topicDisallowed, { $0.request.set(":path", ChannelScenario.broadcasts) }),
            (.missingPushType, { $0.request.set("apns-push-type", "liveactivity") }),
            (.missingChannelID, { $0.request.set("apns-channel-id", "AAAA") }),
            (.badPriority, { $0.request.set("apns-priority", "5") }),
            (.badExpirationDate, { $0.request.set("apns-expiration", "0") }),
            (
                .channelNotRegistered,
                {
                    $0.storage = .newest
                    $0.request.set("apns-channel-id", ChannelScenario.channel.text)
                }
            ), (.payloadEmpty, { $0.request.body = [1] }),
        ]
        for (reason, repair) in repairs {
            #expect(scenario.run().reason == reason)
            repair(&scenario)
        }
        #expect(scenario.run().reason == nil)
    }

    @Test func `a new order applies to every service that has the checks`() throws {
        let reordered = try Pipeline.standard.reordered(["provider-token-present", "path"])
        let scenario = ChannelScenario.list.with {
            $0.request.remove("authorization")
            $0.request.set(":path", "/1/apps")
        }
        #expect(scenario.run().reason == .badPath)
        #expect(scenario.run(reordered).reason == .missingProviderToken)
        let own = try Pipeline.standard.reordered(["push-type", "push-type-present"])
        #expect(own.checks.map(\.id) == Pipeline.standard.checks.map(\.id))
        #expect(throws: Pipeline.OrderProblem.unknownCheck("no-such-check")) {
            try Pipeline.standard.reordered(["no-such-check"])
        }
    }

    /// The headers of an accepted push say nothing about those of a broadcast.
    @Test func `an accepted push does not skip checks of a later broadcast`() {
        let authority = FakeAuthority()
        var situation = Situation(
            environment: .sandbox, authority: authority, devices: FakeDevices(environment: .sandbox))
        for path in ["/3/device/" + PushRequest.goodToken, ChannelScenario.broadcasts] {
            var request = PushRequest()
            request.set(":path", path)
            situation.begin(at: Scenario.start, options: RuleOptions())
            let verdict = request.withView(headerVersion: 1) { Pipeline.standard.verdict(on: $0, in: &situation) }
            #expect(verdict.reason == (path == ChannelScenario.broadcasts ? .invalidPushType : nil))
        }
        #expect(authority.asked.count == 2)
    }

    @Test func `a channel id is 16 bytes in strict Base64`() {
        #expect(ChannelScenario.channel.text == "ASNFZ4mrze/+3LqYdlQyEA==")
        #expect(ChannelID("ASNFZ4mrze/+3LqYdlQyEA==") == ChannelScenario.channel)
        for text in ["", "ASNFZ4mrze_-3LqYdlQyEA==", "ASNFZ4mrze/+3LqYdlQyEA", "AAAA", "ASNFZ4mrze/+3LqYdlQyEB=="] {
            #expect(ChannelID(text) == nil)
        }
    }

    @Test func `the start of the path selects the service`() {
        let paths: [(String, Service)] = [
            ("/3/device/00", .push), ("/4/broadcasts/apps/a", .broadcast), ("/1/apps/a/channels", .channels),
            ("", .push), ("/", .push), ("/4", .push), ("/4/", .broadcast), ("/1/", .channels), ("14/", .push),
            ("/41", .push), ("/2/", .push),
        ]
        for (path, service) in paths {
            var request = PushRequest()
            request.set(":path", path)
            #expect(request.withView { $0.service } == service)
        }
    }
}

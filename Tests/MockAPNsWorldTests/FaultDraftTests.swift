import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// Descriptions of faults: what can be, and what cannot.
@Suite struct FaultDraftTests {
    /// One of each action, in the order of their names.
    static let actions: [FaultAction] = [
        .respond(FaultAction.Response(.serviceUnavailable)), .delay(FaultAction.Delay(1_000)),
        .resetStream(.refusedStream), .goAway(FaultAction.GoAway()), .connection(.rst), .settings(streams(1)),
        .handshake(.refuse), .body(.truncated), .lose, .duplicate, .slow(100),
    ]

    private static func streams(_ count: UInt32) -> FaultAction.SettingsFrame {
        var settings = FaultAction.SettingsFrame()
        settings.maxConcurrentStreams = count
        return settings
    }

    @Test func `every action is named`() throws {
        #expect(Self.actions.map(\.name) == FaultAction.names)
        for action in Self.actions { _ = try FaultDraft(action: action) }
    }

    @Test func `codes have the numbers of the RFC`() {
        #expect(HTTP2Code.allCases.map(\.rawValue) == Array(0...13))
        #expect(HTTP2Code.refusedStream.rawValue == 7 && HTTP2Code.enhanceYourCalm.rawValue == 0xb)
        #expect(HTTP2Code.allCases.map(\.name).last == "HTTP_1_1_REQUIRED")
    }

    /// A mistake, and the place that the error names.
    struct Mistake: CustomTestStringConvertible, Sendable {
        let pointer: String
        var name: String?
        var hasMatch = false
        var connections = FaultDraft.Connections()
        var when = FaultTrigger()
        var action = FaultAction.lose

        init(_ pointer: String, _ change: (inout Mistake) -> Void) {
            self.pointer = pointer
            change(&self)
        }

        var testDescription: String { pointer }
    }

    private static func respond(_ status: UInt16, _ reason: Reason?, _ headers: (String, String)...) -> FaultAction {
        .respond(
            FaultAction.Response(
                status: status, reason: reason, headers: headers.map { FaultAction.Header($0.0, $0.1) }))
    }

    static let mistakes = [
        Mistake("/name") { $0.name = "" }, Mistake("/name") { $0.name = String(repeating: "x", count: 101) },
        Mistake("/when/skip") { $0.when.skip = -1 }, Mistake("/when/times") { $0.when.times = 0 },
        Mistake("/when/every") { $0.when.every = 0 }, Mistake("/when/probability") { $0.when.probability = 1.01 },
        Mistake("/when/probability") { $0.when.probability = .nan },
        Mistake("/when/afterIdle") { $0.when.afterIdle = 0 },
        Mistake("/when/afterRequests") { $0.when.afterRequests = -1 },
        Mistake("/when/until") {
            $0.when.from = JudgingWorld.start
            $0.when.until = JudgingWorld.start
        },
        Mistake("/when/afterIdle") {
            $0.when.afterIdle = 1
            $0.action = .handshake(.refuse)
        },
        Mistake("/when/afterRequests") {
            $0.when.afterRequests = 1
            $0.action = .handshake(.refuse)
        },
        Mistake("/match") {
            $0.hasMatch = true
            $0.action = .handshake(.refuse)
        },
        Mistake("/match") {
            $0.hasMatch = true
            $0.when.afterIdle = 1
            $0.action = .connection(.rst)
        },
        Mistake("/match/connection/id") {
            $0.connections.ids = [1]
            $0.action = .settings(streams(1))
        }, Mistake("/do/respond/status") { $0.action = respond(199, nil) },
        Mistake("/do/respond/status") { $0.action = respond(600, nil) },
        Mistake("/do/respond/reason") { $0.action = respond(200, .unregistered) },
        Mistake("/do/respond/headers") { $0.action = respond(503, nil, ("Retry-After", "2")) },
        Mistake("/do/respond/headers") { $0.action = respond(503, nil, (":status", "2")) },
        Mistake("/do/respond/headers") { $0.action = respond(503, nil, ("apns-id", "2")) },
        Mistake("/do/respond/headers/x") { $0.action = respond(503, nil, ("x", "a\nb")) },
        Mistake("/do/delay/for") { $0.action = .delay(FaultAction.Delay(-1)) },
        Mistake("/do/delay/for") { $0.action = .delay(FaultAction.Delay(3_600_000_001)) },
        Mistake("/do/delay/jitter") { $0.action = .delay(FaultAction.Delay(1, jitter: -1)) },
        Mistake("/do/goaway/debug") {
            $0.action = .goAway(FaultAction.GoAway(debug: String(repeating: "x", count: 1_025)))
        }, Mistake("/do/goaway/then") { $0.action = .goAway(FaultAction.GoAway(close: .drain, then: .stall)) },
        Mistake("/do/goaway/respond/status") {
            let response = FaultAction.Response(status: 0, reason: nil)
            $0.action = .goAway(FaultAction.GoAway(respond: response))
        }, Mistake("/do/settings") { $0.action = .settings(FaultAction.SettingsFrame()) },
        Mistake("/do/settings/initialWindow") {
            var settings = FaultAction.SettingsFrame()
            settings.initialWindow = 1 << 31
            $0.action = .settings(settings)
        },
        Mistake("/do/settings/replaceWithGoaway") {
            var settings = FaultAction.SettingsFrame()
            settings.replaceWithGoAway = FaultAction.GoAway(respond: FaultAction.Response(.shutdown))
            $0.action = .settings(settings)
        }, Mistake("/do/handshake") { $0.action = .handshake(.delay(-1)) },
        Mistake("/do/slow/bytesPerSecond") { $0.action = .slow(0) },
    ]

    @Test(arguments: mistakes) func `impossible faults are refused`(_ mistake: Mistake) {
        let error = #expect(throws: FaultError.self) {
            try FaultDraft(
                name: mistake.name, match: mistake.hasMatch ? FaultDraft.Match(text: "{}") { _, _ in true } : nil,
                connections: mistake.connections, when: mistake.when, action: mistake.action)
        }
        #expect(error?.code == .badValue)
        #expect(error?.pointer == mistake.pointer)
    }

    // MARK: Connections

    @Test func `connections are told apart`() {
        let connection = ConnectionRecord.from("[::1]:51644", id: 7)
        func matches(_ change: (inout FaultDraft.Connections) -> Void) -> Bool {
            var connections = FaultDraft.Connections()
            change(&connections)
            return connections.matches(connection)
        }
        #expect(matches { _ in })
        #expect(matches { $0.ids = [6, 7] } && !matches { $0.ids = [6] })
        #expect(matches { $0.remotes = ["[::1]"] } && matches { $0.remotes = ["x", "[::1]:51644"] })
        #expect(!matches { $0.remotes = ["[::1]:5164"] } && !matches { $0.remotes = ["::1"] })
        #expect(matches { $0.environment = .sandbox } && !matches { $0.environment = .production })
        #expect(
            !matches {
                $0.ids = [7]
                $0.environment = .production
            })
    }
}

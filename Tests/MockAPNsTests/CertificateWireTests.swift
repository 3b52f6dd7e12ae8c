import MockAPNsCrypto
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNs
@testable import MockAPNsWorld

/// What providers with a certificate get, by a client that nobody here wrote.
@Suite struct CertificateWireTests {
    private static let app = "com.example.app"

    /// A row of the table of the service's behavior.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// The status; `nil` if the connection ends without an answer.
        let status: Int?
        let reason: Reason?
        let draft: @Sendable (inout ClientCertificates.Draft) -> Void
        let push: @Sendable (inout Push) -> Void
        /// The position of the listener.
        var listener = 0

        init(
            _ name: String, _ status: Int?, _ reason: Reason? = nil, listener: Int = 0,
            _ draft: @escaping @Sendable (inout ClientCertificates.Draft) -> Void = { _ in },
            push: @escaping @Sendable (inout Push) -> Void = { _ in }
        ) {
            (self.name, self.status, self.reason, self.draft, self.push) = (name, status, reason, draft, push)
            self.listener = listener
        }

        var testDescription: String { name }
    }

    private static let withoutTopic: @Sendable (inout Push) -> Void = { $0.topic = nil }

    static let table: [Row] = [
        Row("single-topic certificate, no apns-topic", 200, nil, { $0.environment = .sandbox }, push: withoutTopic),
        Row("certificate with a list of one topic, no apns-topic", 200, nil, { $0.topics = [app] }, push: withoutTopic),
        Row("multi-topic certificate, no apns-topic", 400, .missingTopic, push: withoutTopic),
        Row("multi-topic certificate, one of its topics", 200),
        Row("multi-topic certificate, VoIP", 200) { _ in
        } push: {
            $0.topic = "\(app).voip"
            $0.more = [("apns-push-type", "voip")]
        },
        Row("topic not listed", 400, .topicDisallowed) { _ in
        } push: {
            $0.topic = "com.example.other"
        },
        Row("single-topic certificate, another topic", 400, .topicDisallowed, { $0.environment = .sandbox }) {
            $0.topic = "com.example.other"
        },
        Row(
            "cert of the wrong environment: production", nil, .badCertificateEnvironment,
            { $0.environment = .production }),
        Row("cert of the wrong environment: sandbox", nil, .badCertificateEnvironment, listener: 1) {
            $0.environment = .sandbox
        }, Row("certificate of the other listener's environment", 200, listener: 1) { $0.environment = .production },
        Row("untrusted cert", nil, .badCertificate) { $0.isSelfSigned = true },
        Row("expired cert", nil, .badCertificate) { $0.expiresIn = -86_400 },
        Row("cert that is not valid yet", nil, .badCertificate) { $0.startsIn = 86_400 },
        Row("cert and authorization header", 200) { _ in
        } push: {
            $0.providerToken = "not.a.token"
        },
        Row("location push type with a cert", 400, .topicDisallowed, { $0.topics = ["\(app).location-query"] }) {
            $0.topic = "\(app).location-query"
            $0.more = [("apns-push-type", "location")]
        },
        Row(
            "MDM certificate", 200, listener: 1,
            {
                $0.isForManagement = true;
                $0.bundleID = mdm
            }
        ) {
            $0.topic = nil
            $0.body = #"{"mdm":"magic"}"#
            $0.more = [("apns-push-type", "mdm")]
        }, Row("500 topics, and a push to the last", 200, nil, { $0.topics = many(500) }) { $0.topic = "\(app).n500" },
        Row("1,000 topics, and a push to the last", 200, nil, { $0.topics = many(1_000) }) {
            $0.topic = "\(app).n1000"
        }, Row("more topics than are kept", nil, .badCertificate, { $0.topics = many(1_001) }),
        Row("Live Activity with a cert", 400, .topicDisallowed, { $0.topics = ["\(app).push-type.liveactivity"] }) {
            $0.topic = "\(app).push-type.liveactivity"
            $0.more = [("apns-push-type", "liveactivity")]
        },
        Row("MDM certificate in the sandbox", nil, .badCertificateEnvironment) {
            $0.isForManagement = true
            $0.bundleID = mdm
        },
    ]

    private static func many(_ count: Int) -> [String] { (1...count).map { "\(app).n\($0)" } }

    private static let mdm = "com.apple.mgmt.External.5ea45b0e-74c5-4d31-9d7a-1b5d3a1f8c11"

    private static func withTLS<Result: Sendable>(
        _ change: (inout Configuration) -> Void = { _ in }, _ use: (Live) async throws -> Result
    ) async throws -> Result {
        try await withLive(
            {
                $0.listeners = Environment.allCases.map { ListenAddress(host: "127.0.0.1", port: 0, environment: $0) }
                change(&$0)
            }, use)
    }

    private static func post(_ live: Live, _ push: Push, listener: Int = 0, _ pem: String) async throws -> Curl.Run {
        try await Curl.post(
            push, to: live.server.listeners[listener].url, trusting: live.server.certificateAuthorityPEM, showing: pem)
    }

    @Test(arguments: table) func `a certificate and the headers of a push decide the answer`(row: Row) async throws {
        try await Self.withTLS { live in
            var draft = ClientCertificates.Draft(bundleID: Self.app)
            row.draft(&draft)
            let issued = try live.server.clientCertificates.issue(draft)
            var push = Push(nil, token: Push.freshToken)
            row.push(&push)
            let run = try await Self.post(live, push, listener: row.listener, issued.certificatePEM + issued.keyPEM)
            if let status = row.status {
                #expect(run.head.first == "HTTP/2 \(status) ")
            } else {
                #expect(run.exitCode != 0 && run.head == [""])
            }
            let record = try #require(live.journal.pushes(PushQuery()).pushes.first)
            #expect(record.reason == row.reason)
            #expect(Int(record.status) == row.status ?? 0)
            #expect(record.certificate == (draft.isForManagement ? Self.mdm : draft.topics.first ?? Self.app))
            #expect(record.connection?.clientCertificate?.subject == issued.subject)
            #expect(record.connection?.goAways == (row.status == nil ? 1 : 0))
            if row.status == nil {
                try await live.settle { live.openConnections.isEmpty }
                #expect(live.journal.connections.first?.closeCode == "bad-certificate")
                #expect(record.delivery == nil)
            }
        }
    }

    /// The request stays as it was sent; its topic is that of the certificate everywhere else.
    @Test func `an implied topic is not a header`() async throws {
        try await Self.withTLS { live in
            var draft = ClientCertificates.Draft(bundleID: Self.app)
            draft.environment = .sandbox
            let issued = try live.server.clientCertificates.issue(draft)
            var push = Push(nil, ("apns-id", "EABEAE54-14A8-11E5-B60B-1697F925EC7B"))
            push.topic = nil
            let run = try await Self.post(live, push, issued.certificatePEM + issued.keyPEM)
            #expect(run.head.contains("apns-id: EABEAE54-14A8-11E5-B60B-1697F925EC7B"))
            let record = try #require(live.journal.pushes(PushQuery()).pushes.first)
            #expect(record.request.headers.allSatisfy { $0.name != "apns-topic" })
            #expect(record.request[.apnsTopic] == Self.app && record.impliesTopic)
            #expect(live.registration(Push.token)?.topic == Self.app)
        }
    }

    @Test func `a revoked certificate is refused on new connections`() async throws {
        try await Self.withTLS { live in
            let certificates = live.server.clientCertificates
            let issued = try certificates.issue(ClientCertificates.Draft(bundleID: Self.app))
            let pem = issued.certificatePEM + issued.keyPEM
            #expect(try await Self.post(live, Push(nil), pem).head.first == "HTTP/2 200 ")
            #expect(try certificates.revoke(serial: issued.serial))
            #expect(try await Self.post(live, Push(nil), pem).exitCode != 0)
            #expect(live.journal.connections.last?.clientCertificate?.standing == .revoked)
        }
    }

    @Test(arguments: [(RuleOptions.BadCertificate.answer, "HTTP/2 403 "), (.alert, "")])
    func `a bad certificate can get an answer or an alert`(
        behavior: RuleOptions.BadCertificate, line: String
    ) async throws {
        try await Self.withTLS({ $0.rules.badCertificate = behavior }) { live in
            var draft = ClientCertificates.Draft(bundleID: Self.app)
            draft.expiresIn = -1
            let issued = try live.server.clientCertificates.issue(draft)
            let run = try await Self.post(live, Push(nil), issued.certificatePEM + issued.keyPEM)
            #expect(run.head.first == line)
            if behavior == .answer {
                #expect(run.body == #"{"reason":"BadCertificate"}"#)
            } else {
                try await live.settle { live.journal.connections.first?.closedAt != nil }
                #expect(live.journal.connections.first?.clientCertificate?.standing == .expired)
                #expect(live.journal.extent.lastSeq == 0)
            }
        }
    }

    @Test(arguments: [(ClientCertificates.Mode.issued, "HTTP/2 "), (.any, "HTTP/2 200 "), (.ignore, "HTTP/2 403 ")])
    func `the mode decides whose certificates are accepted`(mode: ClientCertificates.Mode, line: String) async throws {
        let stranger = try ClientCertificates().issue(ClientCertificates.Draft(bundleID: Self.app))
        try await Self.withTLS({ $0.clientCertificates.mode = mode }) { live in
            let run = try await Self.post(live, Push(nil), stranger.certificatePEM + stranger.keyPEM)
            #expect(mode == .issued ? run.exitCode != 0 : run.head.first == line)
        }
    }

    @Test func `a further authority is trusted`() async throws {
        let stranger = try ClientCertificates().issue(ClientCertificates.Draft(bundleID: Self.app))
        try await Self.withTLS({ $0.clientCertificates.authorities = [stranger.authorityPEM] }) { live in
            let run = try await Self.post(live, Push(nil), stranger.certificatePEM + stranger.keyPEM)
            #expect(run.head.first == "HTTP/2 200 ")
            #expect(live.server.clientCertificates.authorities.map(\.isOwn) == [false])
        }
    }

    @Test func `certificates outlive their server`() async throws {
        let kept = KeptCertificates()
        let issued = try ClientCertificates(kept.options).issue(ClientCertificates.Draft(bundleID: Self.app))
        let other = try ClientCertificates(kept.options).issue(ClientCertificates.Draft(bundleID: "com.x"))
        #expect(other.authorityPEM == issued.authorityPEM)
        let again = try ClientCertificates(kept.options)
        #expect(again.issued.map(\.serial) == [issued.serial, other.serial])
        #expect(try again.revoke(serial: issued.serial))
        let last = try ClientCertificates(kept.options)
        #expect(last.issued.map(\.standing) == [.revoked, .verified])
        #expect(try !last.revoke(serial: "00"))
    }

    @Test func `a certificate that cannot be stored is not issued`() throws {
        var options = ClientCertificates.Options()
        options.store = { _ in throw MockAPNsError(.badCertificate, "disk full") }
        let certificates = try ClientCertificates(options)
        #expect(throws: MockAPNsError.self) { try certificates.issue(ClientCertificates.Draft(bundleID: Self.app)) }
        #expect(certificates.issued.isEmpty && certificates.authorityPEM == nil)
    }

    @Test func `keeps at most 1,000 certificates, and all that are revoked`() throws {
        let certificates = try ClientCertificates()
        let first = try certificates.issue(ClientCertificates.Draft(bundleID: "com.first"))
        #expect(try certificates.revoke(serial: first.serial))
        for number in 0..<ClientCertificates.limit {
            _ = try certificates.issue(ClientCertificates.Draft(bundleID: "com.x\(number)"))
        }
        let listed = certificates.issued
        #expect(listed.count == ClientCertificates.limit)
        #expect(listed.first?.serial == first.serial && listed[1].onlyTopic == nil)
        #expect(listed[1].app == "com.x1")
    }
}

/// Keeps what a server stores.
private final class KeptCertificates: Sendable {
    private let stored = Locked(ClientCertificates.Stored())

    var options: ClientCertificates.Options {
        var options = ClientCertificates.Options()
        options.stored = stored.withLock { $0 }
        options.store = { [stored] state in stored.withLock { $0 = state } }
        return options
    }
}

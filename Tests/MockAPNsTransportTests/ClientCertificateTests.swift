import CMockAPNsOpenSSL
import Foundation
import MockAPNsCrypto
import MockAPNsRules
import Testing

@testable import MockAPNsTransport

/// What the transport does with the certificate that a client shows; what it is worth is said by the responder.
@Suite struct ClientCertificateTests {
    private static func setup(_ version: CInt = TLS1_3_VERSION) -> TLSPeer.Setup {
        TLSPeer.Setup(
            versions: version...version, certificate: (TLSFixture.client.certificatePEM, TLSFixture.client.keyPEM))
    }

    private static func judged(_ standing: ClientCertificate.Standing, isRefused: Bool = false) -> JudgedCertificate {
        var certificate = ClientCertificate(subject: "CN=provider", issuer: "CN=authority")
        certificate.standing = standing
        return JudgedCertificate(certificate, isRefused: isRefused)
    }

    @Test(arguments: [TLS1_2_VERSION, TLS1_3_VERSION]) func `the chain is judged, and the result kept`(
        version: CInt
    ) throws {
        let client = try Client(tls: Self.setup(version), judgement: Self.judged(.untrusted))
        try client.expectAlive(stream: 1)
        let chain = try #require(client.recorder.chains.first)
        let text = TLSFixture.client.certificatePEM.split(separator: "\n").dropFirst().dropLast().joined()
        let shown = Array(try #require(Data(base64Encoded: text)))
        #expect(client.recorder.chains.count == 1 && chain == [shown])
        let facts = try #require(client.recorder.connections.first?.tls)
        #expect(facts.clientCertificate?.subject == "CN=provider")
        #expect(facts.clientCertificate?.standing == .untrusted)
    }

    @Test func `a client without a certificate is not judged`() throws {
        let client = try Client(tls: TLSPeer.Setup(), judgement: Self.judged(.untrusted))
        try client.expectAlive(stream: 1)
        #expect(client.recorder.chains.isEmpty)
        #expect(client.recorder.connections.first?.tls?.clientCertificate == nil)
    }

    static let alerts: [(ClientCertificate.Standing, String)] = [
        (.revoked, "certificate revoked"), (.expired, "certificate expired"), (.untrusted, "unknown ca"),
        (.selfSigned, "unknown ca"), (.notYetValid, "bad certificate"), (.noTopic, "bad certificate"),
        (.unreadable, "bad certificate"),
    ]

    @Test(arguments: alerts) func `a refused certificate gets the TLS alert of its standing`(
        standing: ClientCertificate.Standing, alert: String
    ) throws {
        let judgement = Self.judged(standing, isRefused: true)
        let client = try Client(tls: Self.setup(TLS1_2_VERSION), judgement: judgement, greets: false)
        #expect(client.handshakeFailure?.contains(alert) == true, "\(client.handshakeFailure ?? "none")")
        let failure = try #require(client.recorder.handshakeFailure)
        #expect(failure.code == .badCertificate && failure.detail.contains(standing.rawValue))
        // The connection is recorded with the certificate.
        #expect(client.recorder.connections.last?.tls?.clientCertificate?.standing == standing)
        #expect(!client.channel.isActive)
    }

    /// As it was captured: no answer, last stream 0, no error, and a second frame without debug data.
    @Test(arguments: [false, true]) func `a client without a certificate can be refused`(repeats: Bool) throws {
        let client = try Client(options: .with { $0.repeatsGoAway = repeats })
        client.recorder.answer = .custom { _, _ in
            Response(
                status: 0, headers: (nil, nil, nil), body: [], liftsStreamLimit: false,
                fault: WireFault(turningAwayBecause: .badCertificateEnvironment, "for production"))
        }
        try client.send(.headers(1, .push()), .headers(3, .push()))
        try client.expect(.goAway(last: 0, .noError, #"{"reason":"BadCertificateEnvironment"}"#))
        if repeats { try client.expect(.goAway(last: 0, .noError, "")) }
        try client.expectClosed(.badCertificate)
        #expect(client.recorder.closeReason?.detail == "for production")
    }

    @Test(arguments: [(ClientCertificate.Standing.verified, UInt32(1_000)), (.untrusted, 1)])
    func `a valid certificate allows all streams from the start`(
        standing: ClientCertificate.Standing, streams: UInt32
    ) throws {
        let client = try Client(
            options: .with { $0.streamsBeforeAuthentication = 1 }, tls: Self.setup(), judgement: Self.judged(standing),
            greets: false)
        guard case .settings(let settings) = try client.next() else {
            Issue.record("the server did not begin with SETTINGS")
            return
        }
        #expect(settings.contains { $0.id == 3 && $0.value == streams }, "\(settings)")
    }
}

import Testing

@testable import MockAPNs
@testable import MockAPNsTransport

/// What a person is told of a connection that failed, by the cause and not by the words of the TLS library.
@Suite struct ConnectionProblemTests {
    static let hints: [(CloseReason.Cause?, String?)] = [
        (.alert(48), "does not trust the certificate authority: give it ca.pem"),
        (.alert(42), "refuses the certificate chain (bad_certificate)"),
        (.alert(43), "refuses the certificate chain (unsupported_certificate)"),
        (.alert(46), "refuses the certificate chain (certificate_unknown)"), (.alert(45), "check the client's clock"),
        (.alert(70), "TLS 1.2 or 1.3"), (.alert(80), nil), (.hungUp, "its own error says why"),
        (.plainHTTP, "plain HTTP on a TLS port"), (.notTLS, "does not speak TLS"), (.oldTLS, "TLS 1.2 or 1.3"),
        (.noApplicationProtocol, "h2 by ALPN"), (.http1, "only HTTP/2"),
        (.otherEnvironment, "push to an address of the certificate's environment"), (nil, nil),
    ]

    @Test(arguments: hints) func `the cause of a problem selects its hint, whatever the detail`(
        cause: CloseReason.Cause?, words: String?
    ) {
        // The detail is OpenSSL's, and must not matter.
        let reason = CloseReason(.tlsFailure, "unknown ca, bad certificate, http request", cause: cause)
        let hint = ConnectionProblem(remoteAddress: "127.0.0.1:1", reason: reason)?.hint
        #expect(hint?.contains(words ?? "") == (words == nil ? nil : true), "\(hint ?? "none")")
    }

    @Test func `a problem is one line with address, reason and hint`() {
        let reason = CloseReason(.tlsFailure, "tlsv1 alert unknown ca", cause: .alert(48))
        #expect(
            ConnectionProblem(remoteAddress: "127.0.0.1:1", reason: reason)?.description
                == "connection from 127.0.0.1:1 ended: tls-failure, tlsv1 alert unknown ca; "
                + "the client does not trust the certificate authority: give it ca.pem")
        let left = CloseReason(.closedByPeer, "the peer closed the connection")
        #expect(ConnectionProblem(remoteAddress: "127.0.0.1:1", reason: left) == nil)
    }
}

internal import MockAPNsFormats
internal import MockAPNsRules

/// The certificate of a client as the API shows it, with the reason why it did not authenticate.
struct ClientCertificateShape {
    private let certificate: ClientCertificate
    private let time: Timestamp

    /// - Parameters:
    ///   - certificate: what the client showed.
    ///   - time: when, on the system's clock.
    init(_ certificate: ClientCertificate, at time: Timestamp) {
        self.certificate = certificate
        self.time = time
    }

    var json: JSONValue {
        [
            "subject": .string(certificate.subject),
            "issuer": .string(certificate.issuer),
            "notBefore": Self.time(certificate.notBefore),
            "notAfter": Self.time(certificate.notAfter),
            "authenticated": false,
            "problem": .string(problem),
        ]
    }

    /// Why the certificate did not authenticate, and what to do instead.
    var problem: String {
        let seconds = Int64(time.seconds)
        var facts = "This server does not authenticate by certificate yet; send a provider token."
        if let end = certificate.notAfter, end < seconds {
            facts += " The certificate has expired, too."
        } else if let start = certificate.notBefore, start > seconds {
            facts += " The certificate is not valid yet, too."
        }
        return facts
    }

    /// What to say of a request without credentials.
    var hint: String { "The client showed a certificate (\(certificate.subject)). \(problem)" }

    /// A time of the certificate; `null` for one that no calendar has.
    private static func time(_ seconds: Int64?) -> JSONValue {
        guard let seconds, (0...Int64(Timestamp.lastWritableSecond)).contains(seconds) else { return .null }
        return .string(Timestamp(seconds: seconds).rfc3339)
    }
}

internal import MockAPNsAPI
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

extension APIObject<ConnectionShape> {
    /// A connection.
    init(_ connection: ConnectionRecord) {
        self.init()
        self.closeCode = connection.closeCode
        self.closeDetail = connection.closeDetail
        self.closeHint = connection.closeHint
        self.closedAt = connection.closedAt?.rfc3339
        self.environment = connection.environment.name
        // The registered name of the code; its number if it has no name.
        self.goAwayCode = connection.goAwayCode.map { HTTP2Code(rawValue: $0)?.name ?? String($0) }
        self.goAways = UInt64(connection.goAways)
        self.id = ConnectionID(connection.id).text
        self.openedAt = connection.openedAt.rfc3339
        self.pushes = UInt64(connection.pushes)
        self.remote = connection.remoteAddress
        self.state = connection.closedAt == nil ? "open" : "closed"
        self.streams = UInt64(connection.streams)
        self.tls = APIObject<TLSShape>(connection)
    }
}

extension APIObject<TLSShape> {
    /// The result of the TLS handshake; `nil` for clear text, and if there was no handshake.
    init?(_ connection: ConnectionRecord) {
        guard let version = connection.tlsVersion else { return nil }
        self.init()
        self.alpn = connection.applicationProtocol
        self.clientCertificate = connection.clientCertificate.map {
            APIObject<ClientCertificateShape>($0, at: connection.openedAt)
        }
        self.sni = connection.serverName
        self.version = version
    }
}

extension APIObject<ClientCertificateShape> {
    /// A certificate that a client presented at a time on the system's clock.
    init(_ certificate: ClientCertificate, at time: Timestamp) {
        self.init()
        self.authenticated = false
        self.issuer = certificate.issuer
        self.notAfter = Self.text(certificate.notAfter)
        self.notBefore = Self.text(certificate.notBefore)
        self.problem = certificate.problem(at: time)
        self.subject = certificate.subject
    }

    /// A time in seconds; `nil` for one outside the calendar.
    private static func text(_ seconds: Int64?) -> String? {
        guard let seconds, (0...Int64(Timestamp.lastWritableSecond)).contains(seconds) else { return nil }
        return Timestamp(seconds: seconds).rfc3339
    }
}

extension ClientCertificate {
    /// Why the certificate did not authenticate the client, and what to do instead.
    func problem(at time: Timestamp) -> String {
        let seconds = Int64(time.seconds)
        let problem = "This server does not authenticate by certificate yet; send a provider token."
        if let notAfter, notAfter < seconds { return problem + " The certificate has expired, too." }
        if let notBefore, notBefore > seconds { return problem + " The certificate is not valid yet, too." }
        return problem
    }

    /// The hint for a request without credentials.
    func hint(at time: Timestamp) -> String {
        "The client showed a certificate (\(subject)). \(problem(at: time))"
    }
}

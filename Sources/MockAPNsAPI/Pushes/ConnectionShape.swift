package import MockAPNsQuery
package import MockAPNsRules
package import MockAPNsWorld

package final class ConnectionShape: Shape {
    package typealias Source = (record: ConnectionRecord, context: PushContext)
    package static let definition = Definition(ConnectionShape(), "Connection")
    package let closeCode = Member<String?> { $0.record.closeCode }
    package let closeDetail = Member<String?> { $0.record.closeDetail }
    package let closeHint = Member<String?> { $0.record.closeHint }
    package let closedAt = Member<String?>(.time) { $0.record.closedAt?.rfc3339 }
    package let environment = Member<String>(.environment) { $0.record.environment.rawValue }
    /// The registered name of the code; its number if it has no name.
    package let goAwayCode = Member<String?> { connection in
        connection.record.goAwayCode.map { HTTP2Code(rawValue: $0)?.name ?? String($0) }
    }
    package let goAways = Member<UInt64> { UInt64($0.record.goAways) }
    package let id = Member<String> { ConnectionID($0.record.id).text }
    package let interface = Member<String>(.interface) { $0.record.interface.rawValue }
    package let lints = Member<[APIObject<LintShape>]>("Warnings about the connection as a whole, each once.") {
        $0.context.lints(ofConnection: $0.record.id).map { APIObject($0) }
    }
    package let openedAt = Member<String>(.time) { $0.record.openedAt.rfc3339 }
    package let pushes = Member<UInt64>("The number of pushes to this namespace.") { UInt64($0.record.pushes) }
    package let remote = Member<String> { $0.record.remoteAddress }
    package let state = Member<String>(.words(["open", "closed"])) { $0.record.closedAt == nil ? "open" : "closed" }
    package let streams = Member<UInt64>("The number of requests, including those to other namespaces.") {
        UInt64($0.record.streams)
    }
    package let tls = Member<APIObject<TLSShape>?> { TLSShape.object($0.record) }
}

package final class ConnectionPageShape: Shape {
    package typealias Source = (
        connections: [ConnectionRecord], context: PushContext, matched: Int, open: Int, total: UInt64
    )
    package static let definition = Definition(ConnectionPageShape(), "ConnectionPage")
    package let connections = Member<[APIObject<ConnectionShape>]> { page in
        page.connections.map { APIObject(($0, page.context)) }
    }
    package let matched = Member<Int> { $0.matched }
    package let open = Member<Int> { $0.open }
    package let total = Member<UInt64> { $0.total }
}

/// The result of a TLS handshake.
package final class TLSShape: Shape {
    package typealias Source = (connection: ConnectionRecord, version: String)
    package static let definition = Definition(TLSShape(), "TLS")
    package let alpn = Member<String?> { $0.connection.applicationProtocol }
    package let clientCertificate = Member<APIObject<ClientCertificateShape>?> { tls in
        tls.connection.clientCertificate.map { APIObject(JudgedCertificate($0, in: tls.connection.environment)) }
    }
    package let sni = Member<String?> { $0.connection.serverName }
    package let version = Member<String> { $0.version }

    /// `nil` for clear text, and if there was no handshake.
    static func object(_ connection: ConnectionRecord) -> APIObject<TLSShape>? {
        connection.tlsVersion.map { APIObject((connection, $0)) }
    }
}

/// A certificate, and whether it authenticates.
package struct JudgedCertificate {
    let certificate: ClientCertificate
    let problem: String?

    /// A certificate that a client has shown in an environment; `nil` for an issued one.
    package init(_ certificate: ClientCertificate, in environment: Environment?) {
        self.certificate = certificate
        problem = certificate.problem(in: environment ?? certificate.environments.first ?? .sandbox)
    }

    /// A time in seconds; `nil` for one outside the calendar.
    fileprivate func time(_ seconds: Int64?) -> String? {
        guard let seconds, (0...Int64(Timestamp.lastWritableSecond)).contains(seconds) else { return nil }
        return Timestamp(seconds: seconds).rfc3339
    }
}

package final class ClientCertificateShape: Shape {
    package typealias Source = JudgedCertificate
    package static let definition = Definition(ClientCertificateShape(), "ClientCertificate")
    package let authenticated = Member<Bool>("Whether it replaces a provider token.") { $0.problem == nil }
    package let environments = Member<[String]>(.environment) {
        Environment.allCases.filter($0.certificate.environments.contains).map(\.rawValue)
    }
    package let issuer = Member<String> { $0.certificate.issuer }
    package let notAfter = Member<String?>(.time) { $0.time($0.certificate.notAfter) }
    package let notBefore = Member<String?>(.time) { $0.time($0.certificate.notBefore) }
    package let onlyTopic = Member<String?>("The topic of pushes without apns-topic; null if there are several.") {
        $0.certificate.onlyTopic
    }
    package let problem = Member<String?>("Why it does not authenticate.") { $0.problem }
    package let serial = Member<String>("In hexadecimal digits.") { $0.certificate.serial }
    package let standing = Member<String>(.certificateStanding) { $0.certificate.standing.rawValue }
    package let subject = Member<String>("In the form of RFC 2253.") { $0.certificate.subject }
    package let topics = Member<[String]> { $0.certificate.topics.sorted() }
}

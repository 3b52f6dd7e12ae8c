package final class ConnectionShape: Shape {
    package static let definition = Definition(ConnectionShape(), "Connection")
    package let closeCode = Member<String?>()
    package let closeDetail = Member<String?>()
    package let closeHint = Member<String?>()
    package let closedAt = Member<String?>(.time)
    package let environment = Member<String>(.environment)
    package let goAwayCode = Member<String?>()
    package let goAways = Member<UInt64>()
    package let id = Member<String>()
    package let interface = Member<String>(.interface)
    package let lints = Member<[APIObject<LintShape>]>("Warnings about the connection as a whole, each once.")
    package let openedAt = Member<String>(.time)
    package let pushes = Member<UInt64>("The number of pushes to this namespace.")
    package let remote = Member<String>()
    package let state = Member<String>(.words(["open", "closed"]))
    package let streams = Member<UInt64>("The number of requests, including those to other namespaces.")
    package let tls = Member<APIObject<TLSShape>?>()
}

package final class ConnectionPageShape: Shape {
    package static let definition = Definition(ConnectionPageShape(), "ConnectionPage")
    package let connections = Member<[APIObject<ConnectionShape>]>()
    package let matched = Member<Int>()
    package let open = Member<Int>()
    package let total = Member<UInt64>()
}

package final class TLSShape: Shape {
    package static let definition = Definition(TLSShape(), "TLS")
    package let alpn = Member<String?>()
    package let clientCertificate = Member<APIObject<ClientCertificateShape>?>()
    package let sni = Member<String?>()
    package let version = Member<String>()
}

package final class ClientCertificateShape: Shape {
    package static let definition = Definition(ClientCertificateShape(), "ClientCertificate")
    package let authenticated = Member<Bool>("Whether it replaces a provider token.")
    package let environments = Member<[String]>(.environment)
    package let issuer = Member<String>()
    package let notAfter = Member<String?>(.time)
    package let notBefore = Member<String?>(.time)
    package let onlyTopic = Member<String?>("The topic of pushes without apns-topic; null if there are several.")
    package let problem = Member<String?>("Why it does not authenticate.")
    package let serial = Member<String>("In hexadecimal digits.")
    package let standing = Member<String>(.certificateStanding)
    package let subject = Member<String>("In the form of RFC 2253.")
    package let topics = Member<[String]>()
}

internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A connection as the API shows it, and the parts of it that a push shows.
enum ConnectionShape {
    /// What was agreed on in the TLS handshake; `null` for clear text, and where there was no handshake.
    static func tls(_ connection: ConnectionRecord) -> JSONValue {
        guard let version = connection.tlsVersion else { return .null }
        return [
            "version": .string(version),
            "alpn": JSONValue(connection.applicationProtocol),
            "sni": JSONValue(connection.serverName),
            "clientCertificate": connection.clientCertificate.map {
                ClientCertificateShape($0, at: connection.openedAt).json
            } ?? .null,
        ]
    }

    /// The whole connection.
    static func json(_ connection: ConnectionRecord) -> JSONValue {
        [
            "id": .string(ConnectionID(connection.id).text),
            "state": .string(connection.closedAt == nil ? "open" : "closed"),
            "remote": .string(connection.remoteAddress),
            "environment": .string(connection.environment.name),
            "openedAt": .string(connection.openedAt.rfc3339),
            "closedAt": JSONValue(connection.closedAt?.rfc3339),
            "closeCode": JSONValue(connection.closeCode),
            "closeDetail": JSONValue(connection.closeDetail),
            "closeHint": JSONValue(connection.closeHint),
            "tls": tls(connection),
            "pushes": JSONValue(connection.pushes),
            "streams": JSONValue(connection.streams),
            "goAways": JSONValue(connection.goAways),
            "goAwayCode": JSONValue(connection.goAwayCode.map(goAwayName)),
        ]
    }

    /// The registered name of an error code; the number of one that has none.
    static func goAwayName(_ code: UInt32) -> String {
        HTTP2Code(rawValue: code)?.name ?? String(code)
    }
}

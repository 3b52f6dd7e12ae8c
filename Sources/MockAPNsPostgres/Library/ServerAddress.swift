internal import CMockAPNsPostgres
internal import MockAPNsLog

/// A database URL, which may list several servers.
struct ServerAddress: Sendable {
    /// The URL; it may contain a password, so it is never shown.
    let url: String
    /// The servers, in the order of the URL.
    let hosts: [Host]
    /// The timeout for connecting to a server, in seconds.
    let connectTimeout: Double
    /// The servers and the database, without user and password, for messages.
    let place: String
    /// Ends the calls of all connections to this address.
    let interruption = Interruption()

    /// A server in the URL; `nil` for each part that the URL leaves out.
    struct Host: Sendable {
        var name: String?
        var address: String?
        var port: String?
    }

    /// Parses a URL `postgres://…` or `postgresql://…` with libpq.
    init(_ url: String) throws(StoreError) {
        self.url = url
        guard mock_apns_load_libpq() == 1 else {
            let fix = "install libpq 14 or newer (Debian: libpq5, Homebrew: libpq)"
            throw StoreError(.failed, "PostgreSQL's client library is missing: \(fix)")
        }
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://"),
            // libpq's message may quote a part of the password, so it is dropped.
            let options = PQconninfoParse(url, nil)
        else {
            let expected = "expected postgresql://user@host:port/database"
            let fix = "write special characters as % and two hex digits"
            throw StoreError(.noAccess, "invalid PostgreSQL URL: \(expected); \(fix)")
        }
        defer { PQconninfoFree(options) }
        var values: [String: String] = [:]
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        hosts = Self.hosts(values)
        connectTimeout = values["connect_timeout"].flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? 2
        let servers = hosts.map { host in
            let name = host.name ?? host.address ?? ""
            return host.port.map { "\(name):\($0)" } ?? name
        }
        place = "postgresql://\(servers.joined(separator: ","))/\(values["dbname"] ?? "")"
    }

    /// The port of a server that has none in a URL of several.
    private static let standardPort = "5432"

    private static func hosts(_ values: [String: String]) -> [Host] {
        func list(_ keyword: String) -> [String] {
            values[keyword]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
        }
        let names = list("host")
        let addresses = list("hostaddr")
        let ports = list("port")
        return (0..<max(1, names.count, addresses.count)).map { index in
            func value(_ list: [String]) -> String? {
                guard index < list.count, !list[index].isEmpty else { return nil }
                return list[index]
            }
            // A single port applies to all servers. Of several, libpq reports an empty one for a server without a port; the
            // URL still has them all, so each connection must name its own.
            let port = ports.count > 1 ? value(ports) ?? standardPort : ports.first.flatMap { $0.isEmpty ? nil : $0 }
            return Host(name: value(names), address: value(addresses), port: port)
        }
    }

    /// The connection parameters for a server.
    ///
    /// The URL overrides those before `dbname`; those after it override the URL.
    func parameters(_ host: Host, timeout: Double) -> [(keyword: String, value: String)] {
        var parameters = [
            ("application_name", "mock-apns"), ("target_session_attrs", "read-write"), ("keepalives", "1"),
            ("keepalives_idle", "5"), ("keepalives_interval", "1"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "\(Int(timeout * 1_000))"), ("dbname", url), ("client_encoding", "UTF8"),
        ]
        if let name = host.name { parameters.append(("host", name)) }
        if let address = host.address { parameters.append(("hostaddr", address)) }
        if let port = host.port { parameters.append(("port", port)) }
        return parameters
    }
}

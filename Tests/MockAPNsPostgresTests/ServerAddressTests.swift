import Testing

@testable import MockAPNsPostgres

struct ServerAddressTests {
    /// URLs, and the host and the port of each connection; no port is that of the URL.
    static let addresses: [(url: String, servers: [String])] = [
        ("postgres://u@a/db", ["a"]), ("postgres://u@a:6000/db", ["a:6000"]),
        ("postgres://u@a,b/db?target_session_attrs=read-write", ["a:5432", "b:5432"]),
        ("postgres://u@a:6000,b/db", ["a:6000", "b:5432"]),
        ("postgres://u@a:6000,b:6001,c:6002/db", ["a:6000", "b:6001", "c:6002"]),
        ("postgres:///db?host=a,b&port=6000", ["a:6000", "b:6000"]),
    ]

    @Test(arguments: addresses) func `each connection is to one server of the URL`(
        url: String, servers: [String]
    ) throws {
        let address = try ServerAddress(url)
        let seen = address.hosts.map { host in
            let values = Dictionary(uniqueKeysWithValues: address.parameters(host, timeout: 1))
            return [values["host"], values["port"]].compactMap(\.self).joined(separator: ":")
        }
        #expect(seen == servers)
    }
}

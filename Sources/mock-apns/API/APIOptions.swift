internal import ArgumentParser
internal import MockAPNsInspector

/// The options of every command that sends requests to a running server.
struct APIOptions: ParsableArguments {
    /// The options with an environment variable that `serve` does not have.
    static let names = ["api", "ns"]

    @Option(
        help: .value("url", "The URL of the debug API; also MOCK_APNS_API. (default: the address of serve)")
    )
    var api: String?

    @Option(help: .value("token", "The token of serve --api-token; better as MOCK_APNS_API_TOKEN."))
    var apiToken: String?

    @Option(help: .value("name", "The namespace; also MOCK_APNS_NS. (default: default)"))
    var ns: String?

    func client(environment: [String: String] = SystemFacts.environment) throws -> APIClient {
        var reader = OptionReader(environment: environment)
        let token = try reader.optional("api-token", apiToken, isSecret: true, parse: Self.token)
        let namespace = try reader.text("ns", ns)
        return APIClient(
            address: try address(environment: environment),
            token: token,
            namespace: namespace
        )
    }

    /// The address of the server: from the option, the variable, or where `serve` listens with these variables.
    func address(environment: [String: String] = SystemFacts.environment) throws -> APIAddress {
        var reader = OptionReader(environment: environment)
        return try reader.optional("api", api) { try APIAddress(parsing: $0) }
            ?? reader.value("api-listen", nil, default: APIAddress.standard) { try APIAddress(parsing: $0) }
    }

    static func token(_ text: String) throws -> String {
        guard Inspector.Access.isToken(text) else {
            throw OptionReader.Expected(Inspector.Access.expectedToken)
        }
        return text
    }
}

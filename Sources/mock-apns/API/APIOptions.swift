internal import ArgumentParser
internal import MockAPNsInspector

/// The options of every command that asks a running server: where it is, and what it wants to see.
struct APIOptions: ParsableArguments {
    /// The names of the options that have an environment variable and that `serve` does not know.
    static let names = ["api", "ns"]

    @Option(
        help: ArgumentHelp(
            "The server's debug API; also MOCK_APNS_API. (default: where serve listens)",
            valueName: "url"
        )
    )
    var api: String?

    @Option(
        help: ArgumentHelp(
            "The token of serve --api-token; better as MOCK_APNS_API_TOKEN.",
            valueName: "token"
        )
    )
    var apiToken: String?

    @Option(
        help: ArgumentHelp(
            "The namespace to ask about; also MOCK_APNS_NS. (default: default)",
            valueName: "name"
        )
    )
    var ns: String?

    /// What asks the server.
    func client(environment: [String: String] = SystemFacts.environment) throws -> APIClient {
        var settings = Settings(environment: environment)
        let token = try settings.optional("api-token", flag: apiToken, isSecret: true) { text in
            guard Inspector.Access.isToken(text) else {
                throw Settings.Expected(Inspector.Access.expectedToken)
            }
            return text
        }
        let namespace = try settings.optional("ns", flag: ns) { $0 }
        return APIClient(
            address: try address(environment: environment),
            token: token,
            namespace: namespace
        )
    }

    /// Finds the server: by the flag, by the variable, or where `serve` would listen with these variables.
    func address(environment: [String: String] = SystemFacts.environment) throws -> APIAddress {
        var settings = Settings(environment: environment)
        let named = try settings.optional("api", flag: api) { try APIAddress(parsing: $0) }
        if let named { return named }
        return try settings.value("api-listen", flag: nil, default: APIAddress.standard) {
            try APIAddress(parsing: $0)
        }
    }
}

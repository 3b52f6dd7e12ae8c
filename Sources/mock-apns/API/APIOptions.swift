internal import ArgumentParser

/// The option of every command that asks a running server: where it is.
struct APIOptions: ParsableArguments {
    /// The names of the options that have an environment variable and that `serve` does not know.
    static let names = ["api"]

    @Option(
        help: ArgumentHelp(
            "The server's debug API; also MOCK_APNS_API. (default: where serve listens)",
            valueName: "url"
        )
    )
    var api: String?

    /// What asks the server.
    func client(environment: [String: String] = SystemFacts.environment) throws -> APIClient {
        APIClient(address: try address(environment: environment))
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

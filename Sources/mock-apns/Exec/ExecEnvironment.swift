internal import MockAPNs

/// The environment of the command that `exec` runs.
struct ExecEnvironment {
    let listeners: [MockAPNsServer.Listener]
    let notice: ReadyNotice
    let certificates: String
    let apiToken: String?

    /// The environment with these variables in place of any of the same name.
    func added(to environment: [String: String]) -> [String: String] {
        var environment = environment
        func set(_ variable: ExecVariable, _ value: String?) { environment[variable.rawValue] = value }
        if let address = (listeners.first(where: \.address.isSecure) ?? listeners.first)?.address {
            let host = APIAddress.reachable(address.host)
            let scheme = address.isSecure ? "https" : "http"
            set(.host, host)
            set(.port, "\(address.port)")
            set(.url, "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(address.port)")
        }
        let api = (try? APIAddress(parsing: notice.apiURL))?.url ?? notice.apiURL
        set(.apiURL, api)
        set(.authority, notice.authorityPath)
        set(.keyFile, notice.developmentKey?.path)
        set(.keyID, notice.developmentKey?.keyID)
        set(.teamID, notice.developmentKey?.teamID)
        // The command can run mock-apns verify, token and so on without options.
        environment[OptionReader.variable(for: "api")] = api
        environment[OptionReader.variable(for: "certs-dir")] = certificates
        environment[OptionReader.variable(for: "api-token")] = apiToken
        return environment
    }
}

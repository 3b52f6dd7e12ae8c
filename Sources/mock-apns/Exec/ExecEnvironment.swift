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
            let host = Self.reachable(address.host)
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
        environment[Settings.variable(for: "api")] = api
        environment[Settings.variable(for: "certs-dir")] = certificates
        environment[Settings.variable(for: "api-token")] = apiToken
        return environment
    }

    /// An address to connect to in place of one that means all interfaces.
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}

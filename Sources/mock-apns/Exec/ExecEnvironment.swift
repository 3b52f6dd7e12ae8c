internal import MockAPNs

/// What the command that `exec` runs finds in its environment.
///
/// None of the names is one that Kubernetes sets for a service called mock-apns.
struct ExecEnvironment {
    /// The host and port of pushes, and both as a URL.
    static let host = "MOCK_APNS_HOST"
    static let port = "MOCK_APNS_APNS_PORT"
    static let url = "MOCK_APNS_URL"
    /// The debug API.
    static let apiURL = "MOCK_APNS_API_URL"
    /// What to trust; not set when no authority is known for a certificate of the user's own.
    static let authority = "MOCK_APNS_CA_FILE"
    /// What to sign provider tokens with.
    static let keyFile = "MOCK_APNS_KEY_FILE"
    static let keyID = "MOCK_APNS_KEY_ID"
    static let teamID = "MOCK_APNS_TEAM_ID"

    /// The variables that are no options of this program.
    static let names = [host, port, url, apiURL, authority, keyFile, keyID, teamID]

    let listeners: [MockAPNsServer.Listener]
    let notice: ReadyNotice
    let certificates: String
    /// What the debug API wants to see; `nil` when it wants nothing.
    let apiToken: String?

    /// The environment with these variables in place of any of the same name.
    func added(to environment: [String: String]) -> [String: String] {
        var environment = environment
        let listener = listeners.first(where: \.address.isSecure) ?? listeners.first
        if let listener {
            let host = Self.reachable(listener.address.host)
            let name = host.contains(":") ? "[\(host)]" : host
            let scheme = listener.address.isSecure ? "https" : "http"
            environment[Self.host] = host
            environment[Self.port] = "\(listener.address.port)"
            environment[Self.url] = "\(scheme)://\(name):\(listener.address.port)"
        }
        let api = (try? APIAddress(parsing: notice.apiURL))?.url ?? notice.apiURL
        environment[Self.apiURL] = api
        environment[Self.authority] = notice.authorityPath
        environment[Self.keyFile] = notice.developmentKey?.path
        environment[Self.keyID] = notice.developmentKey?.keyID
        environment[Self.teamID] = notice.developmentKey?.teamID
        // So that mock-apns verify, token and the like work in the command without a flag.
        environment[Settings.variable(for: "api")] = api
        environment[Settings.variable(for: "certs-dir")] = certificates
        environment[Settings.variable(for: "api-token")] = apiToken
        return environment
    }

    /// An address to connect to, for one that means "everywhere".
    private static func reachable(_ host: String) -> String {
        switch host {
        case "0.0.0.0", "": "127.0.0.1"
        case "::": "::1"
        default: host
        }
    }
}

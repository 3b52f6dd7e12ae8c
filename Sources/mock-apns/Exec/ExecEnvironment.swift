internal import MockAPNs
internal import MockAPNsClient
internal import MockAPNsInspector

/// The variables by which a command finds its server.
struct ExecEnvironment {
    /// Where pushes go.
    var address: ListenAddress?
    let apiURL: String
    /// The file of the certificate to trust.
    let authorityPath: String?
    let key: Inspector.Facts.Key?
    /// The directory of certificates, for commands of this program.
    var certificates: String?
    var apiToken: String?
    /// The namespace that commands of this program use.
    var namespace: String?

    /// The environment with these variables in place of any of the same name.
    func added(to environment: [String: String]) -> [String: String] {
        var environment = environment
        func set(_ variable: ExecVariable, _ value: String?) { environment[variable.rawValue] = value }
        if let address {
            let host = APIAddress.reachable(address.host)
            let scheme = address.isSecure ? "https" : "http"
            set(.host, host)
            set(.port, "\(address.port)")
            set(.url, "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(address.port)")
        }
        let api = (try? APIAddress(parsing: apiURL))?.url ?? apiURL
        set(.apiURL, api)
        set(.authority, authorityPath)
        set(.keyFile, key?.path)
        set(.keyID, key?.keyID)
        set(.teamID, key?.teamID)
        // The command can run mock-apns verify, token and so on without options.
        environment[OptionReader.variable(for: "api")] = api
        environment[OptionReader.variable(for: "certs-dir")] = certificates
        environment[OptionReader.variable(for: "api-token")] = apiToken
        if let namespace { environment[OptionReader.variable(for: "ns")] = namespace }
        return environment
    }
}

extension ExecEnvironment {
    /// The variables for a server in this process: the first address with TLS, or else the first.
    init(listeners: [BoundListener], notice: ReadyNotice, certificates: String, apiToken: String?) {
        self.init(
            address: (listeners.first(where: \.address.isSecure) ?? listeners.first)?.address, apiURL: notice.apiURL,
            authorityPath: notice.authorityPath, key: notice.developmentKey, certificates: certificates,
            apiToken: apiToken)
    }
}

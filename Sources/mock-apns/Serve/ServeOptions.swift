internal import ArgumentParser

/// The flags of `serve`.
///
/// Values are texts here: `ServeSettings` reads them, whether they come from a flag or the environment.
struct ServeOptions: ParsableArguments {
    @Option(
        help: .value(
            "address",
            "The address for pushes; repeatable. (default: 127.0.0.1:2197; with exec, a free port)",
            discussion: "h2c://host:port is without TLS; add ?environment=production for that environment."
        )
    )
    var apnsListen: [String] = []

    @Option(
        help: .value(
            "address",
            "The address of the debug API. (default: 127.0.0.1:8197; with exec, a free port)"
        )
    )
    var apiListen: String?

    @Option(
        help: .value(
            "dir",
            "The directory of certificates and the development key. (default: certs; with exec, a temporary one)"
        )
    )
    var certsDir: String?

    @Option(help: .value("file", "Your own certificate chain, in PEM."))
    var tlsCert: String?

    @Option(help: .value("file", "The private key of --tls-cert, in PEM."))
    var tlsKey: String?

    @Option(help: .value("file", "The CA certificate of --tls-cert, in PEM. (default: its self-signed one)"))
    var tlsCa: String?

    @Option(help: .value("name", "An additional host name or address for the certificate; repeatable."))
    var tlsSan: [String] = []

    @Option(help: .value("file", "Also write the CA certificate to this file."))
    var caOut: String?

    @Option(help: .value("key", "A provider's key: \(KeyArgument.form); repeatable."))
    var key: [String] = []

    @Option(help: .value("mode", "Check provider tokens: verify, wellformed or any. (default: verify)"))
    var auth: String?

    @Option(
        help: .value(
            "response",
            "Unknown device tokens: accept or reject. (default: accept)",
            discussion:
                "accept creates a device for each; reject accepts those of --devices and the API only."
        )
    )
    var unknownTokens: String?

    @Flag(help: "Be as strict as possible, and reject unregistered device tokens.")
    var strict = false

    @Option(
        help: .value(
            "preset",
            "A fault from the start and after each reset, as preset:name=value,...; repeatable.",
            discussion: "mock-apns faults preset and mock-apns reference list the presets."
        )
    )
    var fault: [String] = []

    @Option(
        help: .value(
            "file",
            "Devices at the start and after each reset, as JSON.",
            discussion: #"[{"label":"alice","registrations":[{"topic":"com.example.app"}]}]"#
        ),
        completion: .json
    )
    var devices: String?

    @Option(
        help: .value(
            "when",
            "When an uninstalled app is detected: immediate or delayed. (default: immediate)",
            discussion: "With delayed, the first push afterwards gets 200, as in the real service."
        )
    )
    var uninstallDetection: String?

    @Option(help: .value("duration", "How long until the tokens of an offline device expire. (default: 30d)"))
    var inactiveAfter: String?

    @Option(help: .value("time", "Freeze the clock at a time, as 2030-01-01T00:00:00Z. (default: real time)"))
    var clock: String?

    @Option(help: .value("n", "The number of event loops. (default: up to 4, one per processor)"))
    var threads: String?

    @Option(help: .value("n", "The maximum number of stored pushes. (default: 10000)"))
    var maxPushes: String?

    @Option(help: .value("n", "The maximum size of stored pushes, in bytes. (default: 67108864)"))
    var maxBytes: String?

    @Option(
        help: .value(
            "n",
            "The maximum number of connections; more are closed. (default: 3/4 of the open files)"
        )
    )
    var maxConnections: String?

    @Option(help: .value("n", "A seed that makes generated ids repeatable."))
    var seed: String?

    @Option(help: .value("rate", "Respond 429 TooManyRequests over this rate per device, as 10/1s."))
    var deviceRate: String?

    @Option(help: .value("n", "Close a connection after this many errors in a row. (default: 0, never)"))
    var errorLimit: String?

    @Option(help: .value("duration", "The minimum time between provider tokens. (default: 20m)"))
    var tokenUpdateInterval: String?

    @Option(help: .value("n", "The maximum number of streams per connection. (default: 1000)"))
    var streams: String?

    @Option(help: .value("n", "The maximum before the first valid provider token. (default: 1)"))
    var streamsBeforeAuth: String?

    @Option(help: .value("duration", "Close connections without requests after this time. (default: never)"))
    var idleTimeout: String?

    @Option(
        help: .value(
            "name=value",
            "A choice where the behavior of APNs is not certain; repeatable.",
            discussion: "mock-apns reference lists the choices."
        )
    )
    var behavior: [String] = []

    @Option(
        help: .value(
            "checks",
            "Do these checks in this order, as path,provider-token-present.",
            discussion: "mock-apns reference lists the checks."
        )
    )
    var checkOrder: String?

    @Option(help: .value("file", "Write addresses and paths to this file, as JSON, when ready."))
    var readyFile: String?

    @Option(help: .value("n", "Also write the ready line to this file descriptor."))
    var readyFd: String?

    @Option(help: .value("name", "An additional host name for the debug API; repeatable."))
    var allowedHost: [String] = []

    @Option(
        help: .value(
            "token",
            "The token for the debug API; better as MOCK_APNS_API_TOKEN, as flags are visible."
        )
    )
    var apiToken: String?

    @Option(help: .value("origin", "An origin for the debug API, as http://localhost:3000; repeatable."))
    var apiCors: [String] = []

    @Flag(help: "Let POST /api/v1/shutdown stop the server.")
    var allowShutdown = false

    @Flag(help: "Serve the debug API without the inspector's page.")
    var noUi = false

    @Option(help: .value("text", "A name for this server: in the page's title, the log and /api/v1/info."))
    var label: String?

    @Flag(help: "Print only errors to standard error.")
    var quiet = false
}

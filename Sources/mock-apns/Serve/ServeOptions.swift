internal import ArgumentParser

/// The flags of `serve`.
///
/// Each is a text here: values are read in one place, whatever their source.
struct ServeOptions: ParsableArguments {
    /// The names of all options, which make the names of their environment variables.
    static let names = [
        "apns-listen", "api-listen", "certs-dir", "tls-cert", "tls-key", "tls-ca", "tls-san", "ca-out", "key",
        "auth",
        "unknown-tokens", "strict", "devices", "uninstall-detection", "inactive-after", "clock", "fault",
        "threads",
        "max-pushes", "max-bytes", "max-connections", "seed", "device-rate",
        "error-limit", "token-update-interval", "streams", "streams-before-auth", "idle-timeout", "behavior",
        "check-order",
        "ready-file", "ready-fd", "allowed-host", "api-token", "api-cors", "allow-shutdown", "no-ui",
        "label", "quiet",
    ]

    @Option(
        help: ArgumentHelp(
            "Where to listen for pushes; repeatable. (default: 127.0.0.1:2197)",
            discussion: "h2c://host:port for clear text; ?environment=production behind it for that service.",
            valueName: "address"
        )
    )
    var apnsListen: [String] = []

    @Option(
        help: ArgumentHelp(
            "Where to listen for the debug API. (default: 127.0.0.1:8197)",
            valueName: "address"
        )
    )
    var apiListen: String?

    @Option(
        help: ArgumentHelp(
            "Where certificates and the development key are kept. (default: certs)",
            valueName: "dir"
        )
    )
    var certsDir: String?

    @Option(help: ArgumentHelp("Your own certificate chain, in PEM.", valueName: "file"))
    var tlsCert: String?

    @Option(help: ArgumentHelp("The private key of --tls-cert, in PEM.", valueName: "file"))
    var tlsKey: String?

    @Option(
        help: ArgumentHelp(
            "The CA certificate that clients need for --tls-cert, in PEM. (default: a self-signed one in --tls-cert)",
            valueName: "file"
        )
    )
    var tlsCa: String?

    @Option(
        help: ArgumentHelp("Another host name or address for the certificate; repeatable.", valueName: "name")
    )
    var tlsSan: [String] = []

    @Option(help: ArgumentHelp("Also write the CA certificate to this file.", valueName: "file"))
    var caOut: String?

    @Option(
        help: ArgumentHelp(
            "A provider's key: path[,keyId,teamId[,topic+topic...][,sandbox|production]]; repeatable.",
            valueName: "key"
        )
    )
    var key: [String] = []

    @Option(
        help: ArgumentHelp(
            "How provider tokens are looked at: verify, wellformed or any. (default: verify)",
            valueName: "mode"
        )
    )
    var auth: String?

    @Option(
        help: ArgumentHelp(
            "Device tokens that nobody registered: accept or reject. (default: accept)",
            discussion: "accept makes a device for each; reject knows those of --devices and the API alone.",
            valueName: "answer"
        )
    )
    var unknownTokens: String?

    @Flag(
        help: ArgumentHelp(
            "Turn every leniency off.",
            discussion: "Device tokens are refused unless --devices or the API registered them."
        )
    )
    var strict = false

    @Option(
        help: ArgumentHelp(
            "What goes wrong from the start and again after a reset, as preset:name=value,...; repeatable.",
            discussion: "mock-apns faults preset lists them, and so does mock-apns reference.",
            valueName: "preset"
        )
    )
    var fault: [String] = []

    @Option(
        help: ArgumentHelp(
            "Devices that are there at the start and after a reset, as JSON.",
            discussion: #"[{"label":"alice","registrations":[{"topic":"com.example.app"}]}]"#,
            valueName: "file"
        ),
        completion: .file(extensions: ["json"])
    )
    var devices: String?

    @Option(
        help: ArgumentHelp(
            "When an uninstalled app is known: immediate or delayed. (default: immediate)",
            discussion: "delayed answers the first push after it 200, as the real service does.",
            valueName: "when"
        )
    )
    var uninstallDetection: String?

    @Option(
        help: ArgumentHelp(
            "How long a device may be offline before its tokens are given up. (default: 30d)",
            valueName: "duration"
        )
    )
    var inactiveAfter: String?

    @Option(
        help: ArgumentHelp(
            "Start with a clock that stands at this time, as 2030-01-01T00:00:00Z. (default: it runs)",
            valueName: "time"
        )
    )
    var clock: String?

    @Option(help: ArgumentHelp("Event loops. (default: up to 4, one per processor)", valueName: "n"))
    var threads: String?

    @Option(help: ArgumentHelp("The most pushes kept. (default: 10000)", valueName: "n"))
    var maxPushes: String?

    @Option(help: ArgumentHelp("The most bytes of pushes kept. (default: 67108864)", valueName: "n"))
    var maxBytes: String?

    @Option(
        help: ArgumentHelp(
            "The most connections at a time; more are closed. (default: 3/4 of the open files allowed)",
            discussion: "The limit of open files (ulimit -n) is raised as far as the system allows.",
            valueName: "n"
        )
    )
    var maxConnections: String?

    @Option(help: ArgumentHelp("Makes generated ids repeatable.", valueName: "n"))
    var seed: String?

    @Option(
        help: ArgumentHelp(
            "Answer 429 TooManyRequests over this rate per device, as 10/1s. (default: none)",
            valueName: "rate"
        )
    )
    var deviceRate: String?

    @Option(
        help: ArgumentHelp(
            "End a connection after so many errors in a row; 0 for never. (default: 0)",
            valueName: "n"
        )
    )
    var errorLimit: String?

    @Option(
        help: ArgumentHelp(
            "The shortest time between provider tokens; 0 for none. (default: 20m)",
            valueName: "duration"
        )
    )
    var tokenUpdateInterval: String?

    @Option(help: ArgumentHelp("Streams a connection may have. (default: 1000)", valueName: "n"))
    var streams: String?

    @Option(help: ArgumentHelp("Streams before the first valid provider token. (default: 1)", valueName: "n"))
    var streamsBeforeAuth: String?

    @Option(
        help: ArgumentHelp(
            "End connections without requests after this time. (default: never)",
            valueName: "duration"
        )
    )
    var idleTimeout: String?

    @Option(
        help: ArgumentHelp(
            "A choice where APNs is not known for certain, as name=value; repeatable.",
            discussion: "mock-apns reference lists them.",
            valueName: "name=value"
        )
    )
    var behavior: [String] = []

    @Option(
        help: ArgumentHelp(
            "Put the named checks into this order, as path,provider-token-present.",
            discussion: "mock-apns reference lists them.",
            valueName: "checks"
        )
    )
    var checkOrder: String?

    @Option(
        help: ArgumentHelp("Write addresses and paths to this file, as JSON, when ready.", valueName: "file")
    )
    var readyFile: String?

    @Option(help: ArgumentHelp("Write the ready line to this file descriptor too.", valueName: "n"))
    var readyFd: String?

    @Option(
        help: ArgumentHelp(
            "Another host name that the debug API may be called by; repeatable.",
            valueName: "name"
        )
    )
    var allowedHost: [String] = []

    @Option(
        help: ArgumentHelp(
            "Answer the debug API only to who shows this token.",
            discussion:
                "Better as MOCK_APNS_API_TOKEN: everybody on the machine sees the flags of a process.",
            valueName: "token"
        )
    )
    var apiToken: String?

    @Option(
        help: ArgumentHelp(
            "An origin whose pages may use the debug API, as http://localhost:3000; repeatable.",
            valueName: "origin"
        )
    )
    var apiCors: [String] = []

    @Flag(help: "Let POST /api/v1/shutdown stop the server.")
    var allowShutdown = false

    @Flag(help: "Serve the debug API without the inspector's page.")
    var noUi = false

    @Option(
        help: ArgumentHelp(
            "What tells this server from others: in the page's title, in the log and in /api/v1/info.",
            valueName: "text"
        )
    )
    var label: String?

    @Flag(help: "Say nothing on standard error but errors.")
    var quiet = false
}

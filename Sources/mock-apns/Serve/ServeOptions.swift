internal import ArgumentParser

/// The flags of `serve`, as texts: `ServeSettings` reads them by name, from the flag or the environment.
struct ServeOptions: ParsableArguments {
    @Option(
        "address", "The address for pushes; repeatable. (default: 127.0.0.1:2197; with exec, a free port)",
        discussion: "h2c://host:port is without TLS; add ?environment=production for that environment.") var apnsListen:
        [String] = []

    @Option(
        "address", "An address for the old binary interface; repeatable. (default: none)",
        discussion: "With TLS and a client certificate. Apple's port was 2195; add ?environment=production.")
    var gatewayListen: [String] = []

    @Option("address", "An address for its feedback service, once port 2196; repeatable. (default: none)")
    var feedbackListen: [String] = []

    @Option(
        "address", "An address for channel management only; repeatable.",
        discussion: "Port 2196 is for production, as Apple's, unless ?environment says otherwise.") var manageListen:
        [String] = []

    @Option("address", "The address of the debug API. (default: 127.0.0.1:8197; with exec, a free port)") var apiListen:
        String?

    @Option(
        "dir", "The directory of certificates and the development key. (default: certs; with exec, a temporary one)")
    var certsDir: String?

    @Option("file", "Your own certificate chain, in PEM.") var tlsCert: String?

    @Option("file", "The private key of --tls-cert, in PEM.") var tlsKey: String?

    @Option("file", "The CA certificate of --tls-cert, in PEM. (default: the self-signed one in --tls-cert)") var tlsCa:
        String?

    @Option("name", "An additional host name or address for the certificate; repeatable.") var tlsSan: [String] = []

    @Option("file", "Also write the CA certificate to this file.") var caOut: String?

    @Option(
        "mode", "Client certificates that authenticate: issued, any or ignore. (default: issued)",
        discussion: "issued accepts those of mock-apns certs issue and of --client-ca.") var clientCertificates: String?

    @Option("file", "An authority whose client certificates authenticate, in PEM; repeatable.") var clientCa: [String] =
        []

    @Option("key", "A provider's key: \(KeyArgument.form); repeatable.") var key: [String] = []

    @Option("mode", "Check provider tokens: verify, wellformed or any. (default: verify)") var auth: String?

    @Option(
        "response", "Unknown device tokens: accept or reject. (default: accept)",
        discussion: "accept creates a device for each; reject accepts those of --devices and the API only.")
    var unknownTokens: String?

    @Flag(help: "Be as strict as possible, and reject unregistered device tokens.") var strict = false

    @Option(
        "preset", "A fault from the start and after each reset, as preset:name=value,...; repeatable.",
        discussion: "mock-apns faults preset and mock-apns reference list the presets.") var fault: [String] = []

    @Option(
        "file", "Devices at the start and after each reset, as JSON.",
        discussion: #"[{"label":"alice","registrations":[{"topic":"com.example.app"}]}]"#, completion: .json)
    var devices: String?

    @Option(
        "schema", "A JSON Schema of an app, as topic:payload=file; repeatable.",
        discussion:
            "Also topic:content-state:TYPE=file and topic:attributes:TYPE=file; a push that does not fit gets a warning."
    ) var appSchema: [String] = []

    @Option(
        "when", "When an uninstalled app is detected: immediate, delayed or fuzzy. (default: immediate)",
        discussion: """
            With delayed, the first push afterwards gets 200. With fuzzy=1h..30d,seed=7, as in the real service, pushes \
            get 200 until a random time after the first one that reached the device.
            """) var uninstallDetection: String?

    @Option(
        "rotate=p", "How often iOS replaces the token of a Live Activity after an update. (default: rotate=0)",
        discussion: "As a probability: rotate=0.1. The old token gets 410; --seed makes it repeatable.")
    var activityTokens: String?

    @Option("n", "The maximum number of channels per app and environment. (default: 10000)") var channelLimit: String?

    @Option("bundle-id", "An app without the broadcast capability; repeatable.") var noBroadcastTopic: [String] = []

    @Option("duration", "How long until the tokens of an offline device expire. (default: 30d)") var inactiveAfter:
        String?

    @Option("time", "Freeze the clock at a time, as 2030-01-01T00:00:00Z. (default: real time)") var clock: String?

    @Option(
        "dir|url", "Keep the world in this directory, so that it survives the end of the server. (default: in memory)",
        discussion: "With postgresql://user@host/database, all servers with this URL are one world.") var data: String?

    @Option(
        "mode", "What --data DIR survives: normal or full. (default: normal)",
        discussion: "normal survives the end of the process, full also a power failure; full is slower.") var sync:
        String?

    @Option("duration", "Delete older pushes from --data, as 30d. (default: keep them)") var keep: String?

    @Option("n", "The maximum number of pushes in --data, as 10M. (default: no limit)") var keepPushes: String?

    @Option("size", "The maximum size of each database in --data, as 5GB. (default: no limit)") var keepBytes: String?

    @Option(
        "duration", "How long changes wait for the database of --data URL. (default: 2s)",
        discussion: "Then pushes get 503 ServiceUnavailable until it works again.") var dataTimeout: String?

    @Option("name", "The name of this server among those of --data URL. (default: the host's name)") var replicaName:
        String?

    @Option(
        "service", "Also send pushes to another service: sandbox, production or a URL. (default: none)",
        discussion: "The client's answer stays the mock's; records have both. See docs/forward.md.") var forward:
        String?

    @Option("key", "The key that signs forwarded pushes, as FILE,KEYID,TEAMID.") var forwardKey: String?

    @Option("file", "The client certificate for forwarded pushes, with its private key, in PEM.") var forwardCert:
        String?

    @Option("topic", "Forward only pushes with this topic; repeatable, and required by --forward.") var forwardTopic:
        [String] = []

    @Option("token", "Forward only pushes to this device token; repeatable. (default: all)") var forwardToken:
        [String] = []

    @Flag(help: "Also forward pushes that the mock rejected.") var forwardAll = false

    @Flag(help: "Also forward pushes of namespaces, such as those of tests.") var forwardNamespaces = false

    @Option("side", "Whose response clients of forwarded pushes get: mock or real. (default: mock)") var forwardAnswer:
        String?

    @Option("file", "The authority of --forward's certificate, in PEM. (default: the system's)") var forwardCa: String?

    @Option("n", "The number of event loops. (default: up to 4, one per processor)") var threads: String?

    @Option("n", "The maximum number of stored pushes. (default: 10000)") var maxPushes: String?

    @Option("n", "The maximum size of stored pushes, in bytes. (default: 67108864)") var maxBytes: String?

    @Option("n", "The maximum number of connections; more are closed. (default: 3/4 of the open files)")
    var maxConnections: String?

    @Option("n", "A seed that makes generated ids repeatable.") var seed: String?

    @Option("rate", "Respond 429 TooManyRequests over this rate per device, as 10/1s.") var deviceRate: String?

    @Option("rate", "Respond 429 TooManyRequests over this rate per channel, as 1/1s.") var channelRate: String?

    @Option("n", "Close a connection after this many errors in a row. (default: 0, never)") var errorLimit: String?

    @Option("duration", "The minimum time between provider tokens. (default: 20m)") var tokenUpdateInterval: String?

    @Option("n", "The maximum number of streams per connection. (default: 1000)") var streams: String?

    @Option("n", "The maximum before the first valid provider token. (default: 1)") var streamsBeforeAuth: String?

    @Option("duration", "Close connections without requests after this time. (default: never)") var idleTimeout: String?

    @Option(
        "name=value", "A choice where the behavior of APNs is not certain; repeatable.",
        discussion: "mock-apns reference lists the choices.") var behavior: [String] = []

    @Option(
        "checks", "Do these checks in this order, as path,provider-token-present.",
        discussion: "mock-apns reference lists the checks.") var checkOrder: String?

    @Option("file", "Write addresses and paths to this file, as JSON, when ready.") var readyFile: String?

    @Option("n", "Also write the ready line to this file descriptor.") var readyFd: String?

    @Option("name", "An additional host name for the debug API; repeatable.") var allowedHost: [String] = []

    @Option("token", "The token for the debug API; better as MOCK_APNS_API_TOKEN, as flags are visible.") var apiToken:
        String?

    @Option("origin", "An origin for the debug API, as http://localhost:3000; repeatable.") var apiCors: [String] = []

    @Flag(help: "Let POST /api/v1/shutdown stop the server.") var allowShutdown = false

    @Flag(help: "Serve the debug API without the inspector's page.") var noUi = false

    @Option("text", "A name for this server: in the page's title, the log and /api/v1/info.") var label: String?

    @Flag(help: "Print only errors to standard error.") var quiet = false
}

internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

struct ServeSettings {
    var configuration: Configuration
    var apiListen: ListenAddress
    var certificates: CertificateDirectory
    /// The files of the user's own certificate, with the certificate authority that clients need.
    var ownCertificate: (chain: String, key: String, authority: String?)?
    var additionalNames: [String]
    var authorityOut: String?
    var devicesFile: String?
    /// What keeps the worlds; `nil` keeps them in memory only.
    var data: DataPlace?
    /// Where pushes are forwarded to; `nil` keeps them here.
    var forward: ForwardSettings?
    var readyFile: String?
    var readyDescriptor: Int32?
    var allowedHosts: [String]
    var access: Inspector.Access
    var allowsShutdown: Bool
    var showsPage: Bool
    var isQuiet: Bool
    var facts: Inspector.Facts
    /// Whether the certificates are removed at the end.
    var isTemporary: Bool

    /// The options for the addresses of the binary interface.
    static let binaryOptions: [(name: String, interface: ProviderInterface)] = [
        ("gateway-listen", .gateway), ("feedback-listen", .feedback),
    ]

    /// Reads the options of `serve`, or those of `exec`, with free ports and a temporary directory by default.
    init(
        _ flags: ServeOptions, environment: [String: String], processors: Int = SystemFacts.processors,
        openFiles: Int = SystemFacts.openFileLimit, scratch: ScratchDirectory? = nil
    ) throws {
        var reader = OptionReader(flags, environment: environment)
        // A command of exec may start a server, and MOCK_APNS_BIN and MOCK_APNS_ATTACHMENTS are for the kits of tests.
        let others = ExecVariable.allCases.map(\.rawValue) + ["MOCK_APNS_BIN", "MOCK_APNS_ATTACHMENTS"]
        try reader.refuseUnknownVariables(known: ServeOptions.names + APIOptions.names, besides: others)

        var configuration = Configuration()
        configuration.onShortage = { Console.note($0) }
        let free = "127.0.0.1:0"
        let (apns, api) = scratch == nil ? ("127.0.0.1:2197", "127.0.0.1:8197") : (free, free)
        configuration.listeners = try reader.list("apns-listen", default: [apns]) { try ListenAddress(parsing: $0) }
        for (option, interface) in Self.binaryOptions {
            configuration.binaryListeners += try reader.list(option) { try ListenAddress(parsing: $0, for: interface) }
        }
        configuration.channelListeners = try reader.list("manage-listen") { text in
            var address = try ListenAddress(parsing: text)
            // Documented: Apple's ports are 2195 for the sandbox and 2196 for production.
            if address.port == 2_196, !text.contains("?") { address.environment = .production }
            return address
        }
        apiListen = try reader.value("api-listen", default: api) { text in
            // The scheme and parameters of an address for pushes do not apply.
            try OptionReader.check(!text.contains("://") && !text.contains("?"), "host:port")
            return try ListenAddress(parsing: text)
        }
        let directory = try reader.value("certs-dir", default: scratch?.path ?? "certs") {
            $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
        }
        certificates = CertificateDirectory(path: directory)
        isTemporary = directory == scratch?.path
        switch (try reader.text("tls-cert"), try reader.text("tls-key"), try reader.text("tls-ca")) {
        case (let chain?, let key?, let authority): ownCertificate = (chain, key, authority)
        case (nil, nil, nil): break
        case (nil, nil, _): throw CommandFailure(.badConfiguration, "--tls-ca needs --tls-cert and --tls-key")
        default: throw CommandFailure(.badConfiguration, "--tls-cert and --tls-key must be used together")
        }
        additionalNames = try reader.list("tls-san") { $0 }
        authorityOut = try reader.text("ca-out")
        try reader.choice("client-certificates", into: &configuration.clientCertificates.mode)
        configuration.clientCertificates.authorities = try reader.list("client-ca") {
            try AtomicFile.pem($0, option: "--client-ca")
        }
        configuration.keys = try reader.list("key") { try KeyArgument(parsing: $0) }.map { try $0.load() }

        try reader.read(into: &configuration.rules)
        _ = try reader.list("behavior") { try Self.choose($0, in: &configuration) }
        configuration.pipeline = try reader.optional("check-order", parse: Self.pipeline) ?? configuration.pipeline
        configuration.faults = try reader.list("fault", parse: FaultArgument.draft)
        devicesFile = try reader.text("devices")
        configuration.devices = try devicesFile.map(Self.devices(file:)) ?? []
        configuration.schemas = try Self.schemas(&reader)
        let uninstall = try reader.value("uninstall-detection", default: "immediate", parse: UninstallArgument.init)
        uninstall.apply(to: &configuration.deviceOptions)
        try reader.duration("inactive-after", allowsZero: false, into: &configuration.deviceOptions.inactiveAfter)
        try reader.activityTokens(into: &configuration.deviceOptions.activityTokenRotation)
        try reader.number("channel-limit", 0...100_000, into: &configuration.channelOptions.limit)
        configuration.channelOptions.appsWithoutBroadcast = Set(try reader.list("no-broadcast-topic") { $0 })
        configuration.clock = try reader.optional("clock") { text in
            let time = Timestamp(rfc3339: text).flatMap { Timestamp.writable.contains($0) ? $0 : nil }
            let expected = "a time in RFC 3339 from year 1 to 9999, such as 2030-01-01T00:00:00Z"
            return try OptionReader.require(time, expected)
        }
        configuration.threads = max(1, min(4, processors))
        try reader.number("threads", 1...1_024, into: &configuration.threads)
        data = try DataPlace(reading: &reader)
        forward = try ForwardSettings(reading: &reader, environment: environment)
        configuration.forwardAnswers = forward?.answers
        configuration.forwardsNamespaces = forward?.includesNamespaces ?? false
        if forward != nil, data?.isShared == true {
            // Each of the servers would forward the pushes of all.
            throw CommandFailure(.badConfiguration, "--forward cannot be used with --data postgresql://...")
        }
        try reader.number("max-pushes", 1...100_000_000, into: &configuration.journal.records)
        try reader.number("max-bytes", 65_536...Int.max, into: &configuration.journal.bytes)
        // The rest of the open files is for the API, files and event loops.
        configuration.maxConnections = openFiles / 4 * 3
        try reader.number("max-connections", 1...Int.max, into: &configuration.maxConnections)
        configuration.seed =
            try reader.optional("seed") { try OptionReader.require(UInt64($0), "a whole number from 0 to 2^64-1") }
            ?? configuration.seed
        try reader.read(into: &configuration.transport)
        self.configuration = configuration

        readyFile = try reader.text("ready-file")
        readyDescriptor = try reader.optional("ready-fd") { text in
            let number = Int32(text).flatMap { $0 > 2 && SystemFacts.isOpen($0) ? $0 : nil }
            return try OptionReader.require(number, "an open file descriptor above 2")
        }
        allowedHosts = try reader.list("allowed-host") { $0 }
        access = Inspector.Access(token: try reader.apiToken())
        access.origins = try reader.list("api-cors") { text in
            try OptionReader.check(Inspector.Access.isOrigin(text), Inspector.Access.expectedOrigin)
            return text
        }
        allowsShutdown = try reader.flag("allow-shutdown")
        showsPage = try !reader.flag("no-ui")
        facts = Inspector.Facts(version: Version.text, commit: Version.commit)
        facts.label = try reader.optional("label") { text in
            let longest = Inspector.Facts.longestLabel
            let label = text.count <= longest && text == TerminalText.plain(text) ? text : nil
            return try OptionReader.require(label, "up to \(longest) characters without control characters")
        }
        isQuiet = try reader.flag("quiet")
        facts.settings = reader.settings
    }

    private static func choose(_ choice: String, in configuration: inout Configuration) throws {
        do { try Behavior.choose(choice, in: &configuration) } catch {
            let name = String(choice.prefix { $0 != "=" })
            let names = Behavior.all.map(\.name)
            let meant = names.contains(name) ? nil : Suggestion.nearest(to: name, among: names)
            let hint = meant.map { "; did you mean \($0)\(choice.dropFirst(name.count))?" }
            // Without a value, the error does not list what there is.
            let list = name == choice ? "; the names are \(names.joined(separator: ", "))" : ""
            let values = Behavior.all.first { $0.name == name }.map {
                "; the values are \($0.values.joined(separator: ", "))"
            }
            throw OptionReader.Invalid("\(error)\(hint ?? (name == choice ? values : nil) ?? list)")
        }
    }

    private static func pipeline(_ text: String) throws -> Pipeline {
        try OptionReader.check(text.contains { $0 != "," }, "names of checks, separated by commas")
        do { return try Pipeline.standard.reordered(text.split(separator: ",").map(String.init)) } catch .unknownCheck(
            let id)
        {
            let hint = Suggestion.question(for: id, among: Pipeline.standard.allChecks.map(\.id))
            throw OptionReader.Invalid("unknown check '\(id)'\(hint)")
        } catch .repeatedCheck(let id) { throw OptionReader.Invalid("'\(id)' is repeated") }
    }

    private static func schemas(_ reader: inout OptionReader) throws -> [AppKey<AppSchemaName>: JSONSchema] {
        let option = "app-schema"
        let all = try reader.list(option) { text in
            let expected = "topic:payload=FILE, topic:content-state:TYPE=FILE or topic:attributes:TYPE=FILE"
            let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
            let app = Topic.bundleID(of: parts.first ?? "")
            try OptionReader.check(parts.count == 2 && !app.isEmpty && !app.contains("="), expected)
            do {
                let argument = try AppSchemaArgument(parsing: parts[1], option: "--" + option, allowsPlainFile: false)
                return (key: AppKey(app: app, key: argument.name), schema: argument.schema)
            } catch is OptionReader.Invalid { throw OptionReader.Invalid(expected: expected) }
        }
        guard all.count <= AppSchema.most else {
            throw CommandFailure(
                .badConfiguration, "--\(option) is given \(all.count) times; the maximum is \(AppSchema.most)")
        }
        let keys = all.map(\.key)
        if let repeated = keys.first(where: { key in keys.count { $0 == key } > 1 }) {
            throw CommandFailure(.badConfiguration, "--\(option) is given twice for \(repeated.app):\(repeated.key)")
        }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0.schema) })
    }

    static func devices(file: String) throws -> [DeviceDraft] {
        let text = try AtomicFile.input(file, option: "--devices", limit: DevicesAddCommand.largestFile)
        return try CommandFailure.explaining("invalid --devices '\(file)'") { try DeviceFile.drafts(fromJSON: text) }
    }
}

extension ServeSettings {
    /// The option with the address of a port that cannot be bound.
    func option(forPort port: Int?) -> String {
        let taken = configuration.binaryListeners.first { $0.port == port }
        return "--" + (Self.binaryOptions.first { $0.interface == taken?.interface }?.name ?? "apns-listen")
    }

    /// A warning when the API is open to other machines; `nil` otherwise.
    var apiWarning: String? {
        guard access.token == nil, !Self.isLoopback(apiListen.host) else { return nil }
        return "warning: --api-listen \(apiListen) is open to other machines and needs no token;"
            + " set --api-token (MOCK_APNS_API_TOKEN)"
    }

    private static func isLoopback(_ host: String) -> Bool {
        switch try? SocketAddress(ipAddress: host, port: 0) {
        case .v4: host.hasPrefix("127.")
        case let address?: address.ipAddress == "::1"
        case nil: host == "localhost"
        }
    }
}

extension OptionReader {
    fileprivate mutating func read(into rules: inout RuleOptions) throws {
        if try flag("strict") { rules.isStrict = true }
        try choice("auth", into: &rules.authentication)
        try choice("unknown-tokens", into: &rules.unknownTokens)
        rules.deviceRate = try optional("device-rate", parse: Self.rate)
        rules.channelRate = try optional("channel-rate", parse: Self.rate)
        try number("error-limit", 0...1_000_000, into: &rules.errorLimit)
        try duration("token-update-interval", into: &rules.tokenUpdateInterval)
    }

    private static func rate(_ text: String) throws -> RuleOptions.Rate {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let interval = try? DurationText.milliseconds(String(parts[1])), interval > 0
        else { throw Invalid(expected: "a count and a duration, such as 10/1s") }
        return RuleOptions.Rate(count: count, interval: interval * 1_000)
    }

    fileprivate mutating func activityTokens(into probability: inout Double) throws {
        probability = try value("activity-tokens", default: "rotate=\(probability)") { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            let number = parts.count == 2 && parts[0] == "rotate" ? Double(parts[1]) : nil
            let expected = "rotate= and a probability from 0 to 1, such as rotate=0.1"
            return try Self.require(number.flatMap { (0...1).contains($0) ? $0 : nil }, expected)
        }
    }

    fileprivate mutating func read(into transport: inout TransportOptions) throws {
        let range = 1...1_000_000
        try number("streams", range, into: &transport.maxConcurrentStreams)
        try number("streams-before-auth", range, into: &transport.streamsBeforeAuthentication)
        transport.idleTimeout = try optional("idle-timeout") { .milliseconds(try DurationText.milliseconds($0)) }
    }
}

internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

struct ServeSettings {
    var configuration = Configuration()
    var apiListen: ListenAddress
    var certificates: CertificateDirectory
    /// The files of the user's own certificate, with the certificate authority that clients need.
    var ownCertificate: (chain: String, key: String, authority: String?)?
    var additionalNames: [String]
    var authorityOut: String?
    var devicesFile: String?
    var readyFile: String?
    var readyDescriptor: Int32?
    var allowedHosts: [String]
    var apiToken: String?
    var apiOrigins: [String]
    var allowsShutdown: Bool
    var showsPage: Bool
    var label: String?
    var isQuiet: Bool
    var entries: [OptionReader.Entry]

    /// The defaults of `serve`, where those of `exec` differ.
    struct Defaults {
        var apnsListen = "127.0.0.1:2197"
        var apiListen = "127.0.0.1:8197"
        var certificates = "certs"
    }

    init(
        _ flags: ServeOptions,
        environment: [String: String],
        processors: Int = SystemFacts.processors,
        openFiles: Int = SystemFacts.openFileLimit,
        defaults: Defaults = Defaults()
    ) throws {
        var reader = OptionReader(environment: environment)
        let known = ServeOptions.names + APIOptions.names
        // A command of exec may start a server.
        try reader.refuseUnknownVariables(known: known, besides: ExecVariable.allCases.map(\.rawValue))

        let listen = [defaults.apnsListen]
        configuration.listeners = try reader.list("apns-listen", flags.apnsListen, default: listen) {
            try ListenAddress(parsing: $0)
        }
        apiListen = try reader.value("api-listen", flags.apiListen, default: defaults.apiListen) { text in
            // The scheme and parameters of an address for pushes do not apply.
            guard !text.contains("://"), !text.contains("?") else { throw OptionReader.Expected("host:port") }
            return try ListenAddress(parsing: text)
        }
        let directory = try reader.value("certs-dir", flags.certsDir, default: defaults.certificates) {
            $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
        }
        certificates = CertificateDirectory(path: directory)
        let chain = try reader.text("tls-cert", flags.tlsCert)
        let key = try reader.text("tls-key", flags.tlsKey)
        let authority = try reader.text("tls-ca", flags.tlsCa)
        if let chain, let key {
            ownCertificate = (chain, key, authority)
        } else if chain != nil || key != nil {
            throw CommandFailure(.badConfiguration, "--tls-cert and --tls-key must be used together")
        } else if authority != nil {
            throw CommandFailure(.badConfiguration, "--tls-ca needs --tls-cert and --tls-key")
        }
        additionalNames = try reader.list("tls-san", flags.tlsSan) { $0 }
        authorityOut = try reader.text("ca-out", flags.caOut)
        let keys = try reader.list("key", flags.key) { try KeyArgument(parsing: $0) }
        configuration.keys = try keys.map { try $0.load() }

        try reader.read(flags, into: &configuration.rules)
        for choice in try reader.list("behavior", flags.behavior, parse: { $0 }) {
            try Self.choose(choice, in: &configuration)
        }
        let order = try reader.optional("check-order", flags.checkOrder, parse: Self.pipeline)
        if let order { configuration.pipeline = order }
        configuration.faults = try reader.list("fault", flags.fault, parse: FaultArgument.draft)
        devicesFile = try reader.text("devices", flags.devices)
        configuration.devices = try devicesFile.map(Self.devices(file:)) ?? []
        try reader.read(flags, into: &configuration.deviceOptions)
        configuration.clock = try reader.optional("clock", flags.clock) { text in
            guard let time = Timestamp(rfc3339: text), Timestamp.writable.contains(time) else {
                let example = "2030-01-01T00:00:00Z"
                throw OptionReader.Expected("a time in RFC 3339 from year 1 to 9999, such as \(example)")
            }
            return time
        }
        configuration.threads = max(1, min(4, processors))
        try reader.number("threads", flags.threads, 1...1_024, into: &configuration.threads)
        try reader.number(
            "max-pushes",
            flags.maxPushes,
            1...100_000_000,
            into: &configuration.journal.records
        )
        try reader.number("max-bytes", flags.maxBytes, 65_536...Int.max, into: &configuration.journal.bytes)
        // The rest of the open files is for the API, files and event loops.
        configuration.maxConnections = openFiles / 4 * 3
        let most = 1...Int.max
        try reader.number("max-connections", flags.maxConnections, most, into: &configuration.maxConnections)
        configuration.seed =
            try reader.optional("seed", flags.seed) { text in
                guard let seed = UInt64(text) else {
                    throw OptionReader.Expected("a whole number from 0 to 2^64-1")
                }
                return seed
            } ?? configuration.seed
        try reader.read(flags, into: &configuration.transport)

        readyFile = try reader.text("ready-file", flags.readyFile)
        readyDescriptor = try reader.optional("ready-fd", flags.readyFd) { text in
            guard let number = Int32(text), number > 2, SystemFacts.isOpen(number) else {
                throw OptionReader.Expected("an open file descriptor above 2")
            }
            return number
        }
        allowedHosts = try reader.list("allowed-host", flags.allowedHost) { $0 }
        apiToken = try reader.optional("api-token", flags.apiToken, isSecret: true, parse: APIOptions.token)
        apiOrigins = try reader.list("api-cors", flags.apiCors) { text in
            guard Inspector.Access.isOrigin(text) else {
                throw OptionReader.Expected(Inspector.Access.expectedOrigin)
            }
            return text
        }
        allowsShutdown = try reader.flag("allow-shutdown", flags.allowShutdown)
        showsPage = try !reader.flag("no-ui", flags.noUi)
        label = try reader.optional("label", flags.label) { text in
            let longest = Inspector.Facts.longestLabel
            guard text.count <= longest, text == TerminalText.plain(text) else {
                throw OptionReader.Expected("up to \(longest) characters without control characters")
            }
            return text
        }
        isQuiet = try reader.flag("quiet", flags.quiet)
        entries = reader.entries
    }

    private static func choose(_ choice: String, in configuration: inout Configuration) throws {
        do {
            try Behavior.choose(choice, in: &configuration)
        } catch {
            let hint = behaviorMeant(by: choice).map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(.badConfiguration, "invalid --behavior '\(choice)': \(error)\(hint)")
        }
    }

    /// The choice that was probably meant; `nil` when its name is right.
    private static func behaviorMeant(by choice: String) -> String? {
        let parts = choice.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = Behavior.all.map(\.name)
        let name = String(parts[0])
        guard !names.contains(name), let meant = Suggestion.nearest(to: name, among: names) else {
            return nil
        }
        return ([meant] + parts.dropFirst().map(String.init)).joined(separator: "=")
    }

    private static func pipeline(_ text: String) throws -> Pipeline {
        guard text.contains(where: { $0 != "," }) else {
            throw OptionReader.Expected("names of checks, separated by commas")
        }
        let invalid = "invalid --check-order '\(text)'"
        do {
            return try Pipeline.standard.reordered(text.split(separator: ",").map(String.init))
        } catch Pipeline.OrderProblem.unknownCheck(let id) {
            let names = Pipeline.standard.checks.map(\.id)
            let hint = Suggestion.question(for: id, among: names)
            throw CommandFailure(.badConfiguration, "\(invalid): unknown check '\(id)'\(hint)")
        } catch Pipeline.OrderProblem.repeatedCheck(let id) {
            throw CommandFailure(.badConfiguration, "\(invalid): '\(id)' is repeated")
        }
    }

    static func devices(file: String) throws -> [DeviceDraft] {
        let text = try AtomicFile.input(file, option: "--devices", limit: DevicesAddCommand.largestFile)
        do {
            return try DeviceFile.drafts(fromJSON: text)
        } catch {
            throw Self.invalidDevices(file: file, "\(error)")
        }
    }

    static func invalidDevices(file: String, _ reason: String) -> CommandFailure {
        CommandFailure(.badConfiguration, "invalid --devices '\(file)': \(TerminalText.plain(reason))")
    }
}

extension ServeSettings {
    /// A warning when the API is open to other machines; `nil` otherwise.
    var apiWarning: String? {
        guard apiToken == nil, !Self.isLoopback(apiListen.host) else { return nil }
        return "warning: --api-listen \(apiListen) is open to other machines and needs no token;"
            + " set --api-token (MOCK_APNS_API_TOKEN)"
    }

    private static func isLoopback(_ host: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: host, port: 0) else { return host == "localhost" }
        switch address {
        case .v4: return host.hasPrefix("127.")
        case .v6: return address.ipAddress == "::1"
        case .unixDomainSocket: return false
        }
    }
}

extension OptionReader {
    fileprivate mutating func read(_ flags: ServeOptions, into rules: inout RuleOptions) throws {
        if try flag("strict", flags.strict) { rules.makeStrict() }
        try choice("auth", flags.auth, into: &rules.authentication)
        try choice("unknown-tokens", flags.unknownTokens, into: &rules.unknownTokens)
        rules.deviceRate = try optional("device-rate", flags.deviceRate, parse: Self.deviceRate)
        try number("error-limit", flags.errorLimit, 0...1_000_000, into: &rules.errorLimit)
        let interval = flags.tokenUpdateInterval
        try duration("token-update-interval", interval, into: &rules.tokenUpdateInterval)
    }

    private static func deviceRate(_ text: String) throws -> RuleOptions.DeviceRate {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let interval = try? DurationText.milliseconds(String(parts[1])), interval > 0
        else { throw Expected("a count and a duration, such as 10/1s") }
        return RuleOptions.DeviceRate(count: count, interval: interval * 1_000)
    }

    fileprivate mutating func read(_ flags: ServeOptions, into options: inout Devices.Options) throws {
        try choice("uninstall-detection", flags.uninstallDetection, into: &options.uninstallDetection)
        let inactive = flags.inactiveAfter
        try duration("inactive-after", inactive, allowsZero: false, into: &options.inactiveAfter)
    }

    fileprivate mutating func read(_ flags: ServeOptions, into transport: inout TransportOptions) throws {
        let range = 1...1_000_000
        try number("streams", flags.streams, range, into: &transport.maxConcurrentStreams)
        let early = flags.streamsBeforeAuth
        try number("streams-before-auth", early, range, into: &transport.streamsBeforeAuthentication)
        transport.idleTimeout = try optional("idle-timeout", flags.idleTimeout) {
            .milliseconds(try DurationText.milliseconds($0))
        }
    }
}

internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// The options of `serve`, read and checked.
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
    /// Whether the inspector's page is served.
    var showsPage: Bool
    var label: String?
    var isQuiet: Bool
    /// Every option in force, with its source.
    var entries: [OptionReader.Entry]

    /// The defaults of `serve`, where those of `exec` differ.
    struct Defaults {
        var apnsListen = "127.0.0.1:2197"
        var apiListen = "127.0.0.1:8197"
        var certificates = "certs"
    }

    /// Reads flags and environment.
    ///
    /// - Throws: `CommandFailure` for the first invalid value.
    init(
        _ options: ServeOptions,
        environment: [String: String],
        processors: Int = SystemFacts.processors,
        openFiles: Int = SystemFacts.openFileLimit,
        defaults: Defaults = Defaults()
    ) throws {
        var reader = OptionReader(environment: environment)
        let known = ServeOptions.names + APIOptions.names
        // A command of exec may start a server.
        try reader.refuseUnknownVariables(known: known, besides: ExecVariable.allCases.map(\.rawValue))

        configuration.listeners = try reader.list(
            "apns-listen",
            options.apnsListen,
            default: [defaults.apnsListen]
        ) { try ListenAddress(parsing: $0) }
        apiListen = try reader.value("api-listen", options.apiListen, default: defaults.apiListen) { text in
            // The scheme and parameters of an address for pushes do not apply.
            guard !text.contains("://"), !text.contains("?") else { throw OptionReader.Expected("host:port") }
            return try ListenAddress(parsing: text)
        }
        let directory = try reader.value("certs-dir", options.certsDir, default: defaults.certificates) {
            $0.count > 1 && $0.hasSuffix("/") ? String($0.dropLast()) : $0
        }
        certificates = CertificateDirectory(path: directory)
        let chain = try reader.text("tls-cert", options.tlsCert)
        let key = try reader.text("tls-key", options.tlsKey)
        let authority = try reader.text("tls-ca", options.tlsCa)
        if let chain, let key {
            ownCertificate = (chain, key, authority)
        } else if chain != nil || key != nil {
            throw CommandFailure(.badConfiguration, "--tls-cert and --tls-key must be used together")
        } else if authority != nil {
            throw CommandFailure(.badConfiguration, "--tls-ca needs --tls-cert and --tls-key")
        }
        additionalNames = try reader.list("tls-san", options.tlsSan) { $0 }
        authorityOut = try reader.text("ca-out", options.caOut)
        let keys = try reader.list("key", options.key) { try KeyArgument(parsing: $0) }
        configuration.keys = try keys.map { try $0.load() }

        try Self.readRules(options, &reader, into: &configuration)
        configuration.faults = try reader.list("fault", options.fault, parse: Self.fault)
        devicesFile = try Self.readDevices(options, &reader, into: &configuration)
        try Self.readLimits(options, &reader, processors, openFiles, into: &configuration)

        readyFile = try reader.text("ready-file", options.readyFile)
        readyDescriptor = try reader.optional("ready-fd", options.readyFd) { text in
            guard let number = Int32(text), number > 2, SystemFacts.isOpen(number) else {
                throw OptionReader.Expected("an open file descriptor above 2")
            }
            return number
        }
        allowedHosts = try reader.list("allowed-host", options.allowedHost) { $0 }
        apiToken = try reader.optional("api-token", options.apiToken, isSecret: true, parse: APIOptions.token)
        apiOrigins = try reader.list("api-cors", options.apiCors) { text in
            guard Inspector.Access.isOrigin(text) else {
                throw OptionReader.Expected(Inspector.Access.expectedOrigin)
            }
            return text
        }
        allowsShutdown = try reader.flag("allow-shutdown", options.allowShutdown)
        showsPage = try !reader.flag("no-ui", options.noUi)
        label = try reader.optional("label", options.label) { text in
            let longest = Inspector.Facts.longestLabel
            guard text.count <= longest, text == TerminalText.plain(text) else {
                throw OptionReader.Expected("up to \(longest) characters without control characters")
            }
            return text
        }
        isQuiet = try reader.flag("quiet", options.quiet)
        entries = reader.entries
    }

    private static func fault(_ text: String) throws -> FaultDraft {
        do {
            return try FaultArgument.draft(text)
        } catch {
            let reason = TerminalText.plain(error.description)
            throw CommandFailure(.badConfiguration, "invalid --fault '\(text)': \(reason)")
        }
    }

    private static func readRules(
        _ options: ServeOptions,
        _ reader: inout OptionReader,
        into configuration: inout Configuration
    ) throws {
        if try reader.flag("strict", options.strict) { configuration.rules.makeStrict() }
        configuration.rules.authentication = try reader.value("auth", options.auth, default: "verify") {
            try choice($0)
        }
        let unknownTokens = configuration.rules.unknownTokens.rawValue
        configuration.rules.unknownTokens = try reader.value(
            "unknown-tokens",
            options.unknownTokens,
            default: unknownTokens
        ) { try choice($0) }
        configuration.rules.deviceRate = try reader.optional(
            "device-rate",
            options.deviceRate,
            parse: deviceRate
        )
        configuration.rules.errorLimit = try reader.value("error-limit", options.errorLimit, default: "0") {
            try number($0, 0...1_000_000)
        }
        configuration.rules.tokenUpdateInterval = try reader.value(
            "token-update-interval",
            options.tokenUpdateInterval,
            default: "20m"
        ) { try DurationText.milliseconds($0) * 1_000 }
        for choice in try reader.list("behavior", options.behavior, parse: { $0 }) {
            do {
                try Behavior.choose(choice, in: &configuration)
            } catch {
                let hint = behaviorMeant(by: choice).map { "; did you mean \($0)?" } ?? ""
                throw CommandFailure(.badConfiguration, "invalid --behavior '\(choice)': \(error)\(hint)")
            }
        }
        let order = try reader.optional("check-order", options.checkOrder, parse: pipeline)
        if let order { configuration.pipeline = order }
    }

    /// The choice that was probably meant; `nil` when its name is right.
    private static func behaviorMeant(by choice: String) -> String? {
        let parts = choice.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let names = Behavior.all.map(\.name)
        guard let name = parts.first.map(String.init), !names.contains(name),
            let meant = Suggestion.nearest(to: name, among: names)
        else { return nil }
        return ([meant] + parts.dropFirst().map(String.init)).joined(separator: "=")
    }

    private static func pipeline(_ text: String) throws -> Pipeline {
        guard text.contains(where: { $0 != "," }) else {
            throw OptionReader.Expected("names of checks, separated by commas")
        }
        do {
            return try Pipeline.standard.reordered(text.split(separator: ",").map(String.init))
        } catch Pipeline.OrderProblem.unknownCheck(let id) {
            let names = Pipeline.standard.checks.map(\.id)
            let hint = Suggestion.nearest(to: id, among: names).map { "; did you mean \($0)?" } ?? ""
            throw CommandFailure(
                .badConfiguration,
                "invalid --check-order '\(text)': unknown check '\(id)'\(hint)"
            )
        } catch Pipeline.OrderProblem.repeatedCheck(let id) {
            throw CommandFailure(
                .badConfiguration,
                "invalid --check-order '\(text)': '\(id)' is repeated"
            )
        }
    }

    /// Reads the initial devices and the clock.
    ///
    /// - Returns: the name of the file with the devices.
    private static func readDevices(
        _ options: ServeOptions,
        _ reader: inout OptionReader,
        into configuration: inout Configuration
    ) throws -> String? {
        let file = try reader.text("devices", options.devices)
        configuration.devices = try file.map(devices(file:)) ?? []
        configuration.deviceOptions.uninstallDetection = try reader.value(
            "uninstall-detection",
            options.uninstallDetection,
            default: configuration.deviceOptions.uninstallDetection.rawValue
        ) { try choice($0) }
        configuration.deviceOptions.inactiveAfter = try reader.value(
            "inactive-after",
            options.inactiveAfter,
            default: "30d"
        ) { text in
            let milliseconds = try DurationText.milliseconds(text)
            guard milliseconds > 0 else {
                throw OptionReader.Expected("\(DurationText.expected), greater than 0")
            }
            return milliseconds * 1_000
        }
        configuration.clock = try reader.optional("clock", options.clock) { text in
            guard let time = Timestamp(rfc3339: text), Timestamp.writable.contains(time) else {
                throw OptionReader.Expected(
                    "a time in RFC 3339 from year 1 to 9999, such as 2030-01-01T00:00:00Z"
                )
            }
            return time
        }
        return file
    }

    /// Reads a file with devices.
    ///
    /// - Throws: `CommandFailure` that names the file, the position in it, and what is expected there.
    static func devices(file: String) throws -> [DeviceDraft] {
        let text = try AtomicFile.input(file, option: "--devices", limit: DevicesAddCommand.largestFile)
        do {
            return try DeviceFile.drafts(fromJSON: text)
        } catch {
            throw Self.invalidDevices(file: file, "\(error)")
        }
    }

    /// The failure for an invalid file with devices.
    static func invalidDevices(file: String, _ reason: String) -> CommandFailure {
        CommandFailure(.badConfiguration, "invalid --devices '\(file)': \(TerminalText.plain(reason))")
    }

    private static func readLimits(
        _ options: ServeOptions,
        _ reader: inout OptionReader,
        _ processors: Int,
        _ openFiles: Int,
        into configuration: inout Configuration
    ) throws {
        func number<Number: BinaryInteger>(
            _ name: String,
            _ flag: String?,
            default standard: Number,
            _ range: ClosedRange<Int>
        ) throws -> Number {
            try reader.value(name, flag, default: "\(standard)") { Number(try Self.number($0, range)) }
        }
        let (journal, transport) = (configuration.journal, configuration.transport)
        let threads = max(1, min(4, processors))
        configuration.threads = try number("threads", options.threads, default: threads, 1...1_024)
        configuration.journal.records = try number(
            "max-pushes",
            options.maxPushes,
            default: journal.records,
            1...100_000_000
        )
        configuration.journal.bytes = try number(
            "max-bytes",
            options.maxBytes,
            default: journal.bytes,
            65_536...Int.max
        )
        // The rest is for the API, files and event loops.
        configuration.maxConnections = try number(
            "max-connections",
            options.maxConnections,
            default: openFiles / 4 * 3,
            1...Int.max
        )
        let seed = try reader.optional("seed", options.seed) { text in
            guard let seed = UInt64(text) else {
                throw OptionReader.Expected("a whole number from 0 to 2^64-1")
            }
            return seed
        }
        if let seed { configuration.seed = seed }
        configuration.transport.maxConcurrentStreams = try number(
            "streams",
            options.streams,
            default: transport.maxConcurrentStreams,
            1...1_000_000
        )
        configuration.transport.streamsBeforeAuthentication = try number(
            "streams-before-auth",
            options.streamsBeforeAuth,
            default: transport.streamsBeforeAuthentication,
            1...1_000_000
        )
        configuration.transport.idleTimeout = try reader.optional("idle-timeout", options.idleTimeout) {
            .milliseconds(try DurationText.milliseconds($0))
        }
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ text: String
    ) throws -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw OptionReader.Expected(Choice.allCases.map(\.rawValue).joined(separator: " or "))
        }
        return choice
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw OptionReader.Expected("a whole number from \(range.lowerBound)\(upper)")
        }
        return number
    }

    private static func deviceRate(_ text: String) throws -> RuleOptions.DeviceRate {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let interval = try? DurationText.milliseconds(String(parts[1])), interval > 0
        else { throw OptionReader.Expected("a count and a duration, such as 10/1s") }
        return RuleOptions.DeviceRate(count: count, interval: interval * 1_000)
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

internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules
internal import MockAPNsTransport
internal import MockAPNsWorld
internal import NIOCore

/// What `serve` was told, read and checked.
struct ServeSettings {
    var configuration = Configuration()
    var apiListen: ListenAddress
    var certificates: CertificateDirectory
    /// The files of a certificate of the user's own; `authority` where clients need one.
    var ownCertificate: (chain: String, key: String, authority: String?)?
    var additionalNames: [String]
    var authorityOut: String?
    /// The file that describes the devices of the start.
    var devicesFile: String?
    var readyFile: String?
    var readyDescriptor: Int32?
    var allowedHosts: [String]
    var apiToken: String?
    var apiOrigins: [String]
    var allowsShutdown: Bool
    /// Whether the inspector's page is served.
    var showsPage: Bool
    /// What tells this server from others.
    var label: String?
    var isQuiet: Bool
    /// Every option in force, with its source.
    var entries: [Settings.Entry]

    /// Where a server is when nothing is said about it.
    struct Places {
        var apnsListen = "127.0.0.1:2197"
        var apiListen = "127.0.0.1:8197"
        var certificates = "certs"
    }

    /// Reads flags and environment.
    ///
    /// - Throws: `CommandFailure` for the first value that cannot be used.
    init(
        _ options: ServeOptions,
        environment: [String: String],
        processors: Int,
        openFiles: Int = SystemFacts.openFileLimit,
        places: Places = Places()
    ) throws {
        var settings = Settings(environment: environment)
        let known = ServeOptions.names + APIOptions.names
        // What exec tells its command is no option of a server that the command starts.
        try settings.refuseUnknownVariables(known: known, besides: ExecVariable.allCases.map(\.rawValue))

        configuration.listeners = try settings.list(
            "apns-listen",
            flags: options.apnsListen,
            default: [places.apnsListen]
        ) { try ListenAddress(parsing: $0) }
        apiListen = try settings.value("api-listen", flag: options.apiListen, default: places.apiListen) {
            text in
            // The API speaks plain HTTP, whatever stands before or behind the address of a listener for pushes.
            guard !text.contains("://"), !text.contains("?") else {
                throw Settings.Expected("host:port alone")
            }
            return try ListenAddress(parsing: text)
        }
        certificates = CertificateDirectory(
            path: try settings.value("certs-dir", flag: options.certsDir, default: places.certificates) {
                text in
                text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
            }
        )
        let chain = try settings.optional("tls-cert", flag: options.tlsCert) { $0 }
        let key = try settings.optional("tls-key", flag: options.tlsKey) { $0 }
        let authority = try settings.optional("tls-ca", flag: options.tlsCa) { $0 }
        switch (chain, key) {
        case (let chain?, let key?): ownCertificate = (chain, key, authority)
        case (nil, nil):
            guard authority == nil else {
                throw CommandFailure(.badConfiguration, "--tls-ca goes with --tls-cert, which is missing")
            }
            ownCertificate = nil
        default:
            throw CommandFailure(.badConfiguration, "--tls-cert and --tls-key go together; one is missing")
        }
        additionalNames = try settings.list("tls-san", flags: options.tlsSan) { $0 }
        authorityOut = try settings.optional("ca-out", flag: options.caOut) { $0 }
        let keys = try settings.list("key", flags: options.key) { try KeyArgument(parsing: $0) }
        configuration.keys = try keys.map { try $0.load() }

        try Self.readRules(options, &settings, into: &configuration)
        configuration.faults = try settings.list("fault", flags: options.fault) {
            try FaultOption(parsing: $0).draft
        }
        devicesFile = try Self.readDevices(options, &settings, into: &configuration)
        try Self.readLimits(
            options,
            &settings,
            processors: processors,
            openFiles: openFiles,
            into: &configuration
        )

        readyFile = try settings.optional("ready-file", flag: options.readyFile) { $0 }
        readyDescriptor = try settings.optional("ready-fd", flag: options.readyFd) { text in
            guard let number = Int32(text), number > 2 else {
                throw Settings.Expected("the number of an open file descriptor above 2")
            }
            return number
        }
        allowedHosts = try settings.list("allowed-host", flags: options.allowedHost) { $0 }
        apiToken = try settings.optional("api-token", flag: options.apiToken, isSecret: true) { text in
            guard Inspector.Access.isToken(text) else {
                throw Settings.Expected(Inspector.Access.expectedToken)
            }
            return text
        }
        apiOrigins = try settings.list("api-cors", flags: options.apiCors) { text in
            guard Inspector.Access.isOrigin(text) else {
                throw Settings.Expected(Inspector.Access.expectedOrigin)
            }
            return text
        }
        allowsShutdown = try settings.flag("allow-shutdown", options.allowShutdown)
        showsPage = try !settings.flag("no-ui", options.noUi)
        label = try settings.optional("label", flag: options.label) { text in
            guard text.count <= Inspector.Facts.longestLabel, text == TerminalText.plain(text) else {
                throw Settings.Expected(
                    "up to \(Inspector.Facts.longestLabel) characters without control characters"
                )
            }
            return text
        }
        isQuiet = try settings.flag("quiet", options.quiet)
        entries = settings.entries
    }

    /// Looks whether somebody can read the ready line where it was asked for.
    ///
    /// - Throws: `CommandFailure` when the descriptor is not open.
    func checkReadyDescriptor() throws {
        guard let readyDescriptor, !SystemFacts.isOpen(readyDescriptor) else { return }
        throw CommandFailure(
            .badConfiguration,
            "--ready-fd: '\(readyDescriptor)' should be the number of an open file descriptor"
        )
    }

    private static func readRules(
        _ options: ServeOptions,
        _ settings: inout Settings,
        into configuration: inout Configuration
    ) throws {
        if try settings.flag("strict", options.strict) { configuration.rules.makeStrict() }
        configuration.rules.authentication = try settings.value("auth", flag: options.auth, default: "verify")
        {
            try choice($0, RuleOptions.Authentication.self)
        }
        let standard = configuration.rules.unknownTokens.rawValue
        configuration.rules.unknownTokens = try settings.value(
            "unknown-tokens",
            flag: options.unknownTokens,
            default: standard
        ) { try choice($0, RuleOptions.UnknownTokens.self) }
        configuration.rules.deviceRate = try settings.optional("device-rate", flag: options.deviceRate) {
            try deviceRate($0)
        }
        configuration.rules.errorLimit = try settings.value(
            "error-limit",
            flag: options.errorLimit,
            default: "0"
        ) {
            try number($0, 0...1_000_000)
        }
        configuration.rules.tokenUpdateInterval = try settings.value(
            "token-update-interval",
            flag: options.tokenUpdateInterval,
            default: "20m"
        ) { try DurationText.milliseconds($0) * 1_000 }
        for choice in try settings.list("behavior", flags: options.behavior, parse: { $0 }) {
            do {
                try Behavior.choose(choice, in: &configuration)
            } catch {
                let hint = behaviorMeant(by: choice).map { "; did you mean \($0)?" } ?? ""
                throw CommandFailure(.badConfiguration, "--behavior: \(error)\(hint)")
            }
        }
        let order = try settings.optional("check-order", flag: options.checkOrder) { text in
            guard text.contains(where: { $0 != "," }) else {
                throw Settings.Expected("names of checks, with commas between")
            }
            do {
                return try Pipeline.standard.reordered(text.split(separator: ",").map(String.init))
            } catch Pipeline.OrderProblem.unknownCheck(let id) {
                let names = Pipeline.standard.checks.map(\.id)
                let hint = Suggestion.nearest(to: id, among: names).map { "; did you mean \($0)?" } ?? ""
                throw CommandFailure(.badConfiguration, "--check-order: there is no check '\(id)'\(hint)")
            } catch Pipeline.OrderProblem.repeatedCheck(let id) {
                throw CommandFailure(.badConfiguration, "--check-order: '\(id)' is named twice")
            }
        }
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

    /// Reads what the world starts with; the name of the file that describes its devices is returned.
    private static func readDevices(
        _ options: ServeOptions,
        _ settings: inout Settings,
        into configuration: inout Configuration
    ) throws -> String? {
        let file = try settings.optional("devices", flag: options.devices) { try DevicesFile(path: $0) }
        configuration.devices = file?.drafts ?? []
        configuration.deviceOptions.uninstallDetection = try settings.value(
            "uninstall-detection",
            flag: options.uninstallDetection,
            default: configuration.deviceOptions.uninstallDetection.rawValue
        ) { try choice($0, Devices.Options.UninstallDetection.self) }
        configuration.deviceOptions.inactiveAfter = try settings.value(
            "inactive-after",
            flag: options.inactiveAfter,
            default: "30d"
        ) { text in
            let milliseconds = try DurationText.milliseconds(text)
            guard milliseconds > 0 else {
                throw Settings.Expected("\(DurationText.expected), and more than 0")
            }
            return milliseconds * 1_000
        }
        configuration.clock = try settings.optional("clock", flag: options.clock) { text in
            guard let time = Timestamp(rfc3339: text), Timestamp.writable.contains(time) else {
                throw Settings.Expected(
                    "a time in RFC 3339, such as 2030-01-01T00:00:00Z, of the years 1 to 9999"
                )
            }
            return time
        }
        return file?.path
    }

    private static func readLimits(
        _ options: ServeOptions,
        _ settings: inout Settings,
        processors: Int,
        openFiles: Int,
        into configuration: inout Configuration
    ) throws {
        configuration.threads = try settings.value(
            "threads",
            flag: options.threads,
            default: "\(max(1, min(4, processors)))"
        ) { try number($0, 1...1_024) }
        configuration.journal.records = try settings.value(
            "max-pushes",
            flag: options.maxPushes,
            default: "\(configuration.journal.records)"
        ) { try number($0, 1...100_000_000) }
        configuration.journal.bytes = try settings.value(
            "max-bytes",
            flag: options.maxBytes,
            default: "\(configuration.journal.bytes)"
        ) { try number($0, 65_536...Int.max) }
        // The rest is for the API, files and event loops.
        configuration.maxConnections = try settings.value(
            "max-connections",
            flag: options.maxConnections,
            default: "\(openFiles / 4 * 3)"
        ) { try number($0, 1...Int.max) }
        let seed = try settings.optional("seed", flag: options.seed) { text in
            guard let seed = UInt64(text) else { throw Settings.Expected("a whole number from 0 to 2^64-1") }
            return seed
        }
        if let seed { configuration.seed = seed }
        configuration.transport.maxConcurrentStreams = try settings.value(
            "streams",
            flag: options.streams,
            default: "\(configuration.transport.maxConcurrentStreams)"
        ) { UInt32(try number($0, 1...1_000_000)) }
        configuration.transport.streamsBeforeAuthentication = try settings.value(
            "streams-before-auth",
            flag: options.streamsBeforeAuth,
            default: "\(configuration.transport.streamsBeforeAuthentication)"
        ) { UInt32(try number($0, 1...1_000_000)) }
        configuration.transport.idleTimeout = try settings.optional("idle-timeout", flag: options.idleTimeout)
        {
            .milliseconds(try DurationText.milliseconds($0))
        }
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ text: String,
        _ type: Choice.Type
    ) throws -> Choice where Choice.RawValue == String {
        guard let choice = Choice(rawValue: text) else {
            throw Settings.Expected(Choice.allCases.map(\.rawValue).joined(separator: " or "))
        }
        return choice
    }

    private static func number(_ text: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            let upper = range.upperBound == .max ? "" : " to \(range.upperBound)"
            throw Settings.Expected("a whole number from \(range.lowerBound)\(upper)")
        }
        return number
    }

    private static func deviceRate(_ text: String) throws -> RuleOptions.DeviceRate {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]), count > 0,
            let interval = try? DurationText.milliseconds(String(parts[1])), interval > 0
        else { throw Settings.Expected("a count and a duration, such as 10/1s") }
        return RuleOptions.DeviceRate(count: count, interval: interval * 1_000)
    }
}

extension ServeSettings {
    /// What is risky about where the API listens; `nil` when nothing is.
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

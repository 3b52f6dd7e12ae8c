internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsCrypto
internal import MockAPNsDrift
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsUpstream

struct DriftCommand: AsyncParsableCommand {
    static let configuration = command(
        "Compare this mock with another push service, case by case.",
        discussion: """
            Sends requests that are refused before they reach a device to the service and to a mock in this process, \
            and prints how the answers differ. It asks first. With --token, silent pushes go to that device; with \
            --channels, a channel is made and deleted. HTTPS_PROXY is honored. The exit code is 0 when all answers \
            agree, 1 when some differ or the comparison stopped, and 2 when you did not agree. docs/drift.md has the \
            details.
            """, examples: "mock-apns drift --dry-run",
        "mock-apns drift --upstream sandbox --key AuthKey_ABC123DEFG.p8,ABC123DEFG,TEAM123456 "
            + "--topic com.example.app --json report.json", "mock-apns drift --apply report.json")

    /// The shortest time between two requests to a service on another machine, in milliseconds.
    private static let shortestPace: Int64 = 200

    @Option("service", "sandbox, production, or a URL such as https://localhost:2197.") var upstream: String?

    @Option("key", "The signing key as path,keyId,teamId.") var key: String?

    @Option("topic", "The bundle identifier of an app of the team.") var topic: String?

    @Option("token", "A device token of this app on a device of yours, for silent pushes.") var token: String?

    @Option("file", "A client certificate and its key (PEM), for the cases about certificates.") var cert: String?

    @Flag(help: "Make a channel of the app, read it, and delete it.") var channels = false

    @Option("file", "The authorities to trust (PEM). (default: those of the system)") var upstreamCa: String?

    @Option("file", "Write a report, without what identifies you.", completion: .json) var json: String?

    @Option("report", "Continue a comparison that has stopped.", completion: .json) var resume: String?

    @Option(
        help: .value("duration", "The time between requests; 200ms at least, unless the service is on this machine."))
    var pace = "200ms"

    @Option(help: .value("duration", "How long each response may take.")) var timeout = "10s"

    @Flag(help: "Begin without asking.") var yes = false

    @Flag(help: "Print every request, and send none.") var dryRun = false

    @Flag(help: "Print the cases that agree too.") var all = false

    @Option("report", "Print the options of serve that make it answer like the service.", completion: .json) var apply:
        String?

    func run() async throws {
        if let apply { return try Self.apply(try Self.report(apply, option: "--apply")) }
        if dryRun { return try printRequests() }
        let comparison = try comparison()
        try DriftConsent(comparison, hasCertificate: cert != nil).ask(isGiven: yes)
        let saved = json ?? resume
        func save(_ report: DriftReport) throws {
            if let saved { try AtomicFile.save(report.json.text + [0x0a], to: saved, access: .everyone) }
        }
        // A file that cannot be written is found before anything is sent.
        var first = comparison.earlier ?? DriftReport(upstream: comparison.target.name)
        first.stopped = "not begun"
        try save(first)
        let result = try await Self.run(comparison)
        try save(result.report)
        Console.answer(result.report.table(withAgreeing: all))
        if let problem = result.problem { Console.error(TerminalText.plain(problem.description)) }
        if let stopped = result.report.stopped {
            let next = saved.map { "--resume \($0) continues" } ?? "with --json, a report could be continued"
            Console.error("the comparison has stopped: \(stopped); \(next)")
        }
        for channel in result.channelsLeft {
            Console.error(
                "the channel \(TerminalText.plain(channel)) could not be deleted; delete it in Apple's push notifications console"
            )
        }
        if !result.report.agrees { throw ExitCode.unmet }
    }

    /// Runs a comparison that the first SIGINT or SIGTERM ends with a report of what was done.
    private static func run(_ comparison: DriftComparison) async throws -> DriftComparison.Result {
        let signals = try StopSignals()
        let count = comparison.cases.count
        let progress = DriftProgress(count)
        let running = Task { try await comparison.run { progress.note($0) } }
        let stopping = Task {
            await signals.wait()
            running.cancel()
        }
        defer { stopping.cancel() }
        let result = await running.result
        return try CommandFailure.explaining { try result.get() }
    }

    // MARK: Options

    private func comparison() throws -> DriftComparison {
        func given(_ value: String?, _ option: String) throws -> String {
            guard let value else { throw CommandFailure(.usage, "missing \(option); see mock-apns drift --help") }
            return value
        }
        let (upstream, key) = (try given(upstream, "--upstream"), try given(key, "--key"))
        let topic = try given(topic, "--topic")
        try CommandFailure.check(
            ClientCertificates.isBundleID(topic), .badConfiguration,
            "invalid --topic '\(TerminalText.plain(topic))': expected a bundle identifier such as com.example.app")
        var comparison = DriftComparison(try provider(key, topic), with: try target(upstream))
        comparison.pace = try pace(on: comparison.target)
        comparison.makesChannel = channels
        if let cert {
            let isSecure = comparison.target.address.isSecure
            try CommandFailure.check(isSecure, .usage, "--cert needs a service with https://")
            let pem = try AtomicFile.pem(cert, option: "--cert")
            try CommandFailure.explaining("invalid --cert '\(TerminalText.plain(cert))'") {
                try comparison.target.check(pem)
            }
            comparison.certificatePEM = pem
        } else {
            try CommandFailure.explaining("invalid --upstream-ca") { try comparison.target.check(nil) }
        }
        if let resume {
            let report = try Self.report(resume, option: "--resume")
            try CommandFailure.check(
                report.upstream == comparison.target.name, .usage,
                "invalid --resume '\(TerminalText.plain(resume))': it is a report of '\(report.upstream)', and --upstream is '\(comparison.target.name)'"
            )
            comparison.earlier = report
        }
        return comparison
    }

    private func provider(_ text: String, _ topic: String) throws -> DriftProvider {
        let argument = try KeyArgument(option: text)
        let pem = try AtomicFile.pem(argument.path, option: "--key")
        let key = try CommandFailure.explaining("invalid --key '\(TerminalText.plain(argument.path))'") {
            try SigningKey(pem: pem)
        }
        var generator = SystemRandomNumberGenerator()
        let unknown = HexDigit.text(of: (0..<32).map { _ in generator.next() as UInt8 })
        var provider = DriftProvider(
            key: key, keyID: argument.key.keyID, teamID: argument.key.teamID, topic: topic, now: SystemFacts.now,
            deviceToken: unknown)
        provider.keyEnvironment = argument.key.environment
        provider.keyTopics = argument.key.topics
        if let token {
            try CommandFailure.check(
                DeviceToken(hex: token) != nil, .badConfiguration,
                "invalid --token: expected the hexadecimal digits of a device token")
            provider.ownDeviceToken = token
        }
        return provider
    }

    private func target(_ text: String) throws -> DriftTarget {
        var target = try CommandFailure.explaining { try DriftTarget(parsing: text) }
        try CommandFailure.check(
            target.address.isSecure || target.isLocal, .badConfiguration,
            "invalid --upstream '\(TerminalText.plain(text))': expected https://, because provider tokens are secret")
        if let upstreamCa { target.authoritiesPEM = try AtomicFile.pem(upstreamCa, option: "--upstream-ca") }
        target.options.proxy = try CommandFailure.explaining("HTTPS_PROXY") {
            try UpstreamProxy.from(SystemFacts.environment, for: target.address)
        }
        let limit = try DurationText.milliseconds(timeout, option: "--timeout")
        try CommandFailure.check(
            (1...600_000).contains(limit), .usage, "invalid --timeout '\(timeout)': expected 1ms to 10m")
        target.limitEachStage(milliseconds: limit)
        return target
    }

    private func pace(on target: DriftTarget) throws -> Duration {
        let time = try DurationText.milliseconds(pace, option: "--pace")
        let least = target.isLocal ? 0 : Self.shortestPace
        try CommandFailure.check(
            (least...5_000).contains(time), .usage,
            "invalid --pace '\(pace)': expected \(least)ms to 5s for this service")
        return .milliseconds(time)
    }

    private static func report(_ path: String, option: String) throws -> DriftReport {
        let bytes = try AtomicFile.input(path, option: option, limit: AtomicFile.largest)
        return try CommandFailure.explaining("invalid \(option) '\(TerminalText.plain(path))'") {
            try DriftReport(reading: bytes)
        }
    }

    // MARK: Without sending

    private static func apply(_ report: DriftReport) throws {
        let options = report.options
        if options.isEmpty { Console.note("No difference that an option of serve explains.") }
        for part in report.partial {
            Console.note("\(part.option) explains \(part.count) of the \(part.all) cases that are about it.")
        }
        let unexplained = report.unexplained.count
        if unexplained > 0 { Console.note("\(counted(unexplained, "difference", "differences")) without an option.") }
        if !options.isEmpty { Console.answer(options.joined(separator: " ")) }
    }

    private func printRequests() throws {
        var comparison = DriftComparison(
            try DriftProvider.example(topic: topic, hasDevice: token != nil),
            with: try CommandFailure.explaining { try DriftTarget(parsing: upstream ?? "sandbox") })
        comparison.makesChannel = channels
        comparison.certificatePEM = cert.map { _ in "" }
        if let resume { comparison.earlier = try Self.report(resume, option: "--resume") }
        Console.answer(comparison.requestList)
    }
}

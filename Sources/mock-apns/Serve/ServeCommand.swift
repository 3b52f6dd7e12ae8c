internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsRules
internal import Synchronization

struct ServeCommand: AsyncParsableCommand {
    static let configuration = command(
        "Run the server.",
        discussion: """
            Prints one line, "mock-apns ready ...", on standard output once everything accepts connections. \
            SIGTERM or SIGINT stops it within five seconds; a second one at once.
            """, examples: "mock-apns serve", "mock-apns serve --strict --devices phones.json --data apns-data")

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let signals = try StopSignals()
        SystemFacts.raiseFileLimit()
        var settings = try ServeSettings(options, environment: SystemFacts.environment)
        let problems = Mutex(ProblemLog())
        settings.configuration.onConnectionProblem = { problem in
            let lines = problems.withLock { $0.lines(for: problem.description, at: SystemFacts.now) }
            for line in lines { Console.note(line) }
        }
        let server = try await RunningServer(settings) { signals.ask() }
        Console.answer(server.notice.banner(on: .output))
        if let warning = settings.apiWarning { Console.note(warning) }
        await signals.wait()
        Console.note("stopping; a second signal stops at once")
        server.inspector.readiness.markStopping()
        try await server.stop()
    }
}

struct ReadyNotice {
    let apnsURLs: [String]
    /// The addresses of the binary interface and its feedback service.
    var binaryListeners: [ListenAddress] = []
    let apiURL: String
    /// The file with the certificate that clients have to trust; `nil` for a `--tls-cert` without a known authority.
    let authorityPath: String?
    let developmentKey: Inspector.Facts.Key?
    var processID = SystemFacts.processID
    var version = Version.text

    /// The line on standard output; the text before the first `=` never changes.
    var line: String {
        "mock-apns ready apns=\(apnsURLs.joined(separator: ",")) api=\(apiURL) ca=\(authorityPath ?? "-")"
            + " pid=\(processID) version=\(version)"
            + ServeSettings.binaryOptions.map { option in
                let addresses = addresses(of: option.interface).joined(separator: ",")
                return addresses.isEmpty ? "" : " \(option.interface)=\(addresses)"
            }.joined()
    }

    /// The line, wrapped between its parts on a terminal.
    func banner(on terminal: Terminal) -> String {
        guard terminal != .plain else { return line }
        let title = "mock-apns ready"
        let parts = terminal.paragraph(
            String(line.dropFirst(title.count + 1)), indent: title.count + 1, hanging: 2 - title.count - 1)
        return terminal.styled(title, .good) + parts.dropFirst(title.count)
    }

    private func addresses(of interface: ProviderInterface) -> [String] {
        binaryListeners.filter { $0.interface == interface }.map(\.hostAndPort)
    }

    var json: [UInt8] {
        let key = developmentKey.map { ["keyId": $0.keyID, "teamId": $0.teamID, "path": $0.path] }
        let members: [String: (any ShapeValue)?] = [
            "apns": apnsURLs, "api": apiURL, "ca": JSONValue(authorityPath), "pid": Int(processID), "version": version,
            "developmentKey": key, "gateway": addresses(of: .gateway), "feedback": addresses(of: .feedback),
        ]
        return JSONValue.members(members).text + [0x0a]
    }
}

/// Limits the log of connections that ended badly, one line each, to a rate.
struct ProblemLog {
    /// The maximum number of lines per second; a client that retries in a loop must not fill a disk.
    static let linesPerSecond = 10

    private var second: Int64 = 0
    private var count = 0

    /// The lines to log for one more connection, at a time in seconds.
    mutating func lines(for problem: String, at now: Int64) -> [String] {
        var lines: [String] = []
        if second != now {
            let skipped = count - Self.linesPerSecond
            if skipped > 0 { lines.append("\(skipped) more connections ended badly") }
            (second, count) = (now, 0)
        }
        count += 1
        return count <= Self.linesPerSecond ? lines + [problem] : lines
    }
}

internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import Synchronization

struct ServeCommand: AsyncParsableCommand {
    static let configuration = command(
        "Run the server.",
        discussion: """
            Prints one line, "mock-apns ready ...", on standard output once everything accepts connections. \
            SIGTERM or SIGINT stops it within five seconds; a second one at once.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let signals = try StopSignals()
        SystemFacts.raiseFileLimit()
        var settings = try ServeSettings(options, environment: SystemFacts.environment)
        let problems = ProblemLog()
        settings.configuration.onConnectionProblem = { problems.note($0.description) }
        let server = try await RunningServer(settings) { signals.ask() }
        Console.answer(server.notice.line)
        if let warning = settings.apiWarning { Console.note(warning) }
        await signals.wait()
        Console.note("stopping; a second signal stops at once")
        server.inspector.markStopping()
        try await server.stop()
    }
}

struct ReadyNotice {
    let apnsURLs: [String]
    let apiURL: String
    /// The file with the certificate that clients have to trust; `nil` for a `--tls-cert` without a known authority.
    let authorityPath: String?
    let processID: Int32
    let developmentKey: Inspector.Facts.Key?

    /// The line on standard output; the text before the first `=` never changes.
    var line: String {
        "mock-apns ready apns=\(apnsURLs.joined(separator: ",")) api=\(apiURL) ca=\(authorityPath ?? "-")"
            + " pid=\(processID) version=\(Version.text)"
    }

    var json: [UInt8] {
        let key = developmentKey.map { ["keyId": $0.keyID, "teamId": $0.teamID, "path": $0.path] }
        let members: [String: (any ShapeValue)?] = [
            "apns": apnsURLs, "api": apiURL, "ca": JSONValue(authorityPath), "pid": Int(processID),
            "version": Version.text, "developmentKey": key,
        ]
        return JSONValue.members(members).text + [0x0a]
    }
}

/// Logs connections that ended badly, one line each, up to a rate.
final class ProblemLog: Sendable {
    /// The maximum number of lines per second; a client that retries in a loop must not fill a disk.
    static let linesPerSecond = 10

    private struct State {
        var second: Int64 = 0
        var lines = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Int64
    private let write: @Sendable (String) -> Void

    init(
        now: @escaping @Sendable () -> Int64 = { SystemFacts.now },
        write: @escaping @Sendable (String) -> Void = { Console.note($0) }
    ) {
        self.now = now
        self.write = write
    }

    func note(_ line: String) {
        let second = now()
        let lines: [String] = state.withLock { state in
            var lines: [String] = []
            if state.second != second {
                let skipped = state.lines - Self.linesPerSecond
                if skipped > 0 { lines.append("\(skipped) more connections ended badly") }
                state = State(second: second)
            }
            state.lines += 1
            if state.lines <= Self.linesPerSecond { lines.append(line) }
            return lines
        }
        for line in lines { write(line) }
    }
}

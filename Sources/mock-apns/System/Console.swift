internal import Synchronization

/// The terminal: results on standard output, everything else on standard error.
enum Console {
    /// The beginning of every line on standard error, and whether it has errors only.
    private static let log = Mutex((name: "mock-apns", isQuiet: false))

    /// Sets whether only errors and results are printed, and a label that identifies this server in a shared log.
    static func configure(isQuiet: Bool, label: String?) {
        log.withLock { $0 = (label.map { "mock-apns[\($0)]" } ?? "mock-apns", isQuiet) }
    }

    static func note(_ text: String) { note(lines(of: text)) }

    /// Prints lines, some with a style.
    static func note(_ lines: [any CellText]) { if !log.withLock(\.isQuiet) { printMessage(lines) } }

    /// Prints a note in place of an empty result.
    static func none(_ text: String) -> String? {
        note(text)
        return nil
    }

    static func error(_ text: String) { printMessage(lines(of: text), .bad) }

    private static func lines(of text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// What the reader of standard error can see.
    private static let terminal = SystemFacts.terminal(2)

    private static func printMessage(_ lines: [any CellText], _ style: Style = .secondary) {
        let message = message(lines, from: log.withLock(\.name), style, on: terminal)
        write("\(message)\n".utf8, to: 2)
    }

    /// Returns lines after a name, which has a style; they are wrapped to the width of a terminal.
    static func message(_ lines: [any CellText], from name: String, _ style: Style, on terminal: Terminal) -> String {
        lines.enumerated().map { index, line in
            let start = index == 0 ? "\(name):" : ""
            let indent = line.text.prefix { $0 == " " }.count
            let text = String(line.text.dropFirst(indent)).styled(line.style)
            let space = index == 0 ? 1 : 0
            // The name is in the margin of the first line.
            let hanging = 2 - space - start.count
            let paragraph = terminal.paragraph(text, indent: start.count + space + indent, hanging: hanging)
            return terminal.styled(start, style) + paragraph.dropFirst(start.count)
        }.joined(separator: "\n")
    }

    /// Prints a result, and returns whether it could be written.
    @discardableResult static func answer(_ text: String) -> Bool { write("\(text)\n".utf8) }

    /// Writes unbuffered, and returns whether all bytes could be written.
    @discardableResult static func write(_ bytes: some Sequence<UInt8>, to descriptor: Int32 = 1) -> Bool {
        SystemFacts.writeAll(Array(bytes), to: descriptor)
    }
}

/// The reason why a command fails: a message for the terminal and an exit code.
///
/// Every throwing function here throws it, unless its comment says otherwise.
struct CommandFailure: Error, Equatable {
    /// Exit codes, after `sysexits.h` where it has one.
    enum Status: Int32 {
        /// An assertion that fails, or a push that is rejected.
        case unmet = 1
        /// The user did not agree to what the command would do.
        case noConsent = 2
        /// Invalid arguments, as in ArgumentParser, or a request that the API refuses.
        case usage = 64
        /// An input file is missing or unreadable.
        case noInput = 66
        case unreachable = 69
        case internalError = 70
        case cannotBind = 71
        case cannotWrite = 73
        /// An option, a key or a certificate is invalid, or the system lacks what an option needs.
        case badConfiguration = 78
        /// The command of `exec` cannot be run; the same code as in shells.
        case cannotRun = 126
        /// The command of `exec` is not found; the same code as in shells.
        case noSuchCommand = 127
    }

    let status: Status
    let message: String

    init(_ status: Status, _ message: String) { (self.status, self.message) = (status, message) }

    static func check(_ isRight: Bool, _ status: Status, _ problem: String) throws {
        if !isRight { throw CommandFailure(status, problem) }
    }

    /// Performs an action, and turns its errors into failures that begin with `problem`.
    ///
    /// A `CommandFailure` is passed on unchanged.
    static func explaining<Result>(
        _ problem: String? = nil, _ status: Status = .badConfiguration, _ action: () throws -> Result
    ) throws -> Result {
        do { return try action() } catch let failure as CommandFailure { throw failure } catch {
            throw CommandFailure(status, (problem.map { "\($0): " } ?? "") + TerminalText.plain("\(error)"))
        }
    }
}

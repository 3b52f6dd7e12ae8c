import ArgumentParser
import TestSupport
import Testing

@testable import mock_apns

/// The help of every subcommand at 80 columns.
@Suite struct HelpTests {
    private typealias Command = (name: String, type: any ParsableCommand.Type)

    /// The commands of the tree, each with its name as it is typed.
    private static func commands(below command: Command) -> [Command] {
        [command]
            + command.type.configuration.subcommands.flatMap { type in
                commands(below: ("\(command.name) \(type.configuration.commandName ?? "?")", type))
            }
    }

    private static var all: [Command] { commands(below: ("mock-apns", MockAPNsCommand.self)) }

    private static func help(_ command: Command, on terminal: Terminal = .plain) -> String {
        let text = MockAPNsCommand.helpMessage(for: command.type, columns: 80)
        return HelpText.shown(text, width: 80, on: terminal)
    }

    @Test func `the help of every command is that of the golden file`() throws {
        let parts = Self.all.map { "$ \($0.name) --help\n\(Self.help($0))\n\n" }
        try GoldenFile("help.txt").expect(parts.joined())
    }

    @Test func `no line of help is longer than 80 columns`() {
        #expect(Self.all.count > 60)
        for command in Self.all {
            for line in Self.help(command).split(separator: "\n") {
                #expect(line.count <= 80, "\(command.name): \(line)")
            }
        }
    }

    /// A continued example ends with a backslash, and no other line of one begins in the first column.
    @Test func `examples can be pasted into a shell`() throws {
        for command in Self.all {
            let lines = Self.help(command).split(separator: "\n", omittingEmptySubsequences: false)
            guard let title = lines.firstIndex(where: { $0 == "Example:" || $0 == "Examples:" }) else { continue }
            var isContinued = false
            for line in lines[(title + 1)...].prefix(while: { !$0.isEmpty }) {
                let indent = line.prefix { $0 == " " }.count
                #expect(indent == (isContinued ? 6 : 2), "\(command.name): \(line)")
                isContinued = line.hasSuffix(" \\")
            }
            #expect(!isContinued)
        }
    }

    @Test func `every command has an example`() {
        let bare = Self.all.filter { !Self.help($0).contains("\nExample") }.map(\.name)
        #expect(bare == [])
    }

    @Test(arguments: [["pushes", "list", "--help"], ["help", "pushes", "list"], ["pushes", "list", "-h"]])
    func `the program prints the help that the parser has`(_ arguments: [String]) throws {
        let command = try #require(Self.all.first { $0.name == "mock-apns pushes list" })
        let outcome = try Program.run(arguments, environment: ["COLUMNS": ""])
        #expect(outcome.output == Self.help(command) + "\n")
        #expect(outcome.status == 0 && outcome.errors == "")
    }

    @Test(arguments: [(20, 80), (80, 80), (90, 90), (300, 100)])
    func `help is as wide as the terminal, up to a readable width`(_ columns: Int, _ width: Int) {
        #expect(HelpText.width(of: Terminal(width: columns, hasStyle: false), environment: [:]) == width)
        #expect(HelpText.width(of: .plain, environment: ["COLUMNS": "\(columns)"]) == width)
    }

    @Test func `help has bold headings on a terminal`() throws {
        let command = try #require(Self.all.first { $0.name == "mock-apns devices rotate" })
        let help = Self.help(command, on: Terminal(width: 80, hasStyle: true))
        for heading in ["OVERVIEW:", "Example:", "USAGE:", "ARGUMENTS:", "OPTIONS:"] {
            #expect(help.contains("\u{1b}[1m\(heading)\u{1b}[0m"), "\(help)")
        }
    }

    @Test func `completions are not changed`() throws {
        let script = try Program.run(["--generate-completion-script", "bash"]).output
        #expect(script == MockAPNsCommand.completionScript(for: .bash) + "\n")
    }
}

/// Examples as they are shown in the help.
@Suite struct ExampleTextTests {
    @Test(arguments: [
        ("a b", ["  a b"]),
        (
            "mock-apns verify --topic com.example.app --title 'Order placed' --count 1 --within 5s",
            ["  mock-apns verify --topic com.example.app --title 'Order placed' --count 1 \\", "      --within 5s"]
        ),
        (
            #"mock-apns wait -q 'topic:com.example.app has:badge or a:b' --count 3 --after "$SEQ""#,
            ["  mock-apns wait -q 'topic:com.example.app has:badge or a:b' --count 3 \\", #"      --after "$SEQ""#]
        ),
    ]) func `long lines of usage are broken between options`(_ command: String, _ lines: [String]) {
        #expect(ExampleText.lines(command) == lines)
    }
}

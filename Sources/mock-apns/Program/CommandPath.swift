internal import ArgumentParser
internal import MockAPNsFormats

/// The subcommand that the first arguments name.
struct CommandPath {
    private(set) var command: any ParsableCommand.Type
    private var names: [String]
    /// The word that is not a subcommand where one is expected.
    private var unknown: String?

    init(_ arguments: [String], of root: any ParsableCommand.Type) {
        (command, names) = (root, [root.configuration.commandName ?? ""])
        for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word == "help" && names.count == 1 { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                unknown = word
                return
            }
            command = next
            names.append(word)
        }
        // Without a subcommand, the arguments are those of the default.
        while let next = command.configuration.defaultSubcommand {
            command = next
            names.append(next.configuration.commandName ?? "")
        }
    }

    /// The names of the commands: `mock-apns pushes list`.
    var text: String { names.joined(separator: " ") }

    /// Throws for a misspelt subcommand, which ArgumentParser would take for an argument of the default subcommand.
    func check(of root: any ParsableCommand.Type) throws {
        guard let unknown else { return }
        let known = command.configuration.subcommands.compactMap { $0.configuration.commandName }
        let hint =
            Suggestion.nearest(to: unknown, among: known).map { "did you mean '\(text) \($0)'?" }
            ?? "expected one of \(known.joined(separator: ", "))"
        let usage = HelpText.usage("  usage: ", of: command, in: root)
        let name = "\(text) \(TerminalText.plain(unknown))"
        throw CommandFailure(.usage, "unknown command '\(name)'; \(hint)\n\(usage)")
    }
}

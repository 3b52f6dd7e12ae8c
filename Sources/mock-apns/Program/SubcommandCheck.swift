internal import ArgumentParser
internal import MockAPNsFormats

/// Finds misspelt subcommands before ArgumentParser takes them for arguments of the default subcommand.
enum SubcommandCheck {
    /// Checks the words before the first option.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
        var command = root
        var path = [root.configuration.commandName ?? ""]
        for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word == "help" && path.count == 1 { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                let names = subcommands.compactMap { $0.configuration.commandName }
                throw unknown(word, after: path.joined(separator: " "), among: names)
            }
            command = next
            path.append(word)
        }
    }

    private static func unknown(
        _ word: String,
        after parent: String,
        among names: [String]
    ) -> ValidationError {
        let hint =
            Suggestion.nearest(to: word, among: names).map { "did you mean '\(parent) \($0)'?" }
            ?? "expected one of \(names.joined(separator: ", "))."
        return ValidationError("unknown command '\(parent) \(TerminalText.plain(word))': \(hint)")
    }
}

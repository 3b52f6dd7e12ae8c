internal import ArgumentParser
internal import MockAPNsFormats
internal import MockAPNsInspector

/// Finds misspelt subcommands before the parser of arguments takes them for arguments of the default one.
enum CommandWords {
    /// Looks at the words before the first option.
    ///
    /// - Throws: `ValidationError` for one that is no subcommand where one is expected.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
        var command = root
        var path = [root.configuration.commandName ?? ""]
        for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            let subcommands = command.configuration.subcommands
            if subcommands.isEmpty || word == "help" && path.count == 1 { return }
            guard let next = subcommands.first(where: { $0.configuration.commandName == word }) else {
                throw unknown(
                    word,
                    after: path,
                    among: subcommands.compactMap { $0.configuration.commandName }
                )
            }
            command = next
            path.append(word)
        }
    }

    private static func unknown(
        _ word: String,
        after path: [String],
        among names: [String]
    ) -> ValidationError {
        let parent = path.joined(separator: " ")
        let hint =
            Suggestion.nearest(to: word, among: names).map { "Did you mean '\(parent) \($0)'?" }
            ?? "There are: \(names.joined(separator: ", "))."
        return ValidationError("There is no command '\(parent) \(TerminalText.plain(word))'. \(hint)")
    }
}

internal import ArgumentParser

extension CommandConfiguration {
    /// Creates the configuration of a command whose help ends with examples.
    init(
        _ name: String,
        _ abstract: String,
        usage: String? = nil,
        discussion: String = "",
        examples: String...,
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) {
        let example = (["Example:"] + examples.map { "  " + $0 }).joined(separator: "\n")
        let parts = [discussion, examples.isEmpty ? "" : example].filter { !$0.isEmpty }
        self.init(
            commandName: name,
            abstract: abstract,
            usage: usage,
            discussion: parts.joined(separator: "\n\n"),
            subcommands: subcommands,
            defaultSubcommand: defaultSubcommand
        )
    }
}

extension ArgumentHelp {
    /// The help of an argument that takes a value.
    static func value(_ name: String, _ abstract: String, discussion: String = "") -> ArgumentHelp {
        ArgumentHelp(abstract, discussion: discussion, valueName: name)
    }
}

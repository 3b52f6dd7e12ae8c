internal import ArgumentParser

extension ParsableArguments {
    /// The configuration of a command whose help ends with examples.
    ///
    /// Unless it is given, the name is the last word of the type: `list` for `DevicesListCommand` and for `List`.
    static func command(
        _ abstract: String,
        name: String? = nil,
        usage: String? = nil,
        discussion: String = "",
        examples: String...,
        subcommands: [any ParsableCommand.Type] = [],
        defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) -> CommandConfiguration {
        let example = (["Example:"] + examples.map { "  " + $0 }).joined(separator: "\n")
        let type = String(describing: Self.self)
        let words = type.hasSuffix("Command") ? type.dropLast("Command".count) : type[...]
        let last = words.lastIndex(where: \.isUppercase).map { words[$0...].lowercased() }
        return CommandConfiguration(
            commandName: name ?? last,
            abstract: abstract,
            usage: usage,
            discussion: [discussion, examples.isEmpty ? nil : example].given(joinedBy: "\n\n") ?? "",
            subcommands: subcommands,
            defaultSubcommand: defaultSubcommand
        )
    }

    /// The names of the options: `_apnsListen`, the storage of a property wrapper, is `apns-listen`.
    static var names: [String] { Mirror(reflecting: Self()).children.compactMap(\.label).map(name) }

    /// The texts given for each option, by its name; that of a flag is `true`.
    var texts: [String: [String]] {
        Mirror(reflecting: self).children.reduce(into: [:]) { texts, child in
            texts[Self.name(child.label ?? "")] =
                switch child.value {
                case let option as Option<String?>: [option.wrappedValue].compactMap(\.self)
                case let option as Option<[String]>: option.wrappedValue
                case let flag as Flag<Bool>: flag.wrappedValue ? ["true"] : []
                default: []
                }
        }
    }

    private static func name(_ property: String) -> String {
        property.dropFirst().map { $0.isUppercase ? "-\($0.lowercased())" : String($0) }.joined()
    }
}

extension CompletionKind {
    static var json: CompletionKind { .file(extensions: ["json"]) }
}

extension ArgumentHelp {
    static func value(_ name: String, _ abstract: String, discussion: String = "") -> ArgumentHelp {
        ArgumentHelp(abstract, discussion: discussion, valueName: name)
    }
}

extension Option {
    /// An option that may be missing; `value` names its value in the help.
    init<Given: ExpressibleByArgument>(
        _ value: String,
        _ help: String,
        discussion: String = "",
        name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next,
        completion: CompletionKind? = nil
    ) where Value == Given? {
        self.init(
            name: name,
            parsing: parsing,
            help: .value(value, help, discussion: discussion),
            completion: completion
        )
    }

    /// A repeatable option; `value` names its value in the help.
    init<Given: ExpressibleByArgument>(
        wrappedValue: [Given],
        _ value: String,
        _ help: String,
        discussion: String = "",
        name: NameSpecification = .long
    ) where Value == [Given] {
        self.init(wrappedValue: wrappedValue, name: name, help: .value(value, help, discussion: discussion))
    }
}

struct PushHeaderOptions: ParsableArguments {
    @Option(help: .value("topic", "The value of apns-topic."))
    var topic: String?

    @Option(help: .value("type", "The value of apns-push-type."))
    var pushType: String?

    @Option(help: .value("10|5|1", "The value of apns-priority."))
    var priority: String?

    @Option(help: .value("seconds", "The value of apns-expiration."))
    var expiration: String?

    @Option(name: .customLong("collapse-id"), help: .value("id", "The value of apns-collapse-id."))
    var collapseId: String?
}

internal import ArgumentParser

extension ParsableArguments {
    /// The configuration of a command whose help ends with examples.
    ///
    /// Unless it is given, the name is the last word of the type: `list` for `DevicesListCommand` and for `List`.
    static func command(
        _ abstract: String, name: String? = nil, usage: String? = nil, discussion: String = "", examples: String...,
        subcommands: [any ParsableCommand.Type] = [], defaultSubcommand: (any ParsableCommand.Type)? = nil
    ) -> CommandConfiguration {
        let title = examples.count > 1 ? "Examples:" : "Example:"
        let example = ([title] + examples.flatMap(ExampleText.lines)).joined(separator: "\n")
        let type = String(describing: Self.self)
        let words = type.hasSuffix("Command") ? type.dropLast("Command".count) : type[...]
        let last = words.lastIndex(where: \.isUppercase).map { words[$0...].lowercased() }
        return CommandConfiguration(
            commandName: name ?? last, abstract: abstract, usage: usage,
            discussion: [discussion, examples.isEmpty ? nil : example].given(joinedBy: "\n\n") ?? "",
            subcommands: subcommands, defaultSubcommand: defaultSubcommand)
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

/// An example of a command, on lines that can be pasted into a shell.
enum ExampleText {
    /// With the backslash, a line is one column shorter than a terminal usually is: ArgumentParser breaks longer ones.
    private static let longest = 79 - 2

    /// Breaks a command before options and after pipes, each line but the last with a backslash.
    static func lines(_ command: String) -> [String] {
        var lines: [String] = []
        var line = " "
        for part in parts(of: command) {
            if line.count + 1 + part.count > longest, line.contains(where: { $0 != " " }) {
                lines.append(line + " \\")
                line = "     "
            }
            line += " " + part
        }
        return lines + [line]
    }

    /// The words of a command; an option and its value are one part, and quoted spaces do not separate words.
    private static func parts(of command: String) -> [String] {
        var words = [""]
        var quote: Character?
        for character in command {
            if character == " ", quote == nil {
                words.append("")
                continue
            }
            if character == quote { quote = nil } else if quote == nil, "'\"".contains(character) { quote = character }
            words[words.count - 1].append(character)
        }
        return words.reduce(into: []) { parts, word in
            let isOfOption = parts.last.map { $0.hasPrefix("-") && !$0.contains(" ") } ?? false
            if isOfOption, !word.hasPrefix("-"), word != "|" {
                parts[parts.count - 1] += " " + word
            } else {
                parts.append(word)
            }
        }
    }
}

extension CompletionKind { static var json: CompletionKind { .file(extensions: ["json"]) } }

extension NameSpecification {
    /// The type of a push, `--push-type` as in the header; `--type` is the same.
    static var pushType: NameSpecification { [.customLong("push-type"), .customLong("type")] }
}

extension ArgumentHelp {
    static func value(_ name: String, _ abstract: String, discussion: String = "") -> ArgumentHelp {
        ArgumentHelp(abstract, discussion: discussion, valueName: name)
    }
}

extension Option {
    /// An option that may be missing; `value` names its value in the help.
    init<Given: ExpressibleByArgument>(
        _ value: String, _ help: String, discussion: String = "", name: NameSpecification = .long,
        parsing: SingleValueParsingStrategy = .next, completion: CompletionKind? = nil
    ) where Value == Given? {
        self.init(
            name: name, parsing: parsing, help: .value(value, help, discussion: discussion), completion: completion)
    }

    /// A repeatable option; `value` names its value in the help.
    init<Given: ExpressibleByArgument>(
        wrappedValue: [Given], _ value: String, _ help: String, discussion: String = "", name: NameSpecification = .long
    ) where Value == [Given] {
        self.init(wrappedValue: wrappedValue, name: name, help: .value(value, help, discussion: discussion))
    }
}

struct PushHeaderOptions: ParsableArguments {
    @Option(help: .value("topic", "The value of apns-topic.")) var topic: String?

    @Option("type", "The value of apns-push-type.", name: .pushType) var pushType: String?

    @Option(help: .value("10|5|1", "The value of apns-priority.")) var priority: String?

    @Option(help: .value("seconds", "The value of apns-expiration.")) var expiration: String?

    @Option(name: .customLong("collapse-id"), help: .value("id", "The value of apns-collapse-id.")) var collapseId:
        String?
}

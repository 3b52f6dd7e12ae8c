internal import MockAPNsFormats

/// JSON values as YAML: block style, with every text that could be taken for something else in quotes.
///
/// https://yaml.org/spec/1.2.2/
struct YAMLText {
    /// The value as a YAML document.
    let text: String

    init(_ value: JSONValue) {
        var lines: [String] = []
        Self.write(value, after: "", indent: 0, to: &lines)
        text = lines.joined(separator: "\n") + "\n"
    }

    private static func write(_ value: JSONValue, after lead: String, indent: Int, to lines: inout [String]) {
        let space = String(repeating: "  ", count: indent)
        switch value {
        case .object(let members) where !members.isEmpty:
            if !lead.isEmpty { lines.append(lead) }
            for (name, member) in members.sortedByName {
                write(member, after: "\(space)\(key(name)):", indent: indent + 1, to: &lines)
            }
        case .array(let values) where !values.isEmpty:
            if !lead.isEmpty { lines.append(lead) }
            for value in values { write(value, after: "\(space)-", indent: indent + 1, to: &lines) }
        default:
            // JSON's texts, numbers and empty collections are YAML as they are.
            let text = String(decoding: value.text, as: UTF8.self)
            lines.append(lead.isEmpty ? text : "\(lead) \(text)")
        }
    }

    /// A plain word where nothing can take it for a number, a truth value or the null; otherwise in quotes.
    private static func key(_ name: String) -> String {
        let isPlain =
            name.first?.isLetter == true && name.utf8.count > 3
            && name.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
            }
        let isTaken = ["true", "false", "null"].contains(name.lowercased())
        return isPlain && !isTaken ? name : String(decoding: JSONValue.string(name).text, as: UTF8.self)
    }
}

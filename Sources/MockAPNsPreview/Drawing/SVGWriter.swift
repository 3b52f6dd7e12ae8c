/// Writes SVG, so that no text can be anything but text.
///
/// Presentation attributes alone: no style sheet, no script, no link, nothing from elsewhere.
struct SVGWriter {
    /// What an attribute may be.
    enum Value: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral, ExpressibleByStringInterpolation {
        case number(Double)
        case text(String)

        init(floatLiteral value: Double) { self = .number(value) }
        init(integerLiteral value: Int) { self = .number(Double(value)) }
        init(stringLiteral value: String) { self = .text(value) }
    }

    typealias Attributes = KeyValuePairs<StaticString, Value>

    /// What has been written.
    private(set) var text = ""

    /// An element without content.
    mutating func element(_ name: StaticString, _ attributes: Attributes) {
        begin(name, attributes)
        text += "/>\n"
    }

    /// An element whose content is a text.
    mutating func element(_ name: StaticString, _ attributes: Attributes, text content: String) {
        begin(name, attributes)
        text += ">" + Self.escaped(content) + "</\(name)>\n"
    }

    /// An element whose content is other elements.
    mutating func element(_ name: StaticString, _ attributes: Attributes, _ write: (inout SVGWriter) -> Void)
    {
        begin(name, attributes)
        text += ">\n"
        write(&self)
        text += "</\(name)>\n"
    }

    /// What another writer has written.
    mutating func append(_ other: SVGWriter) { text += other.text }

    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        text += "<\(name)"
        for (name, value) in attributes {
            switch value {
            case .number(let number): text += " \(name)=\"\(Self.shown(number))\""
            case .text(let value): text += " \(name)=\"\(Self.escaped(value))\""
            }
        }
    }

    /// A number with at most two digits behind the point.
    static func shown(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e9 else { return "0" }
        let hundredths = Int((number * 100).rounded())
        if hundredths.isMultiple(of: 100) { return String(hundredths / 100) }
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        let digits = rest.isMultiple(of: 10) ? String(rest / 10) : (rest < 10 ? "0" : "") + String(rest)
        return (hundredths < 0 ? "-" : "") + "\(whole).\(digits)"
    }

    /// A text in which nothing is markup, and nothing that XML 1.0 forbids is left.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars where DrawnText.isWritable(scalar) {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}

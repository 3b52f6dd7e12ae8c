protocol SVGValue {
    var svg: String { get }
}

extension Double: SVGValue {
    var svg: String { SVGWriter.shown(self) }
}

extension Int: SVGValue {
    var svg: String { description }
}

extension String: SVGValue {
    var svg: String { SVGWriter.escaped(self) }
}

/// Writes SVG and escapes all text, so that no input can inject markup.
///
/// Uses only presentation attributes: no style sheets, scripts, links or external resources.
struct SVGWriter {
    typealias Attributes = KeyValuePairs<StaticString, any SVGValue>

    private(set) var text = ""

    mutating func element(_ name: StaticString, _ attributes: Attributes) {
        begin(name, attributes)
        text += "/>\n"
    }

    mutating func element(_ name: StaticString, _ attributes: Attributes, text content: String) {
        begin(name, attributes)
        text += ">" + Self.escaped(content) + "</\(name)>\n"
    }

    mutating func element(_ name: StaticString, _ attributes: Attributes, _ write: (inout SVGWriter) -> Void)
    {
        begin(name, attributes)
        text += ">\n"
        write(&self)
        text += "</\(name)>\n"
    }

    mutating func append(_ other: SVGWriter) { text += other.text }

    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        text += "<\(name)"
        for (name, value) in attributes { text += " \(name)=\"\(value.svg)\"" }
    }

    /// Formats a number with at most two decimal places.
    static func shown(_ number: Double) -> String {
        guard number.isFinite, abs(number) < 1e9 else { return "0" }
        let hundredths = Int((number * 100).rounded())
        if hundredths.isMultiple(of: 100) { return String(hundredths / 100) }
        let (whole, rest) = abs(hundredths).quotientAndRemainder(dividingBy: 100)
        let digits = rest.isMultiple(of: 10) ? String(rest / 10) : (rest < 10 ? "0" : "") + String(rest)
        return (hundredths < 0 ? "-" : "") + "\(whole).\(digits)"
    }

    /// Escapes markup and removes characters that are invalid in XML 1.0.
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

/// Writes SVG and escapes all text, so that no input can inject markup.
///
/// Uses only presentation attributes: no style sheets, scripts, links or external resources.
struct SVGWriter {
    /// Names and values: strings, or numbers, which are written with at most two decimal places.
    typealias Attributes = KeyValuePairs<StaticString, any CustomStringConvertible>

    private(set) var text = ""

    mutating func element(_ name: StaticString, _ attributes: Attributes, text content: String? = nil) {
        begin(name, attributes)
        text += content.map { ">\(Self.escaped($0))</\(name)>\n" } ?? "/>\n"
    }

    mutating func rect(_ box: Box, radius: Double, _ style: Attributes = [:]) {
        begin("rect", ["x": box.x, "y": box.y, "width": box.width, "height": box.height, "rx": radius])
        add(style)
        text += "/>\n"
    }

    /// Begins an element that contains everything written until `close`.
    mutating func open(_ name: StaticString, _ attributes: Attributes = [:]) {
        begin(name, attributes)
        text += ">\n"
    }

    mutating func close(_ name: StaticString) { text += "</\(name)>\n" }

    mutating func append(_ other: SVGWriter) { text += other.text }

    private mutating func begin(_ name: StaticString, _ attributes: Attributes) {
        text += "<\(name)"
        add(attributes)
    }

    private mutating func add(_ attributes: Attributes) {
        for (name, value) in attributes {
            text += " \(name)=\"\((value as? Double)?.svg ?? Self.escaped(value.description))\""
        }
    }

    private static let entities: [Unicode.Scalar: String] = [
        "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;",
    ]

    /// Escapes markup and removes characters that are invalid in XML 1.0.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.lazy.filter(DrawnText.isWritable).map { entities[$0] ?? String($0) }.joined()
    }
}

extension Double {
    /// The number with at most two decimal places.
    var svg: String {
        guard isFinite, abs(self) < 1e9 else { return "0" }
        let rounded = (self * 100).rounded() / 100
        return Int(exactly: rounded)?.description ?? rounded.description
    }
}

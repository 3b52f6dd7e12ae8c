/// Metrics in the text format of Prometheus.
///
/// https://prometheus.io/docs/instrumenting/exposition_formats/
struct MetricsText {
    /// The kinds of metrics.
    enum Kind: String {
        case counter
        case gauge
        case histogram
    }

    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    private(set) var text = ""

    /// A metric with its values, each for other labels.
    mutating func add(
        _ name: String,
        _ kind: Kind,
        _ help: String,
        _ values: [(labels: [(name: String, value: String)], value: String)]
    ) {
        begin(name, kind, help)
        for (labels, value) in values { line(name, labels, value) }
    }

    /// A metric that is one number.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: some BinaryInteger) {
        add(name, kind, help, [([], String(value))])
    }

    /// A histogram, whose values are whole numbers of so many millionths.
    mutating func add(
        _ name: String,
        _ help: String,
        bounds: some Collection<Int64>,
        counts: some Collection<UInt64>,
        sum: Int64,
        isInMillionths: Bool
    ) {
        func number(_ value: Int64) -> String { isInMillionths ? Self.millionths(value) : String(value) }
        begin(name, .histogram, help)
        var total: UInt64 = 0
        for (bound, count) in zip(bounds, counts) {
            total += count
            line(name + "_bucket", [("le", number(bound))], String(total))
        }
        total = counts.reduce(0, +)
        line(name + "_bucket", [("le", "+Inf")], String(total))
        line(name + "_sum", [], number(sum))
        line(name + "_count", [], String(total))
    }

    private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: [(name: String, value: String)], _ value: String) {
        let list = labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
        text += name + (list.isEmpty ? "" : "{\(list.joined(separator: ","))}") + " \(value)\n"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        if quotes { escaped = escaped.replacing("\"", with: "\\\"") }
        return escaped
    }

    /// A number of millionths as a decimal number, exactly: `0.0025`.
    static func millionths(_ value: Int64) -> String {
        let (whole, rest) = value.magnitude.quotientAndRemainder(dividingBy: 1_000_000)
        var digits = String(rest)
        digits = String(repeating: "0", count: 6 - digits.utf8.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return (value < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }
}

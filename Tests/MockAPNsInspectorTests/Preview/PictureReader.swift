import Foundation
import Testing

@testable import MockAPNsInspector

#if canImport(FoundationXML)
import FoundationXML
#endif

/// Reads a picture with an XML parser, as a browser would.
final class PictureReader: NSObject, XMLParserDelegate {
    /// What a picture may be made of: nothing of this runs, or comes from elsewhere.
    static let elements: Set<String> = [
        "svg", "title", "desc", "defs", "rect", "circle", "path", "text", "g", "clipPath", "linearGradient",
        "radialGradient", "stop", "image",
    ]
    static let attributes: Set<String> = [
        "xmlns", "width", "height", "viewBox", "role", "aria-labelledby", "font-family", "id", "x", "y", "rx", "fill",
        "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-linecap",
        "stroke-linejoin", "cx", "cy", "r", "d", "clip-path", "x1", "y1", "x2", "y2", "offset", "stop-color",
        "stop-opacity", "font-size", "font-weight", "text-anchor", "direction", "href", "preserveAspectRatio",
    ]

    private(set) var root: [String: String] = [:]
    private(set) var lines: [String] = []
    private(set) var title = ""
    /// What the picture says to those who do not see it.
    private(set) var words = ""
    private(set) var strangers: [String] = []
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        if root.isEmpty { root = attributes }
        if !Self.elements.contains(name) { strangers.append("<\(name)>") }
        for (attribute, value) in attributes {
            if attribute == "href" && !value.hasPrefix("data:image/png;base64,") { strangers.append(value) }
            let isOwn = !value.contains("url(") || value.contains(/^url\(#[a-z]+[0-9]+\)$/)
            if !Self.attributes.contains(attribute) || !isOwn { strangers.append("\(attribute)=\(value)") }
        }
        text = ""
    }

    func number(_ attribute: String) -> Double { Double(root[attribute] ?? "") ?? 0 }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(_ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?) {
        switch name {
        case "text": lines.append(text)
        case "title": title = text
        case "desc": words = text
        default: break
        }
        text = ""
    }
}

extension PreviewPictureTests {
    /// Reads a picture; it has to be well-formed, and made of what pictures are made of.
    static func read(_ answer: APIResponse, _ name: String = "") throws -> PictureReader {
        let reader = PictureReader()
        let parser = XMLParser(data: Data(answer.bytes))
        parser.delegate = reader
        #expect(answer.status == 200, "\(name)")
        #expect(parser.parse(), "\(name): \(parser.parserError.map { "\($0)" } ?? "") in line \(parser.lineNumber)")
        #expect(reader.strangers == [], "\(name)")
        return reader
    }

    static func expectHarmless(_ answer: APIResponse, _ name: String) throws {
        let reader = try read(answer, name)
        #expect(reader.lines.contains { $0.hasPrefix("Approximation of iOS") }, "\(name)")
        // No text is without end, and a picture is one that a page can show at once.
        #expect(answer.bytes.count < 60_000, "\(name) has \(answer.bytes.count) bytes")
        let height = reader.number("height")
        #expect((300...1_300).contains(height), "\(name) is \(height) high")
    }
}

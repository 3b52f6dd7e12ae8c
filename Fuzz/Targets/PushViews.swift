@testable import MockAPNsAPI
@testable import MockAPNsFormats
@testable import MockAPNsInspector
@testable import MockAPNsPreview
@testable import MockAPNsQuery
@testable import MockAPNsWorld

/// Every form in which the debug API shows a push: none of them may be broken by what is in the push.
enum PushViews {
    static func check(_ record: PushRecord, in subject: InspectedServer) throws {
        let shape = ShownPush(record, in: subject.shown)
        let facts = PushFacts(record)
        let preview = NotificationPreview(
            facts, strings: subject.world.strings, categories: subject.world.categories, apps: subject.world.apps)
        for json in [shape.json, shape.summary, APIObject<PreviewShape>(ShownPreview(preview)).json] {
            try require(JSONParser.value(of: json.text) != nil, "a view that is not JSON")
        }
        try require(
            !CurlCommand(facts, in: subject.shown, authority: nil, key: nil).text.utf8.contains(0),
            "a command with a zero byte")
        for view in PreviewView.allCases {
            for appearance in PreviewAppearance.allCases {
                let scene = PreviewScene(preview: preview, appState: nil)
                let svg = scene.picture(view, appearance)
                try checkMarkup(Array(svg.utf8), view)
            }
        }
    }

    /// Whether a picture is well formed: tags that close each other, and no markup that comes from a text.
    private static func checkMarkup(_ svg: [UInt8], _ view: PreviewView) throws {
        func broken(_ what: String) -> Finding { Finding(description: "\(view): \(what) in the picture") }
        var open: [ArraySlice<UInt8>] = []
        var at = svg.startIndex
        while at < svg.endIndex {
            let byte = svg[at]
            if byte < 0x20, ![0x09, 0x0a, 0x0d].contains(byte) { throw broken("a control character") }
            guard byte == UInt8(ascii: "<") else {
                if byte == UInt8(ascii: ">") { throw broken("a '>' outside of a tag") }
                at += 1
                continue
            }
            var end = at + 1
            var quote: UInt8?
            while end < svg.endIndex, quote != nil || svg[end] != UInt8(ascii: ">") {
                let byte = svg[end]
                if byte == UInt8(ascii: "<") { throw broken("a '<' in a tag") }
                if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == quote {
                    quote = nil
                }
                end += 1
            }
            guard end < svg.endIndex else { throw broken("a tag without an end") }
            let tag = svg[(at + 1)..<end]
            at = end + 1
            let name = tag.drop { $0 == UInt8(ascii: "/") }.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }
            if tag.first == UInt8(ascii: "/") {
                guard open.popLast() == name else { throw broken("</\(String(decoding: name, as: UTF8.self))>") }
            } else if tag.last != UInt8(ascii: "/"), tag.first != UInt8(ascii: "?") {
                open.append(name)
            }
            if name.elementsEqual("script".utf8) { throw broken("a script") }
        }
        guard open.isEmpty else { throw broken("\(open.count) tags left open") }
    }
}

import TestSupport
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// What an output can show.
@Suite struct TerminalTests {
    @Test(
        arguments: [
            (true, 100, [:], 100, true), (true, nil, [:], 80, true), (true, 100, ["COLUMNS": "60"], 60, true),
            (true, 100, ["COLUMNS": "0"], 100, true), (true, 100, ["COLUMNS": "wide"], 100, true),
            (false, nil, [:], nil, false), (false, nil, ["COLUMNS": "60"], nil, false),
            (true, 100, ["NO_COLOR": "1"], 100, false), (true, 100, ["NO_COLOR": ""], 100, true),
            (true, 100, ["TERM": "dumb"], 100, false), (false, nil, ["CLICOLOR_FORCE": "1"], nil, true),
            (false, nil, ["FORCE_COLOR": "1"], nil, true), (false, nil, ["FORCE_COLOR": "0"], nil, false),
            (true, 100, ["FORCE_COLOR": "1", "NO_COLOR": "1"], 100, false),
        ] as [(Bool, Int?, [String: String], Int?, Bool)])
    func `width and styles follow from the system and the environment`(
        _ isTerminal: Bool, _ columns: Int?, _ environment: [String: String], _ width: Int?, _ hasStyle: Bool
    ) {
        let terminal = Terminal(isTerminal: isTerminal, columns: columns, environment: environment)
        #expect(terminal == Terminal(width: width, hasStyle: hasStyle))
    }

    @Test func `text is wrapped between words`() {
        let terminal = Terminal(width: 24, hasStyle: false)
        #expect(
            terminal.paragraph("one two three four five", indent: 2, hanging: 2) == "  one two three four\n    five")
        #expect(terminal.paragraph(String(repeating: "x", count: 30)) == String(repeating: "x", count: 30))
        #expect(Terminal.plain.paragraph("one two three four five six", indent: 2) == "  one two three four five six")
    }

    @Test func `a line is cut at its last column`() {
        let terminal = Terminal(width: 12, hasStyle: true)
        #expect(terminal.line(["one".styled(.bad), "", "two", "three"]) == "\u{1b}[31mone\u{1b}[0m  two  t…")
        #expect(Terminal.plain.line(["one".styled(.bad), "two\u{1b}"]) == "one  two\u{fffd}")
    }

    @Test(arguments: [("abc", 3), ("é", 1), ("你好", 4), ("👩‍👩‍👧", 2), ("", 0), ("a…", 2)])
    func `wide characters count as two columns`(_ text: String, _ width: Int) {
        #expect(TerminalText.width(of: text) == width)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdef", 4, "abc…"), ("你好吗", 5, "你好…"), ("你好吗", 4, "你…"), ("ab", 1, "…"),
    ]) func `a text that is too long is cut`(_ text: String, _ width: Int, _ cut: String) {
        #expect(TerminalText.cut(text, to: width) == cut)
    }

    @Test func `long words are broken only in cells`() {
        #expect(TerminalText.broken("ab cdefgh i", to: 4) == ["ab", "cdef", "gh", "i"])
        #expect(TerminalText.cutBeginning("com.example.app", to: 10) == "…ample.app")
    }

    @Test(arguments: [
        ("/aps/alert/0", "aps.alert[0]"), ("headers/apns-topic", "apns-topic"), ("headers/:path", "the device token"),
        ("limit", "limit"), ("", ""),
    ]) func `JSON pointers are printed as places in words`(_ pointer: String, _ words: String) {
        #expect(TerminalText.place(pointer) == words)
    }

    @Test(arguments: [
        ("There is none.", "there is none"), ("APNs is.", "APNs is"), ("'x' is bad.", "'x' is bad"), ("A. B.", "a. B"),
        ("", ""), ("more...", "more..."),
    ]) func `a sentence is printed as a clause after a colon`(_ sentence: String, _ clause: String) {
        #expect(TerminalText.clause(sentence) == clause)
    }
}

/// The program's output at several widths, and in a pipe.
@Suite struct WidthTests {
    private static let summaries = [
        #"{"id":"psh_0000010000000001","seq":1,"receivedAt":"2026-01-05T10:11:12.345678Z","token":"ab","device":"alice","topic":"com.example.app","pushType":"alert","title":"Hi","body":"There is much to say about this order","status":200,"reason":null,"delivery":"delivered"}"#,
        #"{"id":"psh_0000010000000002","seq":12,"receivedAt":"2026-01-05T10:11:12.345678Z","token":"ab","device":null,"topic":"com.example.application.with.a.long.name","pushType":"background","title":"你好你好你好你好你好你好你好","body":null,"status":403,"reason":"ExpiredProviderToken","delivery":"not-attempted"}"#,
    ]
    private static let hint = "The token has 1 part, expected three parts of URL-safe Base64 with dots between them."
    private static let refused = Samples.pushInFull(
        verdict:
            #"{"outcome":"rejected","status":403,"reason":"InvalidProviderToken","meaning":"M.","hint":"\#(hint)","checks":[{"id":"topic","ok":false,"expected":"a topic that the key may push to","actual":"com.example.other.application"}],"problem":null}"#,
        body: #"{"aps":{"alert":"Hi"}}"#,
        lints:
            #"[{"id":"badge-not-integer","severity":"warning","pointer":"/aps/badge","message":"the badge is a text, and a number is expected","hint":"Send a JSON number; 0 removes the badge."}]"#
    )
    private static let presets =
        #"{"presets":[{"name":"goaway-then-refuse","meaning":"GOAWAY after a response, and new connections are refused for a while.","parameters":[]}]}"#

    /// Every kind of output, by a name.
    private static func outputs() throws -> [(name: String, text: String)] {
        let pushes = try summaries.map { try Samples.decoded($0, as: PushSummaryShape.self) }
        let device = try Samples.decoded(Samples.device(), as: DeviceShape.self)
        let event = ServerSentEvent(name: "push.responded", data: refused, id: "2")
        let problem = "Expected at least 1 push, found 0          namespace default, seq 1..22, evicted 0\n  title   ✘"
        return [
            ("pushes list", APIObject<PushSummaryShape>.table(pushes, full: false)),
            ("pushes show", try Samples.decoded(refused, as: PushShape.self).text),
            ("devices list", APIObject<DeviceShape>.table([device], full: false)), ("devices show", device.sheet),
            ("tail", event.summary), ("verify", Terminal.output.report(problem, .bad)),
            (
                "serve",
                ReadyNotice(
                    apnsURLs: ["https://127.0.0.1:2197"], apiURL: "http://127.0.0.1:8197",
                    authorityPath: "certs/ca.pem", developmentKey: nil, processID: 7, version: "1.0.0"
                ).banner(on: .output)
            ),
        ]
    }

    @Test func `the output at each width is that of the golden file`() throws {
        var all = ""
        for width in [40, 80, 120, nil] as [Int?] {
            try Terminal.$output.withValue(Terminal(width: width, hasStyle: false)) {
                let place = width.map { "\($0) columns" } ?? "a pipe"
                for (name, text) in try Self.outputs() { all += "--- \(name), in \(place)\n\(text)\n\n" }
            }
        }
        try GoldenFile("widths.txt").expect(all)
    }

    /// A word that is longer than a line, such as a device token or a URL, is not broken, so that it can be copied.
    @Test(arguments: [40, 80, 120]) func `no line is wider than the terminal`(_ width: Int) throws {
        try Terminal.$output.withValue(Terminal(width: width, hasStyle: false)) {
            for (name, text) in try Self.outputs() {
                for line in text.split(separator: "\n") where !line.contains(Samples.token) && !line.contains("https:")
                { #expect(TerminalText.width(of: String(line)) <= width, "\(name): \(line)") }
            }
        }
    }

    @Test func `nothing is cut in a pipe`() throws {
        for (name, text) in try Self.outputs() where name != "devices list" {
            #expect(!text.contains("…"), "\(name): \(text)")
        }
        #expect(try Self.outputs()[0].text.contains("com.example.application.with.a.long.name"))
    }

    @Test func `styles are all that a terminal adds, and pushes add none`() throws {
        let plain = try Self.outputs().map(\.text)
        let styled = try Terminal.$output.withValue(Terminal(width: nil, hasStyle: true)) {
            try Self.outputs().map(\.text)
        }
        for (plain, styled) in zip(plain, styled) {
            #expect(styled != plain)
            #expect(styled.replacing(/\u{1b}\[(1|2|31|32|33|0)m/, with: "") == plain)
        }
        try Terminal.$output.withValue(Terminal(width: nil, hasStyle: true)) {
            let bad = Self.summaries[0].replacing("\"Hi\"", with: #""\u001b[31m""#)
            let push = try Samples.decoded(bad, as: PushSummaryShape.self)
            #expect(APIObject<PushSummaryShape>.table([push], full: false).contains("\u{fffd}[31m: There"))
            #expect(!APIObject<PushSummaryShape>.table([push], full: false).contains("\u{1b}[31m"))
        }
    }

    @Test func `an accepted push is green, and a rejected one red`() throws {
        try Terminal.$output.withValue(Terminal(width: nil, hasStyle: true)) {
            let pushes = try Self.summaries.map { try Samples.decoded($0, as: PushSummaryShape.self) }
            let table = APIObject<PushSummaryShape>.table(pushes, full: false)
            #expect(table.contains("\u{1b}[32m200\u{1b}[0m"))
            #expect(table.contains("\u{1b}[31m403 ExpiredProviderToken\u{1b}[0m"))
            #expect(table.hasPrefix("\u{1b}[1mPUSH\u{1b}[0m"))
        }
    }
}

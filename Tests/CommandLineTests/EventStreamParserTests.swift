import Testing

@testable import mock_apns

/// Event streams in pieces and in all notations.
@Suite struct EventStreamParserTests {
    private static let table: [(String, [ServerSentEvent])] = [
        ("", []), ("data: a\n\n", [ServerSentEvent(data: "a")]), ("data: a\n", []),
        ("data:a\n\n", [ServerSentEvent(data: "a")]), ("data:  a \n\n", [ServerSentEvent(data: " a ")]),
        ("data: a\r\n\r\n", [ServerSentEvent(data: "a")]), ("data: a\r\r", [ServerSentEvent(data: "a")]),
        ("data: a\ndata: b\n\n", [ServerSentEvent(data: "a\nb")]),
        ("data: a\r\ndata\r\ndata: b\r\n\r\n", [ServerSentEvent(data: "a\n\nb")]),
        ("event: push\nid: 7\ndata: {}\n\n", [ServerSentEvent(name: "push", data: "{}", id: "7")]),
        ("id: 1\ndata: a\n\ndata: b\n\n", [ServerSentEvent(data: "a", id: "1"), ServerSentEvent(data: "b", id: "1")]),
        ("event: x\n\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("event: x\ndata: a\n\ndata: b\n\n", [ServerSentEvent(name: "x", data: "a"), ServerSentEvent(data: "b")]),
        (": heartbeat\n\n: another\ndata: a\n: third\n\n", [ServerSentEvent(data: "a")]),
        ("retry: 10\nunknown: x\nnothing\ndata: a\n\n", [ServerSentEvent(data: "a")]),
        ("id: a\0b\ndata: a\n\n", [ServerSentEvent(data: "a")]), ("\u{feff}data: a\n\n", [ServerSentEvent(data: "a")]),
        ("data: \u{feff}a: é\n\n", [ServerSentEvent(data: "\u{feff}a: é")]), ("data\n\n", [ServerSentEvent(data: "")]),
        ("\n\n\n", []),
    ]

    @Test(arguments: table) func `reads whole streams`(_ text: String, _ events: [ServerSentEvent]) {
        var parser = EventStreamParser()
        #expect(parser.events(in: text.utf8) == events)
    }

    @Test(arguments: table) func `reads streams cut anywhere`(_ text: String, _ events: [ServerSentEvent]) {
        let bytes = Array(text.utf8)
        for cut in bytes.indices {
            var parser = EventStreamParser()
            let first = parser.events(in: bytes[..<cut])
            #expect(first + parser.events(in: bytes[cut...]) == events, "cut at \(cut)")
        }
        var parser = EventStreamParser()
        #expect(bytes.flatMap { parser.events(in: [$0]) } == events)
    }

    @Test func `an event is complete with its last byte`() {
        var parser = EventStreamParser()
        #expect(parser.events(in: "data: a\r\n".utf8) == [])
        #expect(parser.events(in: "\r".utf8) == [ServerSentEvent(data: "a")])
        #expect(parser.events(in: "\n".utf8) == [])
    }
}

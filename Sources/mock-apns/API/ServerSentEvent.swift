internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

struct ServerSentEvent: Equatable {
    /// The type of the event; `message` when the stream does not say.
    var name = "message"
    /// The lines of data, separated by line feeds.
    var data: String
    var id: String?

    func decoded<Content: Shape, Result>(
        as type: Content.Type, _ use: (APIObject<Content>) throws -> Result
    ) throws -> Result {
        try APIResponse(status: 200, contentType: "application/json", body: Array(data.utf8)).decoded(as: type, use)
    }

    func text(_ name: String) -> String? { JSONParser.value(of: Array(data.utf8))?[name]?.plainText }

    /// The data on one line: line feeds can only be between the values of JSON.
    var line: String { data.split(separator: "\n").joined(separator: " ") }
}

/// A parser of event streams (HTML Standard, section 9.2.6) that accepts bytes in pieces.
struct EventStreamParser {
    private var line: [UInt8] = []
    private var endedWithReturn = false
    private var isFirstLine = true
    /// What the lines so far say; each line of data ends with a line feed.
    private var event = ServerSentEvent(data: "")

    mutating func events(in bytes: some Sequence<UInt8>) -> [ServerSentEvent] {
        bytes.compactMap { byte in
            // CR, LF and CR LF each end a line, and CR LF may arrive in two pieces.
            let isSecondHalf = endedWithReturn && byte == 0x0a
            endedWithReturn = byte == 0x0d
            if byte == 0x0a || byte == 0x0d { return isSecondHalf ? nil : endLine() }
            line.append(byte)
            return nil
        }
    }

    private mutating func endLine() -> ServerSentEvent? {
        defer { line.removeAll(keepingCapacity: true) }
        if isFirstLine {
            isFirstLine = false
            if line.starts(with: [0xef, 0xbb, 0xbf]) { line.removeFirst(3) }
        }
        if line.isEmpty {
            // The next events keep the id.
            defer { event = ServerSentEvent(data: "", id: event.id) }
            return event.data.popLast() == nil ? nil : event
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value.removeFirst() }
        let text = String(decoding: value, as: UTF8.self)
        // A line that begins with a colon is a comment: its field has no name.
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": event.name = text.isEmpty ? "message" : text
        case "data": event.data += text + "\n"
        case "id" where !value.contains(0): event.id = text
        default: break
        }
        return nil
    }
}

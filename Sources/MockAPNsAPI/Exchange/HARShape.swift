internal import FoundationEssentials
internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push as an entry of an HTTP Archive.
///
/// http://www.softwareishard.com/blog/har-12-spec/
struct HARShape {
    private let facts: PushFacts
    private let record: PushRecord
    private let subject: ShownNamespace

    init(_ record: PushRecord, in subject: ShownNamespace) {
        self.record = record
        self.subject = subject
        facts = PushFacts(record)
    }

    /// The file before the entries.
    static func head(version: String) -> String {
        let creator: JSONValue = ["name": "mock-apns", "version": .string(version)]
        return #"{"log":{"version":"1.2","creator":"# + String(decoding: creator.text, as: UTF8.self)
            + #","pages":[],"entries":["# + "\n"
    }

    /// The file after the entries.
    static let tail = "\n]}}\n"

    var json: JSONValue {
        let milliseconds = JSONValue.number(Double(record.answer.microseconds) / 1_000)
        return [
            "startedDateTime": .string(record.receivedAt.rfc3339), "time": milliseconds, "request": request,
            "response": response, "cache": [:], "timings": ["send": 0, "wait": milliseconds, "receive": 0],
            "connection": .string(ConnectionID(record.connectionID).text),
            // The format reserves names with an underscore for tools.
            "_push": ShownPush(record, in: subject).summary,
        ]
    }

    private var request: JSONValue {
        var data: [String: JSONValue] = ["mimeType": "application/json"]
        if let text = String(validating: record.request.body, as: UTF8.self) {
            data["text"] = .string(text)
        } else {
            data["text"] = .string(Data(record.request.body).base64EncodedString())
            data["_encoding"] = "base64"
        }
        return [
            "method": .string(facts.method), "url": .string(subject.pushURL(of: facts)),
            "httpVersion": record.isBinary ? "binary" : "HTTP/2", "headers": Self.headers(facts.headers),
            "queryString": [], "cookies": [], "headersSize": -1, "bodySize": JSONValue(Int(record.bodyLength)),
            "postData": .object(data),
        ]
    }

    private var response: JSONValue {
        [
            "status": JSONValue(Int(record.answer.status)), "statusText": .string(record.verdict.reason?.name ?? ""),
            "httpVersion": record.isBinary ? "binary" : "HTTP/2", "headers": Self.headers(record.answer.headers),
            "cookies": [],
            "content": [
                "size": JSONValue(record.answer.body.utf8.count), "mimeType": "application/json",
                "text": .string(record.answer.body),
            ], "redirectURL": "", "headersSize": -1, "bodySize": JSONValue(record.answer.body.utf8.count),
        ]
    }

    private static func headers(_ headers: [(name: String, value: String)]) -> JSONValue {
        .array(headers.map { ["name": .string($0.name), "value": .string($0.value)] })
    }
}

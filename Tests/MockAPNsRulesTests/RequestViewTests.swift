import MockAPNsFormats
import Testing

@testable import MockAPNsRules

@Suite struct RequestViewTests {
    @Test func `fields have the names and values of the request, in its order`() {
        let request = PushRequest()
        request.withView { view in
            let fields = view.fields.map { (view.name(of: $0).text, view.value(of: $0).text) }
            #expect(fields.map(\.0) == request.headers.map(\.name))
            #expect(fields.map(\.1) == request.headers.map(\.value))
            // The rules know all names but this one, and names that they know are not kept.
            let kept = request.headers.map { ($0.name == "user-agent" ? $0.name : "") + $0.value }
            #expect(view.headerBytes.text == kept.joined())
            #expect(Array(view.body.bytes) == request.body)
            #expect(view.bodyLength == request.body.count)
            #expect(view.devicePart?.text == PushRequest.goodToken)
            #expect(view[.apnsTopic]?.text == PushRequest.goodTopic)
            let hasDuplicates = view.hasDuplicateHeaders
            #expect(!hasDuplicates)
        }
    }

    @Test func `a request without headers and body has no values`() {
        RequestView.withRequest(headers: [], body: []) { view in
            #expect(view.fields.isEmpty)
            #expect(view.body.isEmpty)
            for name in HeaderName.allCases { #expect(view[name] == nil) }
            #expect(view.headerBytes.isEmpty)
            #expect(view.devicePart == nil)
            #expect(view.payloadLimit == 4_096)
        }
    }

    /// An empty value is another thing than none.
    @Test func `an empty value is not a missing one`() {
        RequestView.withRequest(headers: [("apns-topic", ""), ("", "")], body: []) { view in
            #expect(view[.apnsTopic]?.isEmpty == true)
            #expect(view[.apnsID] == nil)
            #expect(view.fields.count == 2)
        }
    }

    /// Only names that the rules do not know lie among the bytes.
    @Test func `only unknown names are kept as bytes`() {
        let headers = [("x", "1"), (":path", "/"), ("apns-unknown", "2"), ("apns-topic", "3")]
        RequestView.withRequest(headers: headers, body: []) { view in
            #expect(view.fields.map { view.name(of: $0).text } == headers.map(\.0))
            #expect(view.fields.map { view.value(of: $0).text } == headers.map(\.1))
            #expect(view.headerBytes.text == "x1/apns-unknown23")
        }
    }

    @Test func `an unknown name is not found as a known header`() {
        RequestView.withRequest(headers: [("x", "1"), ("x", "2")], body: []) { view in
            #expect(view[.other] == nil)
            let hasDuplicates = view.hasDuplicateHeaders
            #expect(!hasDuplicates)
        }
    }

    /// More fields than an index can hold do no harm.
    @Test func `fields after the 255th are kept, but not found by name`() {
        let many = (0..<300).map { (name: "x-\($0)", value: "\($0)") }
        RequestView.withRequest(headers: [("apns-topic", "a")] + many + [("apns-id", "b")], body: []) { view in
            #expect(view[.apnsTopic]?.text == "a")
            #expect(view[.apnsID] == nil)
            #expect(view.fields.count == 302)
        }
    }

    @Test func `spans are compared byte by byte, with prefixes and suffixes`() {
        "bearer".withSpan { span in
            #expect(span.equals("bearer"))
            #expect(!span.equals("beare"))
            #expect(!span.equals("bearers"))
            #expect(!span.equals("Bearer"))
            #expect(span.hasPrefix("bear"))
            #expect(!span.hasPrefix("bearer "))
            #expect(span.hasSuffix("rer"))
            #expect(!span.hasSuffix("a bearer"))
            #expect(span.hasPrefix(""))
            #expect(span.hasSuffix(""))
            #expect(span.dropFirst(6).isEmpty)
            #expect(span.prefix(0).isEmpty)
            #expect(span.prefix(4).equals(span.dropFirst(0).prefix(4)))
            #expect(!span.equals(span.prefix(5)))
            #expect(span.firstIndex(of: UInt8(ascii: "r")) == 3)
        }
    }

    @Test func `an empty span equals only an empty text`() {
        let none = ByteSpan(start: nil, count: 0)
        #expect(none.isEmpty)
        #expect(none.text.isEmpty)
        #expect(none.equals(""))
        #expect(none.equals(none))
        #expect(none.hasPrefix(""))
        #expect(none.hasSuffix(""))
        #expect(!none.hasPrefix("a"))
        #expect(!none.hasSuffix("a"))
        #expect(none.dropFirst(0).isEmpty)
        #expect(none.firstIndex(of: 0) == nil)
        #expect(Base64URL.decode(none.bytes) == [])
        #expect(DeviceToken(hex: none) == nil)
        #expect(HeaderName(none) == .other)
        #expect(PushType(none) == nil)
        #expect(Expiration(none) == nil)
        #expect(!JSONParser.isValid(none.bytes))
    }
}

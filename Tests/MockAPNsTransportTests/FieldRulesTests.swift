import CMockAPNsNghttp2
import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsTransport

/// The rules for header fields, compared with those of nghttp2, which the server turns off.
@Suite struct FieldRulesTests {
    @Test(arguments: 0..<8) func `agrees with nghttp2`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var refused = 0
        for _ in 0..<20 {
            let client = try Client()
            let library = try #require(Library())
            for stream in stride(from: Int32(1), to: 60, by: 2) {
                let frames = Self.request(on: stream, &random)
                let isRefused = library.refuses(stream, frames)
                let before = client.recorder.refusals.count
                try client.send(frames)
                #expect((client.recorder.refusals.count > before) == isRefused, "\(frames)")
                #expect(try client.rest().contains(.reset(stream, .protocolError)) == isRefused, "\(frames)")
                refused += isRefused ? 1 : 0
            }
        }
        #expect((100...500).contains(refused), "of 600")
    }

    /// Each request has most fields of the one before, which clients send by their place in HPACK's table.
    @Test(arguments: 0..<8) func `recognizes the fields of the last request`(seed: UInt64) throws {
        var random = Generator(seed: seed)
        var (accepted, repeated) = (0, 0)
        for _ in 0..<20 {
            let (client, deflater) = (try Client(), try #require(Deflater()))
            let library = try #require(Library())
            var fields = [Frame.Field].push(Frame.Field("authorization", "bearer token"))
            var contents: [UInt64: [String]] = [:]
            for stream in stride(from: Int32(1), to: 60, by: 2) {
                for _ in 0..<random.pick([0, 0, 1, 1, 2]) { Self.change(&fields, &random) }
                let frame = Frame.block(stream, deflater.block(fields))
                let isRefused = library.refuses(stream, [frame])
                try client.send([frame])
                #expect(try client.rest().contains(.reset(stream, .protocolError)) == isRefused, "\(fields)")
                guard !isRefused else { continue }
                let request = try #require(client.recorder.requests.last)
                #expect(request.streamID == stream && request.fields == fields)
                #expect(request.known == Self.known(fields))
                #expect(request.hasDuplicateHeaders == Self.hasDuplicates(fields), "\(fields)")
                accepted += 1
                guard request.headerVersion != 0 else { continue }
                let content = Self.known(fields).filter { $0.key != .path && $0.key != .apnsID }.map {
                    "\($0.key): \($0.value)"
                }.sorted()
                if let earlier = contents[request.headerVersion] {
                    #expect(earlier == content)
                    repeated += 1
                }
                contents[request.headerVersion] = content
            }
        }
        #expect(accepted > 250 && repeated > 50, "of 600: \(accepted), \(repeated)")
    }

    /// Changes a request a little, most often within the rules.
    private static func change(_ fields: inout [Frame.Field], _ random: inout Generator) {
        let place = random.number(0...fields.count - 1)
        switch random.number(0...9) {
        case 0: fields.insert(field(&random), at: random.chance(oneIn: 9) ? place : fields.count)
        case 1 where place > 3: fields.remove(at: place)
        case 2: fields.append(fields[place])
        case 3: fields = .push(Frame.Field("authorization", "bearer token"))
        case 4: fields.append(Frame.Field("content-length", "0"))
        case 5: fields.append(Frame.Field("apns-other", "1"))
        case 6: fields.append(Frame.Field("apns-id", "\(random.next())"))
        case _ where fields[place].name == ":path": fields[place] = Frame.Field(":path", "/3/device/\(random.next())")
        default: fields[place] = Frame.Field(fields[place].name, field(&random).value)
        }
    }

    private static func known(_ fields: [Frame.Field]) -> [HeaderName: String] {
        let named = HeaderName.allCases.filter { $0 != .other }.compactMap { name in
            fields.first { $0.name == name.text.description }.map { (name, $0.value) }
        }
        return Dictionary(uniqueKeysWithValues: named)
    }

    private static func hasDuplicates(_ fields: [Frame.Field]) -> Bool {
        let names = fields.map(\.name).filter { $0 == "authorization" || $0.hasPrefix("apns-") }
        return Set(names).count < names.count
    }

    // MARK: Random requests

    private static let values = [
        "", " ", "x", "a b", " a", "a\t", "a\tb", "POST", "OPTIONS", "CONNECT", "GET\"", "http", "HTTPS", "a+b-c.1",
        "1a", "/", "/3/device/ab", "*", "/a b", "/é", "localhost:2197", "user@[::1]", "a^b", "trailers", "TRAILERS",
        "0", "1", "2", "+1", "12345678901234567890", "seven b", "8 bytes.", "15 bytes, right", "16 bytes, right.",
        "17 bytes, no more", "\u{7f}", "1234567\u{7f}", "\u{1f}2345678", "15 bytes\u{0}67890123456789é",
        "a longer value, as tokens are: eyJhbGciOiJFUzI1NiIsImtpZCI6IkFCQzEyM0RFRkcifQ\u{b}",
    ]
    private static let names = [
        "apns-topic", "apns-id", "authorization", "x-other", "host", "te", "content-length", "connection", "keep-alive",
        "proxy-connection", "transfer-encoding", "upgrade", "Upper", "a b", "", "naïve", ":status", ":protocol",
        ":Path", ":", "tes", "hosts", "upgrades",
    ]
    private static let pseudo = [
        (":method", ["POST", "POST", "POST", "CONNECT", "OPTIONS"]), (":scheme", ["https", "http", "ftp"]),
        (":path", ["/3/device/ab", "/3/device/ab", "*"]), (":authority", ["localhost"]),
    ]

    /// A request with a few faults, or none.
    private static func request(on stream: Int32, _ random: inout Generator) -> [Frame] {
        var fields: [Frame.Field] = []
        let isConnect = random.chance(oneIn: 12)
        if isConnect { fields = [Frame.Field(":method", "CONNECT"), Frame.Field(":authority", "localhost")] }
        for (name, usual) in isConnect ? [] : pseudo where !random.chance(oneIn: 15) {
            let value = random.chance(oneIn: 15) ? random.pick(values) : random.pick(usual)
            fields.append(Frame.Field(name, value))
            if random.chance(oneIn: 40) { fields.append(Frame.Field(name, value)) }
        }
        for _ in 0..<random.number(0...3) { fields.append(field(&random)) }
        if random.chance(oneIn: 20) { fields.shuffle(using: &random) }
        if random.chance(oneIn: 3) { return [.headers(stream, fields)] }
        let headers = Frame.headers(stream, fields, end: false)
        if random.chance(oneIn: 2) { return [headers, .data(stream, "{}")] }
        let trailers = Frame.headers(stream, [field(&random)], end: !random.chance(oneIn: 5))
        return [headers, .data(stream, "{}", end: false), trailers]
    }

    /// A header field, most often without a fault.
    private static func field(_ random: inout Generator) -> Frame.Field {
        let name = random.chance(oneIn: 3) ? random.pick(names + ["content-length"]) : "apns-topic"
        if name == "content-length" {
            return Frame.Field(name, random.pick(["0", "2", "2", "+2", "0000000000000000002", "12345678901234567890"]))
        }
        return Frame.Field(name, random.chance(oneIn: 6) ? random.pick(values) : "com.example.app")
    }

    /// A server session with nghttp2's own rules.
    private final class Library {
        /// The streams that were reset.
        private final class Resets { var streams: Set<Int32> = [] }

        private let session: OpaquePointer
        private let resets = Resets()

        init?() {
            var callbacks: OpaquePointer?
            guard nghttp2_session_callbacks_new(&callbacks) == 0 else { return nil }
            defer { nghttp2_session_callbacks_del(callbacks) }
            // A header that nghttp2 would ignore makes the request malformed, as RFC 9113 says.
            nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) { _, _, _, _, _, _, _, _ in
                NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
            }
            nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, user in
                let header = frame.unsafelyUnwrapped.pointee.hd
                if header.type == Frame.Kind.reset {
                    let resets = Unmanaged<Resets>.fromOpaque(user.unsafelyUnwrapped).takeUnretainedValue()
                    resets.streams.insert(header.stream_id)
                }
                return 0
            }
            var session: OpaquePointer?
            let user = Unmanaged.passUnretained(resets).toOpaque()
            guard nghttp2_session_server_new(&session, callbacks, user) == 0, let session else { return nil }
            self.session = session
            _ = refuses(0, bytes: Frame.preface + Frame.settings([]).encoded)
        }

        deinit { nghttp2_session_del(session) }

        func refuses(_ stream: Int32, _ frames: [Frame]) -> Bool { refuses(stream, bytes: frames.flatMap(\.encoded)) }

        private func refuses(_ stream: Int32, bytes: [UInt8]) -> Bool {
            #expect(nghttp2_session_mem_recv(session, bytes, bytes.count) == bytes.count)
            var output: UnsafePointer<UInt8>?
            while nghttp2_session_mem_send(session, &output) > 0 {}
            return resets.streams.contains(stream)
        }
    }
}

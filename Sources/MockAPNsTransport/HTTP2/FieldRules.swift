internal import CMockAPNsBytes
internal import CMockAPNsNghttp2
internal import MockAPNsRules

/// The rules of RFC 9113, sections 8.1 to 8.3, for the header fields and trailers of a request.
///
/// nghttp2 has the same rules, but reads every name and value byte by byte: a tenth of the work for a push.
/// Here, known names need no check, and values are read sixteen bytes at a time.
struct FieldRules {
    /// What the names of the fields so far have shown.
    struct Names {
        fileprivate var hasRegularField = false
        fileprivate var hasHost = false
        /// Whether the client waits for 100 before it sends the body (RFC 9110, section 10.1.1).
        fileprivate(set) var awaitsContinue = false
    }

    var names = Names()
    /// The value of `content-length`; -1 if there is none.
    var contentLength = -1

    /// Describes what is wrong with the next field of a request; `isRepeated` if a pseudo-header was there before.
    @inline(__always) mutating func problem(
        with name: HeaderName, _ text: ByteSpan, _ value: ByteSpan, isRepeated: Bool
    ) -> String? {
        if name.isPseudoHeader {
            let isValid = !isRepeated && !names.hasRegularField && !value.isEmpty
            return isValid && Self.isValue(value, of: name) ? nil : pseudoHeaderProblem(text, value, isRepeated)
        }
        names.hasRegularField = true
        guard Self.isValue(value) else { return "the header \(text.text) has a character it may not have" }
        return name == .other ? otherProblem(text, value) : nil
    }

    /// Whether a field may have this value, given that it may have its name.
    ///
    /// Also false if that depends on other fields.
    mutating func admits(_ value: ByteSpan, of name: HeaderName, _ text: ByteSpan) -> Bool {
        if name.isPseudoHeader { return !value.isEmpty && Self.isValue(value, of: name) }
        guard name == .other else { return Self.isValue(value) }
        switch text.count {
        case 2 where text.equals("te"), 4 where text.equals("host"), 6 where text.equals("expect"): return false
        case _ where Self.isContentLength(text):
            guard let length = Self.number(value) else { return false }
            contentLength = length
            return true
        default: return Self.isValue(value)
        }
    }

    static func isContentLength(_ name: ByteSpan) -> Bool { name.equals("content-length") }

    /// Describes what is wrong with a request after its last header field.
    mutating func problem(with request: borrowing RequestView) -> String? {
        let isConnect = request[.method]?.equals("CONNECT") == true
        // The content of CONNECT is not a body (RFC 9110, section 9.3.6).
        if isConnect { contentLength = -1 }
        guard request[.method] != nil, isConnect == (request[.scheme] == nil), isConnect == (request[.path] == nil)
        else { return isConnect ? "CONNECT has :scheme or :path" : "the request lacks :method, :scheme or :path" }
        guard request[.authority] != nil || names.hasHost && !isConnect else {
            return "the request has neither :authority nor host"
        }
        guard !isConnect, let path = request[.path], path[0] != 0x2f else { return nil }
        let isForServer = path.equals("*") && request[.method]?.equals("OPTIONS") == true
        let isHTTP = request[.scheme].map { ["http", "https"].contains($0.text.lowercased()) } == true
        return isForServer || !isHTTP ? nil : "the :path '\(path.text)' does not begin with /"
    }

    /// Describes what is wrong with the size of a body so far.
    func problem(withBodyOf count: Int, isComplete: Bool) -> String? {
        guard contentLength >= 0, isComplete ? count != contentLength : count > contentLength else { return nil }
        return "the body's length is not what content-length says"
    }

    // MARK: Fields

    private func pseudoHeaderProblem(_ name: ByteSpan, _ value: ByteSpan, _ isRepeated: Bool) -> String {
        if isRepeated { return "the pseudo-header \(name.text) is repeated" }
        if names.hasRegularField { return "the pseudo-header \(name.text) follows a regular header" }
        if value.isEmpty { return "the pseudo-header \(name.text) is empty" }
        return "the pseudo-header \(name.text) has a character it may not have"
    }

    /// Describes what is wrong with a field whose name is not known to be valid.
    private mutating func otherProblem(_ name: ByteSpan, _ value: ByteSpan) -> String? {
        switch name.count {
        case 2 where name.equals("te"):
            return value.text.lowercased() == "trailers" ? nil : "te is '\(value.text)'; expected trailers"
        case 4 where name.equals("host"):
            guard !names.hasHost, !value.isEmpty, Self.isValue(value, of: .authority) else {
                return "host is repeated, empty or not a host"
            }
            names.hasHost = true
        case 6 where name.equals("expect"): names.awaitsContinue = value.text.lowercased() == "100-continue"
        case 14 where Self.isContentLength(name):
            guard contentLength < 0, let length = Self.number(value) else {
                return "content-length is repeated or not a number"
            }
            contentLength = length
        case 7 where name.equals("upgrade"), 10 where name.equals("connection"), 10 where name.equals("keep-alive"),
            16 where name.equals("proxy-connection"), 17 where name.equals("transfer-encoding"):
            return "the header \(name.text) does not exist in HTTP/2"
        case _ where nghttp2_check_header_name(name.start, name.count) == 0:
            return "'\(name.text)' is not a header name"
        case _ where name[0] == UInt8(ascii: ":"): return "the pseudo-header \(name.text) is not one of a request"
        default: break
        }
        return nil
    }

    // MARK: Values

    private static func isValue(_ value: ByteSpan) -> Bool {
        guard let first = value.bytes.first, let last = value.bytes.last else { return true }
        return !isSpace(first) && !isSpace(last)
            && (mockapns_is_printable(value.start, value.count, 0x20)
                || nghttp2_check_header_value(value.start, value.count) != 0)
    }

    /// Returns the number that a value of digits has; `nil` for other values, and for numbers above 18 digits.
    private static func number(_ value: ByteSpan) -> Int? {
        let digits = value.count > 18 ? value.dropFirst(value.bytes.prefix { $0 == 0x30 }.count) : value
        guard !value.isEmpty, digits.count <= 18 else { return nil }
        var number = 0
        for byte in digits.bytes {
            guard byte &- 0x30 < 10 else { return nil }
            number = number &* 10 &+ Int(byte &- 0x30)
        }
        return number
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    private static func isValue(_ value: ByteSpan, of name: HeaderName) -> Bool {
        switch name {
        case .method: value.equals("POST") || nghttp2_check_method(value.start, value.count) != 0
        case .path: mockapns_is_printable(value.start, value.count, 0x21)
        case .authority: nghttp2_check_authority(value.start, value.count) != 0
        case .scheme: value.equals("https") || isScheme(value)
        default: isValue(value)
        }
    }

    /// Whether a value is a letter, then letters, digits, `+`, `-` and `.` (RFC 3986, section 3.1).
    private static func isScheme(_ value: ByteSpan) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 }
        return value.bytes.first.map(isLetter) == true
            && value.bytes.allSatisfy { byte in
                isLetter(byte) || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || [0x2b, 0x2d, 0x2e].contains(byte)
            }
    }
}

/// A header field of a request or a response.
package struct UpstreamHeader: Equatable, Sendable {
    /// The name in lower case.
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

/// A request to an upstream.
package struct UpstreamRequest: Equatable, Sendable {
    /// The method; pushes use POST.
    package var method = "POST"
    /// The path with the query.
    package var path: String
    /// The header fields in order; names may repeat.
    package var headers: [UpstreamHeader]
    /// The body; a request with an empty one ends with its headers.
    package var body: [UInt8]

    package init(_ path: String, headers: [UpstreamHeader] = [], body: [UInt8] = []) {
        self.path = path
        self.headers = headers
        self.body = body
    }

    /// Why the request cannot be sent; `nil` if it can.
    func problem(_ limits: UpstreamOptions.Limits) -> UpstreamError? {
        func invalid(_ seen: String, _ expected: String) -> UpstreamError {
            UpstreamError(.invalid, seen, expected: expected, isUnprocessed: true)
        }
        guard !method.isEmpty, method.utf8.allSatisfy(Self.isTokenByte) else {
            return invalid("invalid method", "a token such as POST")
        }
        guard path.utf8.first == UInt8(ascii: "/"), path.utf8.allSatisfy({ 0x21...0x7e ~= $0 }) else {
            return invalid("invalid path", "printable ASCII that begins with /")
        }
        for header in headers {
            let isName =
                !header.name.isEmpty && header.name.utf8.allSatisfy { Self.isTokenByte($0) && !(0x41...0x5a ~= $0) }
            guard isName else { return invalid("invalid header name", "a token in lower case") }
            guard !header.value.utf8.contains(where: { $0 == 0 || $0 == 0x0a || $0 == 0x0d }) else {
                return invalid("invalid value of the header \(header.name)", "one line without NUL")
            }
        }
        let size = headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }
        guard size <= limits.headerList else {
            return invalid("a header list of \(size) bytes", "at most \(limits.headerList) bytes")
        }
        guard body.count <= limits.body else {
            return invalid("a body of \(body.count) bytes", "at most \(limits.body) bytes")
        }
        return nil
    }

    /// RFC 9110, section 5.6.2.
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a, 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e, 0x5f, 0x60, 0x7c,
            0x7e:
            true
        default: false
        }
    }
}

internal import FoundationEssentials
internal import MockAPNsFormats

/// A question to the debug API.
struct APIRequest {
    let method: String
    /// The path with its query, percent-encoded.
    let target: String
    var body: [UInt8]?
    var accept = "application/json"
    /// The last event of a stream that has been seen; `nil` for a stream that begins.
    var lastEventID: String?

    /// A request for a path that is sent as it is.
    init(_ method: String, path: String) {
        self.method = method
        target = path
    }

    /// A request for what lies under `/api/v1`.
    ///
    /// - Parameters:
    ///   - method: the HTTP method.
    ///   - parts: the parts of the path behind `/api/v1`, as people write them.
    ///   - query: parameters, of which those without a value are left out.
    init(_ method: String, _ parts: [String], query: [(name: String, value: String?)] = []) {
        self.method = method
        let given = query.compactMap { parameter in
            parameter.value.map { "\(parameter.name)=\(Self.encoded($0))" }
        }
        target =
            (["/api/v1"] + parts.map(Self.encoded)).joined(separator: "/")
            + (given.isEmpty ? "" : "?" + given.joined(separator: "&"))
    }

    /// The path with its query, of a namespace; what is about the server as a whole is the same for all.
    func target(in namespace: String?) -> String {
        let root = "/api/v1/"
        guard let namespace, target.hasPrefix(root), !target.hasPrefix(root + "namespaces") else {
            return target
        }
        return root + "namespaces/" + Self.encoded(namespace) + "/" + target.dropFirst(root.count)
    }

    /// The same request with a JSON body.
    func sending(_ body: some Encodable) throws -> Self {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        var request = self
        request.body = Array(try encoder.encode(body))
        return request
    }

    /// The same request with a JSON value as its body.
    func sending(_ body: JSONValue) -> Self {
        var request = self
        request.body = body.text
        return request
    }

    /// Percent-encoding of everything that could mean something in a URL.
    static func encoded(_ text: String) -> String {
        let plain = "-._~@".utf8
        return text.utf8.reduce(into: "") { encoded, byte in
            let isLetter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7a
            if isLetter || byte &- 0x30 < 10 || plain.contains(byte) {
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                encoded += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

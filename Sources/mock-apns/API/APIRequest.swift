internal import MockAPNsAPI
internal import MockAPNsFormats

/// A request to the debug API.
struct APIRequest {
    let method: String
    /// The path with its query, percent-encoded.
    let target: String
    var body: [UInt8]?
    var accept = "application/json"
    /// The last event received from a stream; `nil` for a new stream.
    var lastEventID: String?

    /// Creates a request for a path that is sent as it is.
    init(_ method: String, path: String) {
        self.method = method
        target = path
    }

    /// Creates a request for an unencoded path under `/api/v1`; parameters without a value are omitted.
    init(_ method: String, _ parts: [String], query: [(name: String, value: String?)] = []) {
        let given = query.compactMap { parameter in
            parameter.value.map { "\(parameter.name)=\(Self.encoded($0))" }
        }
        let path = (["/api/v1"] + parts.map(Self.encoded)).joined(separator: "/")
        self.init(method, path: path + (given.isEmpty ? "" : "?" + given.joined(separator: "&")))
    }

    /// The path with its query in a namespace; requests about namespaces are the same in all.
    func target(in namespace: String?) -> String {
        let root = "/api/v1/"
        guard let namespace, target.hasPrefix(root), !target.hasPrefix(root + "namespaces") else {
            return target
        }
        return root + "namespaces/" + Self.encoded(namespace) + "/" + target.dropFirst(root.count)
    }

    func sending(_ body: [UInt8]) -> Self {
        var request = self
        request.body = body
        return request
    }

    /// The same request with a JSON object of the members that have a value.
    func sending(_ members: [String: (any ShapeValue)?]) -> Self {
        sending(JSONValue.members(members).text)
    }

    /// Percent-encodes everything that could have a meaning in a URL.
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

extension JSONValue {
    /// An object of the members that have a value.
    static func members(_ members: [String: (any ShapeValue)?]) -> JSONValue {
        .object(members.compactMapValues { $0?.json })
    }
}

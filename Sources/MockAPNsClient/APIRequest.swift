internal import MockAPNsAPI
internal import MockAPNsFormats
package import NIOCore

/// A request to the debug API.
package struct APIRequest: Sendable {
    package static let json = "application/json"

    package let method: String
    /// The path with its query, percent-encoded.
    package let target: String
    /// Added to the error when the API does not find something; `nil` for the hint of what is not found.
    package var hint: String?
    /// The file with the body, which errors about it name; `nil` if the caller made the body.
    package var file: String?
    /// How long the response may take, with the connection.
    package var timeout = TimeAmount.seconds(30)
    package var body: [UInt8]?
    /// The media type that the response has to have.
    package var accept = json
    /// The last event received from a stream; `nil` for a new stream.
    package var lastEventID: String?

    /// Creates a request for an unencoded path; parameters without a value are omitted.
    package init(
        _ method: String, _ parts: [String], in root: String = "/api/v1/", query: [(name: String, value: String?)] = [],
        hint: String? = nil
    ) {
        let given = query.compactMap { name, value in value.map { "\(name)=\(Self.encoded($0))" } }
        let path = root + parts.map(Self.encoded).joined(separator: "/")
        target = path + (given.isEmpty ? "" : "?" + given.joined(separator: "&"))
        (self.method, self.hint) = (method, hint)
    }

    /// Creates a request for an encoded path after `/api/v1/`.
    package init(_ method: String, encoded path: String) { (self.method, target) = (method, ServerPaths.root + path) }

    /// The path with its query in a namespace; requests about the server are the same in all.
    package func target(in namespace: String?) -> String {
        let root = ServerPaths.root
        guard let namespace, target.hasPrefix(root) else { return target }
        let path = target.dropFirst(root.count)
        return ServerPaths.isWithoutNamespace(path)
            ? target : root + "namespaces/" + Self.encoded(namespace) + "/" + path
    }

    package func with<Value>(_ property: WritableKeyPath<Self, Value>, _ value: Value) -> Self {
        var request = self
        request[keyPath: property] = value
        return request
    }

    package func sending(_ body: [UInt8], from file: String? = nil) -> Self { with(\.body, body).with(\.file, file) }

    /// Percent-encodes everything that could have a meaning in a URL.
    package static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            if isPlain || "-._~@".contains(character) { return String(character) }
            return "%" + HexDigit.text(of: [byte]).uppercased()
        }.joined()
    }
}

/// A response of the debug API.
package struct APIResponse: Sendable {
    package let status: Int
    /// The media type, without parameters.
    package let contentType: String
    package let body: [UInt8]

    package init(status: Int, contentType: String, body: [UInt8]) {
        (self.status, self.contentType, self.body) = (status, contentType, body)
    }

    /// Whether the API has done what was asked.
    package var isSuccess: Bool { (200..<300).contains(status) }
}

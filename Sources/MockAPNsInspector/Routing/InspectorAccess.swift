/// Who may ask the API for what, beyond the hosts it answers for.
public struct InspectorAccess: Sendable {
    /// What requests have to show, as `Authorization: Bearer` or in the cookie of a `?token=` link; `nil` lets
    /// everybody ask.
    public var token: String?
    /// The origins whose pages may read answers, each as browsers write it: `http://localhost:3000`.
    public var origins: [String]
    /// Asked for by `POST /api/v1/shutdown`, from any thread; `nil` refuses it.
    public var onShutdown: (@Sendable () -> Void)?

    /// Lets everybody ask, no page of another origin read, and nobody shut the server down, unless told otherwise.
    public init(
        token: String? = nil,
        origins: [String] = [],
        onShutdown: (@Sendable () -> Void)? = nil
    ) {
        self.token = token
        self.origins = origins
        self.onShutdown = onShutdown
    }

    /// What a token has to look like.
    public static let expectedToken = "1 to 1024 letters, digits or -._~+/, with = at the end alone"
    /// What an origin has to look like.
    public static let expectedOrigin =
        "a scheme and a host, as http://localhost:3000: in lower case, without a path or a wildcard"

    /// Whether a text can be sent as a token, in a header and in a cookie (RFC 6750, section 2.1).
    public static func isToken(_ text: String) -> Bool {
        let body = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        return (1...1_024).contains(text.utf8.count) && !body.isEmpty
            && text.utf8.dropFirst(body.count).allSatisfy { $0 == UInt8(ascii: "=") }
            && body.allSatisfy { byte in
                byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26 || "-._~+/".utf8.contains(byte)
            }
    }

    /// Whether a text is an origin as browsers write it.
    public static func isOrigin(_ text: String) -> Bool {
        for scheme in ["http://", "https://"] where text.hasPrefix(scheme) {
            let authority = text.dropFirst(scheme.count)
            return text == text.lowercased() && HostName(authority: authority) != nil
        }
        return false
    }
}

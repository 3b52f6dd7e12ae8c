package import MockAPNsCrypto
internal import MockAPNsFormats
package import MockAPNsUpstream

/// The provider whose requests are compared.
package struct DriftProvider: Sendable {
    package let key: SigningKey
    package let keyID: String
    package let teamID: String
    package let topic: String
    /// The time of provider tokens, in UNIX seconds.
    package let now: Int64
    /// A device token that no device has: 64 hexadecimal digits of random bytes.
    package let deviceToken: String

    package init(key: SigningKey, keyID: String, teamID: String, topic: String, now: Int64, deviceToken: String) {
        (self.key, self.keyID, self.teamID, self.topic) = (key, keyID, teamID, topic)
        (self.now, self.deviceToken) = (now, deviceToken)
    }
}

/// A request before its defects: a push to a device that does not exist, which is refused as BadDeviceToken at the latest.
package struct DriftDraft: Sendable {
    /// The `authorization` header of a request.
    package enum Credential: Sendable, Equatable {
        /// The provider token that all requests of a run share.
        ///
        /// APNs refuses a connection whose valid tokens change within 20 minutes (documented: *token*).
        case shared
        /// Another token: the header and the claims as JSON, and what becomes of the signed text.
        case token(header: String, claims: String, Change)
        /// A text in place of `bearer` and the token.
        case text(String)
        case absent
    }

    /// What becomes of a signed token.
    package enum Change: Sendable, Equatable {
        case none
        /// The last bytes of the signature are wrong.
        case wrongSignature
        /// The parts are padded with `=`.
        case padded
        case withoutSignature
    }

    package var method = "POST"
    package var path: String
    package var credential = Credential.shared
    package var headers: [UpstreamHeader]
    package var body = Array(#"{"aps":{"alert":"drift"}}"#.utf8)

    package init(_ provider: DriftProvider) {
        path = "/3/device/\(provider.deviceToken)"
        headers = [UpstreamHeader("apns-topic", provider.topic), UpstreamHeader("apns-push-type", "alert")]
    }

    /// Sets a header; `nil` removes it.
    package mutating func set(_ name: String, _ value: String?) {
        headers.removeAll { $0.name == name }
        if let value { headers.append(UpstreamHeader(name, value)) }
    }

    /// Returns the request; `shared` is the run's provider token.
    package func request(_ provider: DriftProvider, shared: String) throws -> UpstreamRequest {
        let authorization: String? =
            switch credential {
            case .shared: "bearer \(shared)"
            case .token(let header, let claims, let change):
                "bearer \(try Self.sign(header, claims, change, provider.key))"
            case .text(let text): text
            case .absent: nil
            }
        let first = authorization.map { [UpstreamHeader("authorization", $0)] } ?? []
        var request = UpstreamRequest(path, headers: first + headers, body: body)
        request.method = method
        return request
    }

    private static func sign(_ header: String, _ claims: String, _ change: Change, _ key: SigningKey) throws -> String {
        func encoded(_ bytes: [UInt8]) -> String {
            let text = Base64URL.encode(bytes)
            return change == .padded ? text + String(repeating: "=", count: (4 - text.count % 4) % 4) : text
        }
        let signed = "\(encoded(Array(header.utf8))).\(encoded(Array(claims.utf8)))"
        if change == .withoutSignature { return signed }
        var signature = try Array(signed.utf8).withUnsafeBytes { try key.signature(of: $0) }
        if change == .wrongSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return "\(signed).\(encoded(signature))"
    }
}

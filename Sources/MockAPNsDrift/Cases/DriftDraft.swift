package import MockAPNsCrypto
internal import MockAPNsFormats
package import MockAPNsRules
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
    /// The only environment in which the key is valid; `nil` for both.
    package var keyEnvironment: Environment?
    /// The only topics of the key; `nil` for all.
    package var keyTopics: Set<String>?
    /// The token of a device of the user's, which gets silent pushes; `nil` for none.
    package var ownDeviceToken: String?

    package init(key: SigningKey, keyID: String, teamID: String, topic: String, now: Int64, deviceToken: String) {
        (self.key, self.keyID, self.teamID, self.topic) = (key, keyID, teamID, topic)
        (self.now, self.deviceToken) = (now, deviceToken)
    }

    /// What no report may have.
    ///
    /// A provider token begins like its Base64 of `{"`.
    var secrets: [String] { [keyID, teamID, topic, deviceToken, ownDeviceToken, "eyJ"].compactMap { $0 } }

    /// A provider for showing requests that are not sent: words stand for what identifies someone.
    package static func example(topic: String?, hasDevice: Bool) throws -> DriftProvider {
        var provider = DriftProvider(
            key: try SigningKey.generate(), keyID: "KEYID", teamID: "TEAMID", topic: topic ?? "TOPIC", now: 0,
            deviceToken: "<unknown device>")
        provider.ownDeviceToken = hasDevice ? "<your device>" : nil
        return provider
    }
}

/// A request before its defects: a push to a device that does not exist, which is refused as BadDeviceToken at the latest.
///
/// `channelMark` as the value of a header stands for the channel that the run has made.
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
        /// The shared token after another text than `bearer` and a space.
        case prefixed(String)
        case absent
    }

    /// What becomes of a signed token.
    package enum Change: Sendable, Equatable {
        case none
        /// The last bytes of the signature are wrong.
        case wrongSignature
        /// The parts are padded with `=`.
        case padded
        /// With `+` and `/`, as in Base64 that is not for URLs.
        case standardBase64
        /// The signature is of the SHA-512 of the text, with its halves padded to 66 bytes, as edamov/pushok makes it.
        case sha512
        /// The signature is in DER.
        case der
        case withoutSignature
    }

    static let channelMark = "<the channel>"

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
            case .prefixed(let prefix): "\(prefix)\(shared)"
            case .absent: nil
            }
        let first = authorization.map { [UpstreamHeader("authorization", $0)] } ?? []
        var request = UpstreamRequest(path, headers: first + headers, body: body)
        request.method = method
        return request
    }

    private static func sign(_ header: String, _ claims: String, _ change: Change, _ key: SigningKey) throws -> String {
        func encoded(_ bytes: [UInt8]) -> String {
            let text = change == .standardBase64 ? Base64.encode(bytes) : Base64URL.encode(bytes)
            if change == .standardBase64 { return String(text.prefix { $0 != "=" }) }
            return change == .padded ? text + String(repeating: "=", count: (4 - text.count % 4) % 4) : text
        }
        let signed = "\(encoded(Array(header.utf8))).\(encoded(Array(claims.utf8)))"
        if change == .withoutSignature { return signed }
        let isDER = change == .der
        let digest = change == .sha512 ? VerifyingKey.Digest.sha512 : .sha256
        var signature = try Array(signed.utf8).withUnsafeBytes {
            isDER ? try key.derSignature(of: $0) : try key.signature(of: $0, digest: digest)
        }
        if change == .sha512 {
            let zeros = [UInt8](repeating: 0, count: 34)
            signature = zeros + signature.prefix(32) + zeros + signature.dropFirst(32)
        }
        if change == .wrongSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return "\(signed).\(encoded(signature))"
    }
}

/// A request for people: what would be sent, without secrets.
extension DriftDraft {
    package var text: String {
        let authorization =
            switch credential {
            case .shared: "authorization: bearer <provider token>"
            case .token(let header, let claims, let change):
                "authorization: bearer <token \(header) \(claims)\(change == .none ? "" : ", \(change)")>"
            case .text(let text): "authorization: \(text)"
            case .prefixed(let prefix): "authorization: \(prefix)<provider token>"
            case .absent: "no authorization"
            }
        let fields = headers.map { header in
            let value = header.value.count > 70 ? "<\(header.value.utf8.count) bytes>" : header.value
            return "\(header.name): \(value)"
        }
        let place = path.count > 120 ? "\(path.prefix(20))… (\(path.utf8.count) bytes)" : path
        let content =
            body.count > 70
            ? "<\(body.count) bytes>"
            : String(validating: body, as: UTF8.self) ?? "<\(body.count) bytes that are not UTF-8>"
        let lines = ["\(method) \(place)", authorization] + fields + (body.isEmpty ? [] : ["body: \(content)"])
        return lines.joined(separator: "; ")
    }
}

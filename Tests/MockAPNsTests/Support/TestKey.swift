import Foundation
import MockAPNs
import MockAPNsCrypto
import MockAPNsRules

/// A provider's key, and the tokens it signs: good ones, and bad ones on purpose.
struct TestKey: Sendable {
    /// How a signature is written.
    enum Form: CaseIterable {
        case raw
        case der
    }

    /// Serves every topic in both environments.
    static let team = TestKey("TEAMKEY001")
    /// Another one of the same team.
    static let sibling = TestKey("TEAMKEY002")
    /// One topic of the same team.
    static let topical = TestKey("TOPICKEY01", topics: ["com.example.other"])
    /// The same team, in production alone.
    static let production = TestKey("PRODKEY001", environment: .production)
    /// Another team's.
    static let otherTeam = TestKey("OTHERKEY01", team: "OTHERTEAM1")
    /// Nobody has told the server of it.
    static let stranger = TestKey("STRANGER01")

    /// Those that a server is given.
    static let registered = [team, sibling, topical, production, otherTeam]

    let key: ProviderKey
    let signing: SigningKey

    init(_ keyID: String, team: String = "EXAMPLE001", topics: Set<String>? = nil, environment: Environment? = nil) {
        key = ProviderKey(keyID: keyID, teamID: team, topics: topics, environment: environment)
        do { signing = try SigningKey.generate() } catch { preconditionFailure("no key: \(error)") }
    }

    /// The key as a configuration takes it.
    var configured: Configuration.Key { Configuration.Key(key: key, pem: signing.verifyingKey.publicKeyPEM) }

    /// A provider token: as Apple documents it, unless told otherwise.
    func token(
        at issuedAt: Int64 = Live.now, form: Form = .raw, header: String? = nil, claims: String? = nil,
        damaging: Bool = false
    ) throws -> String {
        let header = header ?? #"{"alg":"ES256","kid":"\#(key.keyID)"}"#
        let claims = claims ?? #"{"iss":"\#(key.teamID)","iat":\#(issuedAt)}"#
        let signed = Self.base64URL(Array(header.utf8)) + "." + Self.base64URL(Array(claims.utf8))
        var signature = try Array(signed.utf8).withUnsafeBytes { message in
            switch form {
            case .raw: try signing.signature(of: message)
            case .der: try signing.derSignature(of: message)
            }
        }
        if damaging { signature[signature.count - 1] ^= 1 }
        return signed + "." + Self.base64URL(signature)
    }

    private static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-").replacingOccurrences(
            of: "/", with: "_"
        ).replacingOccurrences(of: "=", with: "")
    }
}

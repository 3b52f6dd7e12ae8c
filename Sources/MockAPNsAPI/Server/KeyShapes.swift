package import MockAPNs
internal import MockAPNsFormats
package import MockAPNsRules

/// The environments that a key or certificate is for; the names are part of the API.
package enum KeyScope: String, CaseIterable {
    case sandbox
    case production
    case both

    /// The only environment; `nil` for both.
    package var environment: Environment? { Environment(rawValue: rawValue) }
}

/// A key that signs provider tokens; its private half is never shown.
package final class KeyShape: Shape {
    package typealias Source = KeyRing.Entry
    package static let definition = Definition(KeyShape(), "Key")
    package let environment = Member<String>(.environments) { $0.key.environment?.rawValue ?? KeyScope.both.rawValue }
    package let keyId = Member<String>(.keyID) { $0.key.keyID }
    package let origin = Member<String>(.words(["start", "api"])) { $0.isFromStart ? "start" : "api" }
    package let publicKey = Member<String>("In PEM.") { $0.publicKeyPEM }
    package let teamId = Member<String>(.keyID) { $0.key.teamID }
    package let topics = Member<[String]?>(.topic, "null for all topics.") { $0.key.topics?.sorted() }
}

package final class KeyGeneratedShape: Shape {
    package typealias Source = (key: KeyRing.Entry, privateKeyPEM: String)
    package static let definition = Definition(KeyGeneratedShape(), "KeyGenerated")
    package let fileName = Member<String> { "AuthKey_\($0.key.key.keyID).p8" }
    package let key = Part<KeyShape> { $0.key }
    package let p8 = Member<String>("The .p8 file. No other response contains it.") { $0.privateKeyPEM }
}

package final class KeyListShape: Shape {
    package typealias Source = (keys: [KeyRing.Entry], authentication: RuleOptions.Authentication)
    package static let definition = Definition(KeyListShape(), "KeyList")
    package let auth = Member<String>(.word(.authentication)) { $0.authentication.rawValue }
    package let keys = Member<[APIObject<KeyShape>]> { $0.keys.map { APIObject($0) } }
}

/// An issued certificate with its private key, as it was asked for.
package struct GrantedCertificate {
    /// The names are part of the API.
    package enum Format: String, CaseIterable, Sendable {
        case pem
        case p12
        case p12Legacy = "p12-legacy"
    }

    let issued: ClientCertificates.Issued
    let bundleID: String
    let scope: KeyScope
    let format: Format
    /// The PKCS#12 file and its password; `nil` for PEM.
    let file: (bytes: [UInt8], password: String)?

    package init(
        _ issued: ClientCertificates.Issued, bundleID: String, scope: KeyScope, format: Format,
        file: (bytes: [UInt8], password: String)?
    ) { (self.issued, self.bundleID, self.scope, self.format, self.file) = (issued, bundleID, scope, format, file) }
}

package final class CertificateIssuedShape: Shape {
    package typealias Source = GrantedCertificate
    package static let definition = Definition(CertificateIssuedShape(), "CertificateIssued")
    package let ca = Member<String>("The authority's certificate, in PEM.") { $0.issued.authorityPEM }
    package let certificate = Member<String>("In PEM.") { $0.issued.certificatePEM }
    package let environment = Member<String>(.environments) { $0.scope.rawValue }
    package let fileName = Member<String>("A name for the file.") { "\($0.bundleID).\($0.file == nil ? "pem" : "p12")" }
    package let fingerprint = Member<String>("SHA-256.") { $0.issued.fingerprint }
    package let format = Member<String>(.words(GrantedCertificate.Format.allCases.map(\.rawValue))) {
        $0.format.rawValue
    }
    package let key = Member<String>("In PEM, not encrypted. No other response contains it.") { $0.issued.keyPEM }
    package let notAfter = Member<String>(.time) { $0.issued.notAfter.rfc3339 }
    package let notBefore = Member<String>(.time) { $0.issued.notBefore.rfc3339 }
    package let p12 = Member<String?>("Certificate and key as PKCS#12, in Base64.") { granted in
        granted.file.map { Base64.encode($0.bytes) }
    }
    package let password = Member<String?>("The password of the PKCS#12 file.") { $0.file?.password }
    package let serial = Member<String>("In hexadecimal digits.") { $0.issued.serial }
    package let subject = Member<String>("In the form of RFC 2253.") { $0.issued.subject }
    package let topic = Member<String> { $0.bundleID }
    package let topics = Member<[String]> { $0.issued.topics }
}

package final class CertificateListShape: Shape {
    package typealias Source = ClientCertificates
    package static let definition = Definition(CertificateListShape(), "CertificateList")
    package let authorities = Member<[APIObject<CertificateAuthorityShape>]> { $0.authorities.map { APIObject($0) } }
    package let certificates = Member<[APIObject<ClientCertificateShape>]>("Issued by this server, oldest first.") {
        $0.issued.map { APIObject(JudgedCertificate($0, in: nil)) }
    }
    package let mode = Member<String>(.word(.clientCertificates)) { $0.mode.rawValue }
}

/// An authority whose certificates authenticate providers.
package final class CertificateAuthorityShape: Shape {
    package typealias Source = ClientCertificates.Authority
    package static let definition = Definition(CertificateAuthorityShape(), "CertificateAuthority")
    package let fingerprint = Member<String>("SHA-256.") { $0.fingerprint }
    package let notAfter = Member<String>(.time) { $0.notAfter.rfc3339 }
    package let own = Member<Bool>("Whether it is the server's own.") { $0.isOwn }
    package let subject = Member<String>("In the form of RFC 2253.") { $0.subject }
}

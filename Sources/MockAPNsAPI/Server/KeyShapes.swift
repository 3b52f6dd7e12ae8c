/// A key that signs provider tokens.
package final class KeyShape: Shape {
    package static let definition = Definition(KeyShape(), "Key")
    package let environment = Member<String>(.environments)
    package let keyId = Member<String>(.keyID)
    package let origin = Member<String>(.words(["start", "api"]))
    package let publicKey = Member<String>("In PEM.")
    package let teamId = Member<String>(.keyID)
    package let topics = Member<[String]?>(.topic, "null for all topics.")
}

package final class KeyGeneratedShape: Shape {
    package static let definition = Definition(KeyGeneratedShape(), "KeyGenerated")
    package let fileName = Member<String>()
    package let key = Part<KeyShape>()
    package let p8 = Member<String>("The .p8 file. No other response contains it.")
}

package final class KeyListShape: Shape {
    package static let definition = Definition(KeyListShape(), "KeyList")
    package let auth = Member<String>(.word(.authentication))
    package let keys = Member<[APIObject<KeyShape>]>()
}

package final class CertificateIssuedShape: Shape {
    package static let definition = Definition(CertificateIssuedShape(), "CertificateIssued")
    package let ca = Member<String>("The authority's certificate, in PEM.")
    package let certificate = Member<String>("In PEM.")
    package let environment = Member<String>(.environments)
    package let fileName = Member<String>("A name for the file.")
    package let fingerprint = Member<String>("SHA-256.")
    package let format = Member<String>(.words(["pem", "p12", "p12-legacy"]))
    package let key = Member<String>("In PEM, not encrypted. No other response contains it.")
    package let notAfter = Member<String>(.time)
    package let notBefore = Member<String>(.time)
    package let p12 = Member<String?>("Certificate and key as PKCS#12, in Base64.")
    package let password = Member<String?>("The password of the PKCS#12 file.")
    package let serial = Member<String>("In hexadecimal digits.")
    package let subject = Member<String>("In the form of RFC 2253.")
    package let topic = Member<String>()
    package let topics = Member<[String]>()
}

package final class CertificateListShape: Shape {
    package static let definition = Definition(CertificateListShape(), "CertificateList")
    package let authorities = Member<[APIObject<CertificateAuthorityShape>]>()
    package let certificates = Member<[APIObject<ClientCertificateShape>]>("Issued by this server, oldest first.")
    package let mode = Member<String>(.word(.clientCertificates))
}

/// An authority whose certificates authenticate providers.
package final class CertificateAuthorityShape: Shape {
    package static let definition = Definition(CertificateAuthorityShape(), "CertificateAuthority")
    package let fingerprint = Member<String>("SHA-256.")
    package let notAfter = Member<String>(.time)
    package let own = Member<Bool>("Whether it is the server's own.")
    package let subject = Member<String>("In the form of RFC 2253.")
}

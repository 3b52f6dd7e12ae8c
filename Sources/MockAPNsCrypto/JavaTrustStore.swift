internal import CMockAPNsOpenSSL
internal import CMockAPNsShims

/// The authorities that Java trusts, as a file.
package enum JavaTrustStore {
    /// Returns a PKCS#12 file with the certificates of a PEM text; those that OpenSSL cannot read are left out.
    ///
    /// The attribute that makes Java take them for authorities is set for each.
    package static func pkcs12(pem: String, password: String) throws -> [UInt8] {
        try withErrorQueue {
            var certificates: [OpaquePointer?] = []
            defer { for certificate in certificates { X509_free(certificate) } }
            for block in PEMBlock.all(in: pem) where block.label == "CERTIFICATE" {
                let bio = try MemoryBIO.reading(block.text)
                if let certificate = PEM_read_bio_X509(bio.pointer, nil, nil, nil) { certificates.append(certificate) }
            }
            ERR_clear_error()
            var size = 0
            let bytes = mockapns_java_trust_store(certificates, certificates.count, password, &size)
            let made = try OpenSSLError.check(bytes, "write a trust store for Java")
            defer { mockapns_free(made) }
            return Array(UnsafeBufferPointer(start: made, count: size))
        }
    }
}

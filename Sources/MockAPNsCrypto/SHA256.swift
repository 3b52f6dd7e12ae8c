internal import CMockAPNsOpenSSL
internal import MockAPNsFormats

/// The SHA-256 digest of bytes, in lower-case hexadecimal.
package enum SHA256 {
    /// Returns the digest.
    ///
    /// - Throws: ``OpenSSLError`` if OpenSSL failed, such as for lack of memory.
    package static func hex(of bytes: [UInt8]) throws -> String {
        try withErrorQueue {
            var digest = [UInt8](repeating: 0, count: 32)
            let isDone = EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha256(), nil) == 1
            try OpenSSLError.check(isDone, "compute a digest")
            return HexDigit.text(of: digest)
        }
    }
}

import Testing

@testable import MockAPNsCrypto

@Suite struct SHA256Tests {
    /// FIPS 180-2, appendix B.1, and the well-known digest of nothing.
    @Test(arguments: [
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ]) func `digests known messages`(_ message: String, _ digest: String) throws {
        #expect(try SHA256.hex(of: Array(message.utf8)) == digest)
    }
}

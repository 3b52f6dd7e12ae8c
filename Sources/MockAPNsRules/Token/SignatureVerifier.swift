/// Verifies signatures with one key; implemented by higher layers, because the rules have no cryptography.
public protocol SignatureVerifier: Sendable {
    /// Returns whether `signature` is the key's signature of `message`, created with `algorithm`.
    ///
    /// `nil` if the cryptographic library failed, for example for lack of memory.
    func verify(
        signature: UnsafeRawBufferPointer, of message: UnsafeRawBufferPointer, algorithm: ProviderToken.Algorithm
    ) -> Bool?
}

/// Verifies signatures with one key; implemented by higher layers, because the rules have no cryptography.
public protocol SignatureVerifier: Sendable {
    /// Verifies that `signature` is the key's signature of `message`, created with `algorithm`.
    func verify(
        signature: UnsafeRawBufferPointer,
        of message: UnsafeRawBufferPointer,
        algorithm: ProviderToken.Algorithm
    ) -> SignatureOutcome
}

/// The result of verifying a signature.
public enum SignatureOutcome: Sendable {
    /// The signature matches.
    case valid
    /// The signature does not match.
    case invalid
    /// The cryptographic library failed, for example for lack of memory.
    case failed
}

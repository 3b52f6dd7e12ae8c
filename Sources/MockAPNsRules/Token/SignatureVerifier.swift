/// Verifies signatures by one key: how the layers above the rules lend them cryptography.
public protocol SignatureVerifier: Sendable {
    /// Whether `signature` is the key's signature of `message`, made as `algorithm` says.
    func verify(
        signature: UnsafeRawBufferPointer,
        of message: UnsafeRawBufferPointer,
        algorithm: ProviderToken.Algorithm
    ) -> SignatureOutcome
}

/// What came of verifying a signature.
public enum SignatureOutcome: Sendable {
    /// The signature is the key's.
    case valid
    /// It is not.
    case invalid
    /// The cryptographic library could not tell, for want of memory say.
    case failed
}

internal import MockAPNsRules

/// Verified provider tokens, found by their bytes.
///
/// A provider sends the same token with every push, so the last one is compared first, without hashing.
struct TokenCache {
    /// The maximum number of tokens; above it, all are dropped and verified again when needed.
    static let capacity = 1_024

    private var lastBytes: [UInt8] = []
    private var last: ProviderCredential?
    private var credentials: [[UInt8]: ProviderCredential] = [:]

    /// Returns the credential of a token; `nil` if it is not cached.
    mutating func credential(for token: ByteSpan) -> ProviderCredential? {
        if let last, lastBytes.withUnsafeBufferPointer({ token.equals(ByteSpan($0)) }) { return last }
        guard !credentials.isEmpty else { return nil }
        let bytes = Array(token.bytes)
        guard let known = credentials[bytes] else { return nil }
        (lastBytes, last) = (bytes, known)
        return known
    }

    /// Caches a token.
    ///
    /// A token that the cryptographic library failed to verify is not cached, so it is tried again.
    mutating func insert(_ credential: ProviderCredential, for token: ByteSpan) {
        guard credential.verification != .verifierFailed else { return }
        if credentials.count >= Self.capacity { credentials.removeAll(keepingCapacity: true) }
        let bytes = Array(token.bytes)
        credentials[bytes] = credential
        (lastBytes, last) = (bytes, credential)
    }

    mutating func removeAll() { self = TokenCache() }
}

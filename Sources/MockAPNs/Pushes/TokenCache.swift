internal import MockAPNsRules

/// Provider tokens that have been verified, found by their bytes.
///
/// A provider sends one token with every push, so the last one is compared first and costs no hashing.
struct TokenCache {
    /// Tokens kept; when there are more, all are forgotten and verified again as they come.
    static let capacity = 1_024

    private var lastBytes: [UInt8] = []
    private var last: ProviderCredential?
    private var credentials: [[UInt8]: ProviderCredential] = [:]

    /// What is known of a token.
    mutating func credential(for token: ByteSpan) -> ProviderCredential? {
        if let last, lastBytes.withUnsafeBufferPointer({ token.equals(ByteSpan($0)) }) { return last }
        guard !credentials.isEmpty else { return nil }
        let bytes = Array(token.bytes)
        guard let known = credentials[bytes] else { return nil }
        (lastBytes, last) = (bytes, known)
        return known
    }

    /// Remembers a token.
    ///
    /// One that the cryptographic library could not verify is tried again instead.
    mutating func insert(_ credential: ProviderCredential, for token: ByteSpan) {
        guard credential.verification != .verifierFailed else { return }
        if credentials.count >= Self.capacity { credentials.removeAll(keepingCapacity: true) }
        let bytes = Array(token.bytes)
        credentials[bytes] = credential
        (lastBytes, last) = (bytes, credential)
    }

    /// Forgets all tokens.
    mutating func removeAll() { self = TokenCache() }
}

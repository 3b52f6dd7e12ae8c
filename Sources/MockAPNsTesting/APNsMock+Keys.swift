internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats

extension APNsMock {
    /// Creates another signing key, by default for all topics.
    public func addKey(topics: [String]? = nil) async throws -> Key {
        let body = topics.map { topics -> JSONValue in ["topics": .array(topics.map { .string($0) })] }
        return try await api.call("POST", "keys/generate", body, as: KeyGeneratedShape.self) { Key($0, api) }
    }

    /// A key that signs provider tokens.
    public struct Key: Sendable, Identifiable {
        /// The identifier of the key, for the header `kid`.
        public let id: String
        /// The identifier of the team, for the claim `iss`.
        public let teamID: String
        /// The private key, as in the `.p8` file that Apple provides.
        public let pem: String
        private let api: DebugAPI

        init(_ generated: APIObject<KeyGeneratedShape>, _ api: DebugAPI) {
            (id, teamID, pem) = (generated.key.keyId, generated.key.teamId, generated.p8)
            self.api = api
        }

        /// Returns a provider token, issued now by the clock of the server.
        ///
        /// Providers send it in the header `authorization`, after `bearer `.
        public func token() async throws -> String {
            try token(issuedAt: Int(try await Clock(api: api).now().components.seconds))
        }

        /// Returns a provider token; `issuedAt` is the claim `iat`, in UNIX seconds.
        public func token(issuedAt: Int) throws -> String {
            try DevelopmentKey(keyID: id, teamID: teamID, privateKeyPEM: pem).providerToken(issuedAt: Int64(issuedAt))
        }

        /// Revokes the key: its tokens are rejected from now on.
        public func revoke() async throws { try await api.call("DELETE", "keys/\(id)") }
    }
}

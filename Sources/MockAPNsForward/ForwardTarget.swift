package import MockAPNsCrypto
package import MockAPNsUpstream

/// Where pushes are forwarded to, which, and as whom.
package struct ForwardTarget: Sendable {
    /// Who signs the forwarded pushes: never the client that sent them.
    package enum Credential: Sendable {
        /// Provider tokens of this key.
        case key(SigningKey, keyID: String, teamID: String)
        /// The client's certificate in the options of the connections.
        case certificate
    }

    /// The push service.
    package let address: UpstreamAddress
    /// How its connections are opened.
    package var options = UpstreamOptions()
    package let credential: Credential
    /// The topics of the pushes to forward; others stay here.
    package let topics: Set<String>
    /// The device tokens of the pushes to forward, in lower case; empty for all.
    package var tokens: Set<String> = []
    /// Whether rejected pushes are forwarded, too.
    package var includesRejected = false

    package init(_ address: UpstreamAddress, _ credential: Credential, topics: Set<String>) {
        (self.address, self.credential, self.topics) = (address, credential, topics)
    }
}

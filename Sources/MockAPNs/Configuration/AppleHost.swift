package import MockAPNsRules

/// A host of Apple's push service: its name, and what is behind which of its ports.
package struct AppleHost: Equatable, Sendable {
    /// What a host offers.
    package enum Offer: Sendable {
        /// Pushes and broadcasts over HTTP/2.
        case pushes
        /// The management of channels.
        case channels
        /// The binary interface (documented; off since 2021-03-31).
        case gateway
        /// The feedback service of the binary interface.
        case feedback
    }

    package let name: String
    package let offer: Offer
    package let environment: Environment

    private init(_ name: String, _ offer: Offer, _ environment: Environment) {
        (self.name, self.offer, self.environment) = ("\(name).push.apple.com", offer, environment)
    }

    /// Every host, one row each: the certificate has their names, and `exec --intercept` leads them to this server.
    ///
    /// All are documented by Apple; `api.development` only in older pages, as another name of `api.sandbox`.
    package static let all = [
        AppleHost("api", .pushes, .production), AppleHost("api.sandbox", .pushes, .sandbox),
        AppleHost("api.development", .pushes, .sandbox), AppleHost("api-broadcast", .pushes, .production),
        AppleHost("api-broadcast.sandbox", .pushes, .sandbox),
        AppleHost("api-manage-broadcast", .channels, .production),
        AppleHost("api-manage-broadcast.sandbox", .channels, .sandbox), AppleHost("gateway", .gateway, .production),
        AppleHost("gateway.sandbox", .gateway, .sandbox), AppleHost("feedback", .feedback, .production),
        AppleHost("feedback.sandbox", .feedback, .sandbox),
    ]

    /// The ports of the host (documented).
    package var ports: [UInt16] {
        switch (offer, environment) {
        case (.pushes, _): [443, 2_197]
        case (.channels, .sandbox), (.gateway, _): [2_195]
        case (.channels, .production), (.feedback, _): [2_196]
        }
    }
}

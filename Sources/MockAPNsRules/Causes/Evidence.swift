/// What is known of a rejected request besides the request itself, to find the cause.
package struct Evidence {
    package let reason: Reason
    package var verification = TokenVerification.notChecked
    /// How many bytes of the provider token's signature the request no longer has.
    package var removedFromToken = 0
    /// The service whose checks have run.
    package var service = Service.push
    package var isBinary = false
    package var environment = Environment.sandbox
    /// The time of the request on the world's clock.
    package var now = Timestamp(microseconds: 0)
    package var options = RuleOptions()
    package var certificate: ClientCertificate?
    /// When the device token became invalid, for a 410.
    package var deadSince: Timestamp?
    /// The registered keys by key ID, as they are now.
    package var keys: () -> [String: ProviderKey] = { [:] }
    /// The topic and the environment of a device token, as they are now; `nil` if it is not registered.
    package var registration: (DeviceToken) -> (topic: String, environment: Environment)? = { _ in nil }
    /// The app that has a channel now; `nil` if none has it.
    package var owner: (ChannelID) -> ChannelApp? = { _ in nil }
    /// The apps that have channels now.
    package var appsWithChannels: () -> [ChannelApp] = { [] }
    /// The last valid provider token on the connection before the request.
    package var earlierToken: () -> (key: ProviderKey, issuedAt: Double)? = { nil }

    /// The certificate of the client, unless certificates are ignored.
    package var judgedCertificate: ClientCertificate? { certificate.flatMap { $0.standing == .ignored ? nil : $0 } }

    package init(_ reason: Reason) { self.reason = reason }
}

package import MockAPNsRules

/// The registrations as seen by event loops; the ruleset has an immutable copy.
package struct RegistrationIndex: Sendable {
    var tokens = TokenTable()
    var topics = TopicNames()
    /// The labels of devices, by the slot of each of their registrations.
    var labels = LabelTable()
    var epoch: UInt64 = 0

    /// Returns the label of the device for which a token is registered.
    package func label(of token: DeviceToken) -> String? {
        labels.isEmpty ? nil : tokens[token].flatMap { labels[$0.place] }
    }
}

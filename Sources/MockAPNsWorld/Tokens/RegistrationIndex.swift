package import MockAPNsRules

/// What event loops look into: the rules in force have an immutable copy.
package struct RegistrationIndex: Sendable {
    var tokens = TokenTable()
    var topics = TopicNames()
    /// The labels of the devices that have one, by the place of each of their registrations.
    var labels = LabelTable()
    var epoch: UInt64 = 0

    /// Returns the label of the device that a token is registered to.
    package func label(of token: DeviceToken) -> String? {
        labels.isEmpty ? nil : tokens[token].flatMap { labels[$0.place] }
    }
}

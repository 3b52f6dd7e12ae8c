/// A topic that does not belong to an app, and so has its own payload; the topic's prefix tells.
package enum SpecialTopic: CaseIterable, Sendable {
    /// Documented: Apple, "Sending MDM commands to a device".
    case deviceManagement
    /// Documented: Apple, "Adding a web service to update passes".
    case wallet
    /// Documented: Apple's archived "Notification Programming Guide for Websites".
    case website

    /// The properties of a special topic.
    package struct Row: Sendable {
        /// The beginning of the topic.
        package let prefix: StaticString
        /// What such a push is called in messages.
        package let push: String
        /// The certificate that the connection needs.
        package let certificate: String
    }

    /// The properties of this topic; the switch is exhaustive, so a case without a row does not compile.
    package var row: Row {
        switch self {
        case .deviceManagement:
            Row(prefix: "com.apple.mgmt.", push: "an MDM push", certificate: "the MDM push certificate")
        case .wallet: Row(prefix: "pass.", push: "a push to Wallet", certificate: "the certificate that signs the pass")
        case .website: Row(prefix: "web.", push: "a push to a website", certificate: "the website push certificate")
        }
    }

    /// Recognizes a topic; `nil` if it belongs to an app.
    package init?(_ topic: ByteSpan) {
        guard let found = Self.allCases.first(where: { topic.hasPrefix($0.row.prefix) }) else { return nil }
        self = found
    }

    /// Recognizes a topic; `nil` if it belongs to an app.
    package init?(topic: String?) {
        guard var topic, let found = topic.withUTF8({ Self(ByteSpan($0)) }) else { return nil }
        self = found
    }
}

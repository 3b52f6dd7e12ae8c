internal import MockAPNsFormats

/// A member without which the device does nothing with a push of a kind.
///
/// The rows are in `PushKind`. The members of a Live Activity depend on its event, and so are in `ActivityReading`.
struct PayloadNeed: Sendable {
    /// The names of the members on the way to it.
    let way: [String]
    let expected: String
    let isMet: @Sendable (JSONValue) -> Bool

    /// The members of the `aps` of an accessory, which Apple's sample sends as strings, `messageIndex` too.
    static let ofAccessory = ["encryptedData", "keyID", "messageIndex", "sessionIdentifier"]

    /// A member of `aps` that is 1 or true.
    static func flag(_ name: String, _ expected: String) -> PayloadNeed {
        PayloadNeed(way: ["aps", name], expected: expected, isMet: \.isOn)
    }
}

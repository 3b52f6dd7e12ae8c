internal import MockAPNsFormats

/// A member without which the device does nothing with a push of a type.
///
/// To add one, add a row. The members of a Live Activity depend on its event, and so are in `ActivityReading`.
struct PayloadNeed {
    /// The names of the members on the way to it.
    let way: [String]
    let expected: String
    let isMet: (JSONValue) -> Bool

    /// The members of the `aps` of an accessory, which Apple's sample sends as strings, `messageIndex` too.
    static let ofAccessory = ["encryptedData", "keyID", "messageIndex", "sessionIdentifier"]

    /// What every push of a type needs.
    static func of(_ type: PushType) -> [PayloadNeed] {
        switch type {
        // Documented: Apple, "Responding to forwarded notifications".
        case .accessory:
            ofAccessory.map { PayloadNeed(way: ["aps", $0], expected: "a string is expected", isMet: \.isReadable) }
        // Documented: Apple, "Pushing background updates to your App".
        case .background:
            [
                PayloadNeed(
                    way: ["aps", "content-available"], expected: "the number 1 is expected of a background push",
                    isMet: \.isOn)
            ]
        // Documented: Apple, "Updating widgets with WidgetKit push notifications" and "Updating controls locally and
        // remotely". Inferred: without it nothing is reloaded.
        case .controls, .widgets:
            [
                PayloadNeed(
                    way: ["aps", "content-changed"], expected: "true is expected, so nothing is reloaded", isMet: \.isOn
                )
            ]
        // Documented: Apple, "Using push notifications to signal changes". Inferred: without them there is nothing to
        // signal.
        case .fileprovider:
            ["container-identifier", "domain"].map {
                PayloadNeed(
                    way: [$0], expected: "a string is expected, so the extension is not told of a change",
                    isMet: \.isReadable)
            }
        // Documented: Apple, "Sending MDM commands to a device".
        case .mdm:
            [
                PayloadNeed(
                    way: ["mdm"],
                    expected: "the device's PushMagic is expected of \(SpecialTopic.deviceManagement.row.push)",
                    isMet: \.isReadable)
            ]
        case .alert, .complication, .liveactivity, .location, .pushtotalk, .voip: []
        }
    }
}

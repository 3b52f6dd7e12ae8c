internal import MockAPNsFormats
internal import MockAPNsRules

enum AccessoryLints {
    /// The keys of `aps`, which Apple's sample sends as strings, `messageIndex` too.
    static let keys = ["encryptedData", "keyID", "messageIndex", "sessionIdentifier"]

    static func shape(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .accessory, let aps = push.aps else { return }
        for key in keys where aps[key]?.isReadable != true {
            notes.add(["aps", key], invalid: aps[key], "a string is expected")
        }
    }
}

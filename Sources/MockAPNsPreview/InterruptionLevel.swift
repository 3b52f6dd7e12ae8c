package import MockAPNsFormats

/// The notification's interruption level.
///
/// Documented: https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel
package enum InterruptionLevel: String, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    package var row: (meaning: String, label: String?) {
        switch self {
        case .passive: ("It goes to the list; the screen stays dark, and there is no sound.", nil)
        case .active: ("The screen lights up, and the sound may play.", nil)
        case .timeSensitive:
            ("As active, and it breaks through Focus and the summary, if the app may.", "TIME SENSITIVE")
        case .critical:
            ("It breaks through Focus and the mute switch, if the app has Apple's entitlement.", "CRITICAL")
        }
    }

    /// Reads the level from a payload, with `active` as the default for a missing or unknown level (inferred).
    ///
    /// A critical sound does not make the notification critical (inferred).
    package init(aps: JSONValue?) {
        guard case .string(let name)? = aps?["interruption-level"] else {
            self = .active
            return
        }
        self = InterruptionLevel(rawValue: name) ?? .active
    }
}

package import MockAPNsFormats

/// How much a notification may interrupt.
///
/// Documented: https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel
package enum InterruptionLevel: String, CaseIterable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical

    /// What it does on the screen, and what stands over the words of the notification.
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

    /// The level of a payload; `active` where it names none, or one that there is not (inferred).
    ///
    /// A sound that is critical makes no notification critical by itself (inferred).
    package init(aps: JSONValue?) {
        guard case .string(let name)? = aps?["interruption-level"] else {
            self = .active
            return
        }
        self = InterruptionLevel(rawValue: name) ?? .active
    }
}

package import MockAPNsFormats

/// What `aps.badge` does.
///
/// Documented: a number sets the badge, 0 removes it, and without the key the badge is unchanged. Inferred: any notation of
/// a whole number is one, and iOS ignores everything else.
package enum PayloadBadge: Sendable {
    case unchanged
    /// A number of at least 0.
    case shows(Int64)
    case ignored(JSONValue)

    package init(_ value: JSONValue?) {
        guard let value else {
            self = .unchanged
            return
        }
        if let number = value.wholeNumber, number >= 0 { self = .shows(number) } else { self = .ignored(value) }
    }

    /// The number that the app's icon has afterwards; `nil` if the push does not change it.
    package var number: Int64? { if case .shows(let number) = self { number } else { nil } }
}

/// What `aps.sound` plays.
///
/// Documented: a name, `default`, or, for a critical alert, an object with `critical`, `name` and `volume` from 0 to 1.
package struct PayloadSound: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case none
        case `default`
        case named
        case critical
        /// A value that does not name a sound.
        case ignored
    }

    package let kind: Kind
    package private(set) var name: String?
    package private(set) var volume: Double?

    package init(_ value: JSONValue?) {
        switch value {
        case nil, .null?, .string("")?: kind = .none
        case .string("default")?: (kind, name) = (.default, "default")
        case .string(let text)?: (kind, name) = (.named, text)
        case .object(let members)?:
            name = members["name"].flatMap { $0.isReadable ? $0.string : nil }
            volume = members["volume"]?.double.map { min(max($0, 0), 1) }
            let isCritical = members["critical"]?.isOn == true
            kind = isCritical ? .critical : name == nil ? .ignored : name == "default" ? .default : .named
        default: kind = .ignored
        }
    }

    /// Whether something is played.
    package var isHeard: Bool { kind != .none && kind != .ignored }

    /// Whether a path or an address is in place of the name of a file in the app.
    package var isPath: Bool { name?.contains("/") == true }

    /// The extensions of audio files that iOS does not play as the sound of a notification.
    ///
    /// Documented: it plays aiff, wav and caf (usernotifications/unnotificationsound).
    static let wrongExtensions: Set<String> = [
        "3gp", "aac", "ac3", "amr", "au", "flac", "m4a", "m4b", "m4r", "mid", "midi", "mov", "mp2", "mp3", "mp4", "oga",
        "ogg", "opus", "snd", "webm", "wma",
    ]

    /// The extension of the file that is named, if it is that of a sound that iOS does not play.
    package var wrongExtension: String? {
        guard let name, let dot = name.lastIndex(of: ".") else { return nil }
        let ending = String(name[dot...].dropFirst())
        return Self.wrongExtensions.contains(ending.lowercased()) ? ending : nil
    }
}

/// Documented: https://developer.apple.com/documentation/usernotifications/unnotificationinterruptionlevel.
package enum InterruptionLevel: String, CaseIterable, Sendable {
    case passive
    case active
    case timeSensitive = "time-sensitive"
    case critical
}

package import MockAPNsFormats
internal import MockAPNsQuery

/// The notification's sound.
///
/// Documented: a name, `default`, or, for a critical alert, an object with `critical`, `name` and `volume` from 0 to 1
/// (generating-a-remote-notification).
package struct PreviewSound: Equatable {
    package enum Kind: String, CaseIterable {
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
            if case .string(let text)? = members["name"] { name = text }
            volume = members["volume"]?.double.map { min(max($0, 0), 1) }
            let isCritical = members["critical"]?.isOn == true
            kind = isCritical ? .critical : name == nil ? .ignored : name == "default" ? .default : .named
        default: kind = .ignored
        }
    }
    package var meaning: String {
        switch kind {
        case .none: "No sound."
        case .default: "The system's sound."
        case .named:
            "The app's sound \(JSONValue.shortened(name ?? "")), or the system's if the app has none."
        case .critical:
            "Played whatever the mute switch says"
                + (volume.map { ", at \(Int(($0 * 100).rounded())) %" } ?? "")
                + ", if the app has Apple's entitlement."
        case .ignored: "sound has an invalid type or value; it is ignored."
        }
    }
}

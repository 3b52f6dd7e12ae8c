internal import MockAPNsFormats
package import MockAPNsWorld

/// The ids of Live Activities: `act_` and a number.
package enum ActivityIDText {
    package static let expected = "act_ and a number"

    private static let prefix = "act_"

    package static func text(_ id: ActivityID) -> String { "\(prefix)\(id)" }

    package static func id(_ text: String) -> ActivityID? {
        text.hasPrefix(prefix) ? ActivityID(String(text.dropFirst(prefix.count))) : nil
    }
}

package import MockAPNsFormats
internal import MockAPNsQuery

/// The notification's effect on the app's badge.
///
/// Documented: a number sets the badge, 0 removes it, and without the key the badge is unchanged
/// (generating-a-remote-notification).
package enum PreviewBadge: Equatable {
    case unchanged
    case sets(Int64)
    case cleared
    /// A value that is not a valid badge number.
    case ignored(JSONValue)

    package init(_ value: JSONValue?) {
        switch value {
        case nil, .null?: self = .unchanged
        case .integer(0)?: self = .cleared
        case .integer(let number)? where number > 0: self = .sets(number)
        case let other?: self = .ignored(other)
        }
    }

    /// The effect's name in the API, and a sentence that describes it.
    package var row: (effect: String, meaning: String) {
        switch self {
        case .unchanged: ("unchanged", "The badge does not change.")
        case .sets(let number): ("sets", "The badge shows \(number).")
        case .cleared: ("clears", "The badge is removed.")
        case .ignored(let value):
            ("ignored", "badge is \(value.words), not a whole number of at least 0; it is ignored.")
        }
    }

    package static let effects = ["unchanged", "sets", "clears", "ignored"]

    package var number: Int64? {
        switch self {
        case .sets(let number): number
        case .cleared: 0
        case .unchanged, .ignored: nil
        }
    }
}

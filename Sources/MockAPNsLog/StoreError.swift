/// The reason why a store failed.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: Sendable {
        /// The disk is full.
        case full
        /// The files or their directory cannot be read or written.
        case noAccess
        /// Another server uses the store.
        case inUse
        /// The contents of the store are invalid or incomplete.
        case damaged
        /// The files of the store were deleted or replaced while they were in use.
        case lost
        /// Another version has written the store.
        case otherVersion
        /// Another error.
        case failed
    }

    /// The kind of error.
    package let code: Code
    /// What was seen and how to fix it.
    package let description: String

    /// Creates the error of a place with invalid contents.
    package init(damaged place: String, _ seen: String) {
        self.init(.damaged, "\(place) is damaged: \(seen); restore a copy of it")
    }

    /// Creates the error of a place whose tables another version has made; `other` is what to use instead of the place.
    package init(_ place: String, version: Int, expected: Int, other: String) {
        let fix = "export its pushes with that version (mock-apns data export) and import them, or use another \(other)"
        let seen = "its tables have version \(version), expected \(expected)"
        self.init(.otherVersion, "\(place) was written by another version of mock-apns: \(seen); \(fix)")
    }

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

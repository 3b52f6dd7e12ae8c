/// The reason why a store failed.
package struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Code: Sendable {
        /// There is no room.
        case full
        /// The files or their directory cannot be written, or not be read.
        case noAccess
        /// Another server uses the store.
        case inUse
        /// The store does not hold what it must.
        case damaged
        /// A newer version has written the store.
        case newer
        /// The system reported another error.
        case failed
    }

    /// The kind of error.
    package let code: Code
    /// What was seen and how to fix it.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// The reason why the API could not be started.
package struct InspectorError: Error, CustomStringConvertible {
    package enum Code: Sendable {
        case addressInUse
        case cannotListen
        case badAllowedHost
        /// The token for requests cannot be sent in a header.
        case badToken
        case badOrigin
        /// `start` was called twice.
        case alreadyStarted
    }

    package let code: Code
    /// The port asked for.
    package let port: Int
    /// What was seen, and what to do about it.
    package let description: String
}

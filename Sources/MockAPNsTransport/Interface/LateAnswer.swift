public import MockAPNsRules
internal import NIOConcurrencyHelpers

/// The content of a response that comes from elsewhere, after the request was answered.
///
/// A response with `WireFault(awaiting:upTo:)` is held back for it.
public final class LateAnswer: Sendable {
    /// What is sent in place of the response.
    public struct Content: Sendable {
        let status: UInt16
        let headers: [FaultAction.Header]
        let body: [UInt8]

        /// Creates the content of a response with a final status, and header names in lower case.
        public init(status: UInt16, headers: [FaultAction.Header], body: [UInt8]) {
            (self.status, self.headers, self.body) = (status, headers, body)
        }
    }

    private struct State {
        var isGiven = false
        var content: Content?
        var whenGiven: (@Sendable () -> Void)?
    }

    private let state = NIOLockedValueBox(State())

    /// Creates an answer that is still missing.
    public init() {}

    /// Sends the response, from any thread: with this content, or as it is for `nil`.
    ///
    /// Further calls have no effect.
    public func give(_ content: Content?) {
        let call = state.withLockedValue { state in
            if !state.isGiven { (state.isGiven, state.content) = (true, content) }
            return state.whenGiven.take()
        }
        call?()
    }

    /// The content, once it is given; `nil` for the response as it is.
    var content: Content? { state.withLockedValue { $0.content } }

    /// Calls a function once, from any thread, when the answer is given, or now if it was.
    func whenGiven(_ call: @escaping @Sendable () -> Void) {
        let isGiven = state.withLockedValue { state in
            if !state.isGiven { state.whenGiven = call }
            return state.isGiven
        }
        if isGiven { call() }
    }
}

/// Why a request was rejected, with what was seen and what was expected.
///
/// A reason has several causes, and a hint names the one that applies. To add one, add a case; the compiler then
/// requires its texts in `Cause+Texts.swift`. The check that rejects the request finds it (`Check.cause`), when the
/// push is read and not when it is judged.
package enum Cause: Equatable, Sendable {
    // MARK: Chosen, or not for this request alone

    /// The device token or the channel ID asks for the reason.
    case requested(Reason)
    /// A fault chose the response.
    case fault(Reason)
    /// The check is unknown, as in a push that another version has recorded.
    case unknown(Reason)
    case stopping
    case cannotKeep

    // MARK: Certificates

    case certificate(ClientCertificate, at: Timestamp)
    case certificateEnvironment(ClientCertificate, address: Environment)

    // MARK: Method and path

    case method(seen: String, expected: String)
    case path(PathFlaw, seen: String, expected: String)
    case repeatedHeader(name: String, values: [String])
    /// No device token after `/3/device/`; with the value of `apns-channel-id`, if there is one.
    case deviceTokenMissing(channel: String?)

    // MARK: By what they are about

    case token(TokenCause)
    case header(HeaderCause)
    case device(DeviceCause)
    case channel(ChannelCause)

    /// What was seen and expected, then how to fix it; the first sentence is the cause.
    package var hint: String { "\(texts.what) \(texts.fix)" }
}

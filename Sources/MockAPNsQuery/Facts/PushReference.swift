internal import MockAPNsFormats
internal import MockAPNsRules

/// A reference to a push in a URL path.
package enum PushReference: Equatable {
    case id(PushID)
    /// `seq:1842`
    case seq(UInt64)
    /// `apns:<apns-id>`
    case apnsID(String)

    /// The expected format, for error messages.
    package static let expected = "psh_ with 16 characters, seq:<number> or apns:<the apns-id of an answer>"

    package init?(_ text: String) {
        if let id = PushID(text) {
            self = .id(id)
        } else if text.hasPrefix("seq:"), let seq = UInt64(digits: String(text.dropFirst(4))) {
            self = .seq(seq)
        } else if text.hasPrefix("apns:"), Self.isUUID(text.dropFirst(5)) {
            self = .apnsID(String(text.dropFirst(5)))
        } else {
            return nil
        }
    }

    private static func isUUID(_ text: Substring) -> Bool {
        var text = text
        return text.withUTF8 { UniqueID.isCanonical(ByteSpan($0), lowerCaseOnly: false) }
    }
}

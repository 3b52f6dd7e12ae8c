package import MockAPNsFormats

/// The words of an alert, as the user reads them.
///
/// A device looks up localized words in the app's tables, which nobody here has: the key stands for them.
package struct AlertText {
    package private(set) var title: String?
    package private(set) var subtitle: String?
    package private(set) var body: String?

    /// - Parameter alert: what `aps.alert` is, which may be any JSON.
    package init(_ alert: JSONValue?) {
        if case .string(let text)? = alert {
            body = text
            return
        }
        title = Self.text(alert, "title", or: "title-loc-key")
        subtitle = Self.text(alert, "subtitle", or: "subtitle-loc-key")
        body = Self.text(alert, "body", or: "loc-key")
    }

    /// Whether there is anything to read.
    package var hasText: Bool { [title, subtitle, body].contains { $0?.isEmpty == false } }

    private static func text(_ alert: JSONValue?, _ name: String, or key: String) -> String? {
        for name in [name, key] {
            if case .string(let text)? = alert?[name] { return text }
        }
        return nil
    }
}

package import MockAPNsFormats

/// The text of an alert, as shown to the user.
///
/// A device looks up localized strings in the app. They are not available here, so the localization key is used
/// instead.
package struct AlertText {
    package private(set) var title: String?
    package private(set) var subtitle: String?
    package private(set) var body: String?

    package init(_ alert: JSONValue?) {
        if case .string(let text)? = alert {
            body = text
            return
        }
        title = Self.text(alert, "title", or: "title-loc-key")
        subtitle = Self.text(alert, "subtitle", or: "subtitle-loc-key")
        body = Self.text(alert, "body", or: "loc-key")
    }

    package var hasText: Bool { [title, subtitle, body].contains { $0?.isEmpty == false } }

    private static func text(_ alert: JSONValue?, _ name: String, or key: String) -> String? {
        for name in [name, key] {
            if case .string(let text)? = alert?[name] { return text }
        }
        return nil
    }
}

package import MockAPNsFormats

/// The texts of an alert, or their localization keys, because the localized texts are in the app.
///
/// Documented: a notification has its keys beside the texts (`title-loc-key`), a Live Activity has an object in place of a
/// text (`"title": {"loc-key": …}`). Neither reads the form of the other (inferred).
package struct AlertText: Sendable {
    package let title: String?
    package let subtitle: String?
    package let body: String?

    /// Reads `aps.alert` as a push of this type has it.
    package init(_ alert: JSONValue?, of type: PushType) {
        guard type != .liveactivity else {
            func text(_ name: String) -> String? { alert?[name]?.string ?? alert?[name]?["loc-key"]?.string }
            (title, subtitle, body) = (text("title"), nil, text("body"))
            return
        }
        title = alert?["title"]?.string ?? alert?["title-loc-key"]?.string
        subtitle = alert?["subtitle"]?.string ?? alert?["subtitle-loc-key"]?.string
        body = alert?.string ?? alert?["body"]?.string ?? alert?["loc-key"]?.string
    }

    /// Whether there is a visible character.
    package var hasText: Bool { [title, subtitle, body].contains { $0?.contains { !$0.isWhitespace } == true } }
}

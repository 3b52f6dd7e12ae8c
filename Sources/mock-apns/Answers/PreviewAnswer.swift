/// What iOS would show of a push, as the API shows it.
struct PreviewAnswer: Decodable {
    struct App: Decodable {
        let bundleId: String
        let name: String
    }

    struct Text: Decodable {
        let text: String
        let source: String
    }

    struct Meaning: Decodable {
        let meaning: String
    }

    struct State: Decodable {
        let appState: String
        let isShown: Bool
        let summary: String
    }

    let kind: String
    let headline: String
    let summary: String
    let language: String?
    let app: App
    let title: Text?
    let subtitle: Text?
    let body: Text?
    let badge: Meaning
    let sound: Meaning
    let interruptionLevel: Meaning
    let appStates: [State]
    let notes: [String]

    /// What would be seen, then what happens in each state of the app, then what is odd.
    var text: String {
        var rows = [("kind", "\(kind): \(headline)"), ("app", "\(app.name) (\(app.bundleId))")]
        if let language { rows.append(("language", language)) }
        for (name, text) in [("title", title), ("subtitle", subtitle), ("body", body)] {
            guard let text else { continue }
            rows.append((name, text.source == "key-not-found" ? "\(text.text) (key not found)" : text.text))
        }
        switch kind {
        case "alert", "quiet", "live-activity":
            rows += [
                ("badge", badge.meaning), ("sound", sound.meaning), ("level", interruptionLevel.meaning),
            ]
        default: rows.append(("seen", summary))
        }
        rows += appStates.map { ($0.appState, $0.summary) }
        let sheet = Table.sheet(rows.map { ($0.0, TerminalText.plain($0.1)) })
        return ([sheet] + notes.map { "note: \(TerminalText.plain($0))" }).joined(separator: "\n")
    }
}

/// A push, as the API shows it, with what the terminal shows of it.
struct PushAnswer: Decodable {
    /// What the provider asked for.
    struct Request: Decodable {
        let payload: PayloadText?
    }

    /// What APNs' headers say.
    struct Header: Decodable {
        let topic: String?
        let pushType: String?
    }

    /// What became of it.
    struct Delivery: Decodable {
        let timeline: [Step]
        let reaction: ReactionAnswer?
    }

    /// A step on its way.
    struct Step: Decodable {
        let at: String
        let event: String
    }

    let id: String
    let receivedAt: String
    let apns: Header
    let request: Request
    let delivery: Delivery?

    /// When it reached the device, or else when it arrived.
    var time: String {
        delivery?.timeline.last { $0.event == "delivered" }?.at ?? receivedAt
    }

    /// One line for one notification on a device.
    var line: String {
        let topic = apns.topic ?? "no topic"
        let text = request.payload?.line ?? "no text (\(apns.pushType ?? "no push type"))"
        let reaction = delivery?.reaction.map { "  [\($0.summary)]" } ?? ""
        return TerminalText.plain("\(TerminalText.time(time))  \(topic)  \(text)\(reaction)")
    }

    /// A line for each push.
    static func table(_ pushes: [PushAnswer]) -> String {
        var table = Table([.text("PUSH"), .text("RECEIVED"), .text("TOPIC"), .text("TYPE"), .text("TEXT")])
        table.rows = pushes.map { push in
            [
                push.id, TerminalText.time(push.receivedAt), push.apns.topic ?? "-",
                push.apns.pushType ?? "-",
                push.request.payload?.line ?? "-",
            ]
        }
        return table.text
    }
}

/// What iOS does with a notification, as the API shows it.
struct ReactionAnswer: Decodable {
    let summary: String
}

/// The words in the alert of a payload, which may be any JSON at all.
struct PayloadText: Decodable {
    let title: String?
    let subtitle: String?
    let body: String?

    private enum PayloadKeys: CodingKey {
        case aps
    }

    private enum APSKeys: CodingKey {
        case alert
    }

    private enum AlertKeys: String, CodingKey {
        case title
        case subtitle
        case body
        case titleKey = "title-loc-key"
        case bodyKey = "loc-key"
    }

    // A payload is whatever a provider sent: what is not an alert has no words, and is no error.
    init(from decoder: any Decoder) throws {
        let aps = try? decoder.container(keyedBy: PayloadKeys.self)
            .nestedContainer(keyedBy: APSKeys.self, forKey: .aps)
        if let text = try? aps?.decode(String.self, forKey: .alert) {
            (title, subtitle, body) = (nil, nil, text)
            return
        }
        let alert = try? aps?.nestedContainer(keyedBy: AlertKeys.self, forKey: .alert)
        func text(_ keys: AlertKeys...) -> String? {
            keys.lazy.compactMap { try? alert?.decode(String.self, forKey: $0) }.first
        }
        title = text(.title, .titleKey)
        subtitle = text(.subtitle)
        body = text(.body, .bodyKey)
    }

    /// The words on one line; `nil` when there are none.
    var line: String? {
        let words = [title, subtitle, body].compactMap { $0 }.filter { !$0.isEmpty }
        return words.isEmpty ? nil : words.joined(separator: ": ")
    }
}

/// What waits for a device, as the API shows it.
struct StoredAnswer: Decodable {
    let stored: [PushAnswer]
}

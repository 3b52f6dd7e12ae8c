internal import MockAPNsAPI
internal import MockAPNsFormats

extension APIObject<ActivityShape> {
    static func table(_ activities: [APIObject<ActivityShape>], full: Bool) -> String {
        let columns: [Table.Column] = [
            .fixed("ACTIVITY"), .fixed("STATE"), "TYPE", .name("TOPIC").optional(2), .time("STARTED").optional(3),
            .fixed("LAST PUSH").optional(4), .number("IGNORED").optional(1), .fixed("TOKEN OR CHANNEL"),
        ]
        return Table.text(columns, of: activities) { activity in
            [
                activity.id, activity.state, activity.attributesType, activity.topic,
                TerminalText.time(activity.startedAt), activity.lastPush ?? "-", "\(activity.ignored.count)",
                activity.token.map { TerminalText.token($0, full: full) } ?? activity.channel ?? "-",
            ]
        }
    }

    var sheet: String {
        let sheet = Table.sheet([
            ("activity", self.id), ("state", self.state), ("type", self.attributesType),
            ("topic", "\(self.topic) (\(self.environment))"), ("token", self.token), ("channel", self.channel),
            ("started", "\(self.startedAt) by \(self.startedBy == "app" ? "the app" : "a push")"),
            ("stale", self.staleAt), ("ended", self.endedAt),
            (self.state == "dismissed" ? "dismissed" : "removed", self.dismissAt),
            ("last push", self.lastPush ?? "none"), ("attributes", Self.line(self.attributes)),
            ("content state", Self.line(self.contentState)),
        ])
        guard !self.ignored.isEmpty else { return sheet }
        let lines = self.ignored.map { one in
            Terminal.output.paragraph("\(one.push)  \(one.reason.code): \(one.reason.text)", indent: 2, hanging: 2)
        }
        return sheet + "\n\n" + Terminal.output.section("ignored", of: lines)
    }

    private static func line(_ value: JSONValue) -> String {
        TerminalText.plain(String(decoding: value.text, as: UTF8.self))
    }
}

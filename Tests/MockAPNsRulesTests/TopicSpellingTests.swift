import Testing

@testable import MockAPNsRules

/// What is odd about a topic, and which one was meant.
@Suite struct TopicSpellingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let topic: String
        let type: PushType
        let oddity: String?
        let likely: String?
        var testDescription: String { "\(topic) for \(type)" }

        init(_ topic: String, _ type: PushType = .alert, _ oddity: String? = nil, _ likely: String?) {
            (self.topic, self.type, self.oddity, self.likely) = (topic, type, oddity, likely)
        }
    }

    private static let app = "com.example.app"

    static let rows: [Row] = [
        Row(app, .alert, nil, app), Row("\(app).voip", .voip, nil, "\(app).voip"),
        Row("x", .alert, nil, "x"), Row("com.example.my_app", .alert, nil, "com.example.my_app"),
        Row("com.example.Voip", .mdm, "has '.Voip' in place of .voip", "com.example"),

        // The suffix of another type is not odd: the push type may be wrong.
        Row("\(app).push-type.widgets", .voip, nil, "\(app).voip"), Row("\(app).voip", .alert, nil, app),

        // Twice, or in place of another.
        Row("\(app).voip.voip", .voip, "has '.voip' before another suffix", "\(app).voip"),
        Row(
            "\(app).push-type.liveactivity.push-type.liveactivity",
            .liveactivity,
            "has '.push-type.liveactivity' before another suffix",
            "\(app).push-type.liveactivity"
        ),
        Row("\(app).pushkit.voip", .voip, "has '.pushkit.voip' in place of .voip", "\(app).voip"),
        Row("\(app).pushkit", .voip, "has '.pushkit' in place of .voip", "\(app).voip"),
        Row("\(app).VOIP", .voip, "has '.VOIP' in place of .voip", "\(app).voip"),
        Row("\(app).push-type.alert", .alert, "has '.push-type.alert'", app),

        // An app may be named like this, unless the push type is the same.
        Row("\(app).liveactivity", .liveactivity, nil, "\(app).push-type.liveactivity"),
        Row("\(app).ptt", .pushtotalk, nil, "\(app).voip-ptt"),
        Row("\(app).location", .location, nil, "\(app).location-query"),
        Row("\(app).widgets", .widgets, nil, "\(app).push-type.widgets"),
        Row("\(app).accessory", .accessory, nil, "\(app).push-type.accessory"),
        Row("\(app).location", .voip, nil, "\(app).location.voip"),
        Row("\(app).ptt", .alert, nil, "\(app).ptt"),
        Row("\(app).location.voip", .voip, nil, "\(app).location.voip"),

        // What is not the app's name.
        Row("<\(app)>", .alert, "has characters that no bundle identifier has", app),
        Row("\"\(app)\"", .alert, "has characters that no bundle identifier has", app),
        Row("undefined", .alert, "is no bundle identifier", nil),
        Row("null", .voip, "is no bundle identifier", nil),
        Row("(null)", .voip, "is no bundle identifier", nil),
        Row("<>", .voip, "is no bundle identifier", nil),
        Row("com_example_app", .alert, "has underscores in place of dots", app),
        Row("A1B2C3D4E5.\(app)", .alert, "begins with a team ID", app),
        Row("EXAMPLEAPP.\(app)", .alert, nil, "EXAMPLEAPP.\(app)"),
        Row(
            "<A1B2C3D4E5.\(app).VOIP>",
            .voip,
            "has characters that no bundle identifier has, and has '.VOIP' in place of .voip, and begins with a team ID",
            "\(app).voip"
        ),
        Row(".voip", .voip, nil, ".voip.voip"), Row("...", .voip, nil, nil),
    ]

    @Test(arguments: rows) func `a topic is read`(row: Row) {
        let spelling = TopicSpelling(row.topic, for: row.type)
        #expect(spelling.oddity == row.oddity)
        #expect(spelling.topic(for: row.type) == row.likely)
    }

    @Test(arguments: PushType.allCases) func `the topic of each push type is its own`(type: PushType) {
        let topic = "com.example.app\(type.row.topicSuffix)"
        let spelling = TopicSpelling(topic, for: type)
        #expect(spelling.oddity == nil)
        #expect(spelling.topic(for: type) == topic)
    }
}

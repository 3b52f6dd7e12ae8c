import Testing

@testable import MockAPNsFormats
@testable import MockAPNsRules

/// The tables of what requests have by mistake: each row has an effect, and no row is misspelt itself.
///
/// The rows are written here once more, so that a changed or removed one fails; a new row is added in both places.
@Suite struct SpellingTableTests {
    @Test func `every word of the table is a placeholder, in any case and in brackets`() {
        let words: Set = [
            "undefined", "null", "nil", "none", "nan", "true", "false", "0", "optional", "optionalnil", "topic",
            "apnstopic", "bundleid", "bundleidentifier", "productbundleidentifier", "token", "devicetoken", "pushtoken",
            "deviceid", "channel", "channelid", "apnschannelid", "jwt", "providertoken", "authtoken",
            "authenticationtoken", "bearertoken", "accesstoken", "todo", "tbd", "changeme", "replaceme", "placeholder",
        ]
        #expect(words == Placeholder.words)
        for word in words {
            for text in [word, "<\(word.uppercased())>", "(\(word))"] { #expect(Placeholder.isOne(text), "\(text)") }
            #expect(!Placeholder.isOne("com.example.\(word)"), "\(word)")
        }
    }

    @Test func `YOUR_ and com.your before a name of the table is a placeholder`() {
        let owned: Set = [
            "app", "appid", "appname", "apns", "bundle", "bundleid", "channel", "channelid", "company", "companyname",
            "device", "devicetoken", "domain", "id", "jwt", "key", "keyid", "name", "org", "organization", "project",
            "provider", "providertoken", "team", "teamid", "token", "topic",
        ]
        #expect(owned == Placeholder.owned)
        for name in owned {
            for text in ["YOUR_\(name.uppercased())", "com.your\(name).ios"] {
                #expect(Placeholder.isOne(text), "\(text)")
            }
            #expect(!Placeholder.isOne("com.my\(name).ios"), "\(name)")
        }
    }

    @Test func `an unreplaced variable is a placeholder wherever it is`() {
        let marks = ["${", "$(", "{{", "#{", "<%", "%(", "[object ", "process.env", "os.environ"]
        #expect(marks == Placeholder.marks)
        for mark in marks {
            // In the middle, where no other rule finds it.
            #expect(Placeholder.isOne("com.example.\(mark)x"), "\(mark)")
            #expect(!Placeholder.isOne("com.example.\(mark.dropLast())"), "\(mark)")
        }
    }

    @Test func `quotes, brackets and prefixes of languages are removed around a value`() {
        let openings = ["optional(", "some(", "b'", "b\"", "u'", "u\"", "@\""]
        #expect(openings == Wrapping.openings)
        for opening in openings {
            for text in [opening, opening.uppercased(), "(\(opening)"] {
                #expect(Wrapping.inside("\(text)value") == "value", "\(text)")
            }
        }
        let edges = "\"'`“”‘’„«»‹›<>()[]{},;\u{200b}\u{2060}\u{feff}"
        #expect(Set(edges) == Wrapping.edges)
        for edge in edges { #expect(Wrapping.inside("\(edge)value\(edge)") == "value", "\(edge)") }
    }

    @Test func `a word of another service's paths is recognized in a path`() {
        let words: [(Service, only: Set<String>, others: Set<String>)] = [
            (.broadcast, ["broadcast", "broadcasts"], []),
            (.channels, ["all-channels", "all_channels", "allchannels", "channel", "channels"], ["app", "apps"]),
            (.push, ["device", "devices", "devicetoken", "devicetokens", "device-token", "device_token"], []),
        ]
        #expect(words.map(\.0) == PathShape.all.map(\.service))
        for (row, shape) in zip(words, PathShape.all) {
            #expect(row.only == shape.words && row.others == shape.others)
            for word in row.only.union(row.others) {
                let path = "/\(shape.version)/\(word)/x/y/z"
                for text in [path, path.uppercased()] {
                    #expect(PathFlaw(text, of: .push, judgedAs: .push) == .nearly, "\(text)")
                    #expect(PathFlaw.expected(inPlaceOf: text) == shape.expected, "\(text)")
                }
                let other = "/9/\(word)/x"
                #expect(PathFlaw(other, of: .push, judgedAs: .push) == .version("9", shape.service), "\(other)")
            }
        }
    }

    @Test func `the ending of a topic suggests its push type`() {
        let names: [(type: PushType, plausible: [String], others: [String])] = [
            (.voip, ["voip", "pushkit"], ["voippush", "pushkitvoip"]),
            (.pushtotalk, ["ptt", "pushtotalk"], ["voipptt"]),
            (.liveactivity, ["liveactivity", "liveactivities", "activity", "activitykit"], []),
            (.widgets, ["widget", "widgets", "widgetkit"], []), (.controls, ["control", "controls"], []),
            (.accessory, ["accessory", "accessories"], []), (.location, ["location"], ["locationquery"]),
            (.fileprovider, ["fileprovider"], ["pushkitfileprovider"]),
            (.complication, ["complication", "complications"], []), (.alert, [], ["pushtype", "pushtypealert"]),
            (.background, [], ["pushtypebackground"]), (.mdm, [], ["pushtypemdm"]),
        ]
        #expect(names.map { "\($0)" } == TopicSpelling.names.map { "\($0)" })
        let openings = ["pushtype", "pushtypes", "pushkit", "push"]
        #expect(openings == TopicSpelling.openings)
        for row in names {
            let withOpenings = row.plausible.flatMap { name in openings.map { "\($0)-\(name)" } }
            for name in row.plausible + row.others + withOpenings {
                let spelling = TopicSpelling("com.example.app-\(name)", for: row.type)
                #expect(spelling.oddity?.contains("has '-\(name)'") == true, "\(name)")
                #expect(spelling.bundleID == "com.example.app" && spelling.type != nil, "\(name)")
            }
            // Only the names that are called plausible may end the bundle identifier of another app.
            let other = row.type == .alert ? PushType.background : .alert
            for name in row.plausible {
                #expect(TopicSpelling("com.example.app-\(name)", for: other).oddity == nil, "\(name)")
            }
            for name in row.others {
                #expect(TopicSpelling("com.example.app-\(name)", for: other).oddity != nil, "\(name)")
            }
        }
        #expect(TopicSpelling.joiners == [".", "-", "_", ":"])
        for joiner in TopicSpelling.joiners {
            let spelling = TopicSpelling("com.example.app\(joiner)activity", for: .liveactivity)
            #expect(spelling.bundleID == "com.example.app" && spelling.oddity != nil, "\(joiner)")
        }
    }

    @Test func `an underscore or dash after a top-level domain was meant to be a period`() {
        let domains: Set = [
            "ai", "app", "au", "biz", "br", "ca", "ch", "cn", "co", "com", "de", "dev", "edu", "es", "eu", "fr", "gov",
            "in", "info", "io", "it", "jp", "kr", "me", "net", "nl", "org", "pl", "ru", "se", "tv", "uk", "us",
        ]
        #expect(domains == TopicSpelling.domains)
        for domain in domains {
            for joiner in ["_", "-"] {
                let spelling = TopicSpelling("\(domain)\(joiner)example\(joiner)shop", for: .alert)
                #expect(spelling.bundleID == "\(domain).example.shop" && spelling.oddity != nil, "\(domain)")
            }
        }
        #expect(TopicSpelling("xyz-example-shop", for: .alert).oddity == nil)
        let teamNames: Set = ["appidentifierprefix", "appidprefix", "bundleseedid", "teamid", "teamidentifier"]
        #expect(teamNames == TopicSpelling.teamNames)
        for name in teamNames {
            let spelling = TopicSpelling("\(name).com.example.app", for: .alert)
            #expect(spelling.oddity == "begins with a team ID", "\(name)")
            #expect(spelling.bundleID == "com.example.app", "\(name)")
        }
    }

    @Test func `sound files that iOS does not play are recognized by their ending`() {
        let extensions: Set = [
            "3gp", "aac", "ac3", "amr", "au", "flac", "m4a", "m4b", "m4r", "mid", "midi", "mov", "mp2", "mp3", "mp4",
            "oga", "ogg", "opus", "snd", "webm", "wma",
        ]
        #expect(extensions == PayloadSound.wrongExtensions)
        for name in extensions {
            for text in [name, name.uppercased()] {
                #expect(PayloadSound(.string("ring.\(text)")).wrongExtension == text)
            }
        }
        for name in ["aiff", "wav", "caf"] { #expect(PayloadSound(.string("ring.\(name)")).wrongExtension == nil) }
    }

    private static let ofFCM: [String] = {
        let members = ["apns", "notification", "token", "topic", "condition"]
        let legacy = ["collapse_key", "content_available", "data", "priority", "registration_ids", "to"]
        var payloads: [String] = members.map { #"{"message":{"\#($0)":{}}}"# }
        payloads += [#"{"apns":{"payload":{"aps":{}}}}"#, #"{"data":{},"to":"t"}"#]
        payloads += [#"{"data":{},"registration_ids":["t"]}"#, #"{"notification":{"title":"a"}}"#]
        for text in ["title", "body"] { payloads += legacy.map { #"{"notification":{"\#(text)":"a"},"\#($0)":1}"# } }
        return payloads
    }()
    private static let ofSNS: [String] = [
        "APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "MACOS", "MACOS_SANDBOX",
    ].flatMap { name -> [String] in [#"{"\#(name)":"{}"}"#, #"{"\#(name)":{}}"#] }
    private static let ofExpo: [String] = ["ExponentPushToken[", "ExpoPushToken["].flatMap { start -> [String] in
        [#"{"to":"\#(start)a]"}"#, #"{"to":["\#(start)a]"]}"#, #"[{"to":"\#(start)a]"}]"#]
    }
    private static let ofOneSignal: [String] = [
        "contents", "headings", "included_segments", "include_aliases", "include_player_ids",
        "include_subscription_ids", "template_id",
    ].map { name -> String in #"{"app_id":"a","\#(name)":[]}"# }
    private static let ofSNSNotifications: [String] = [
        #"{"Type":"SubscriptionConfirmation","TopicArn":"a","Message":"b"}"#, #"{"Type":"Notification","Message":"b"}"#,
    ]
    private static let shapes: [(name: String, payloads: [String])] = [
        ("a message for FCM", ofFCM), ("a message for Amazon SNS", ofSNS),
        ("a notification of Amazon SNS", ofSNSNotifications), ("a message for Expo's push service", ofExpo),
        ("a request for OneSignal", ofOneSignal), ("JSON in a string", [#""{\"aps\":{}}""#, #"{"aps":"{}"}"#]),
        ("an object around the payload", [#"{"payload":{"aps":{}}}"#]),
        ("an array around the payload", [#"[{"aps":{}}]"#]),
    ]

    /// What a message for another service has, in each of the forms that it may have.
    @Test func `a payload for another service is recognized in each of its forms`() throws {
        for (name, payloads) in Self.shapes {
            for text in payloads {
                let payload = try #require(JSONParser.value(of: Array(text.utf8)))
                #expect(ForeignShape(payload)?.name == name, "\(text)")
            }
        }
    }
}

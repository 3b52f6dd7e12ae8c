import TestSupport

extension LintCase {
    private static func body(_ bytes: [UInt8]) -> PushDraft {
        var draft = PushDraft.clean
        draft.body = bytes
        return draft
    }

    /// A payload of so many bytes.
    private static func sized(_ size: Int, _ type: String = "alert") -> PushDraft {
        var draft = PushDraft.clean.of(type)
        let frame = #"{"aps":{"alert":""}}"#
        let text = String(repeating: "x", count: size - frame.utf8.count)
        draft.body = Array(#"{"aps":{"alert":"\#(text)"}}"#.utf8)
        return draft
    }

    /// Lints of the body as a whole.
    static let ofBodies: [LintCase] = [
        .push(.nonUTF8, body(Array(#"{"aps":{"alert":""#.utf8) + [0xe9]), at: [""], "from byte 17 on"),
        .push(.nonUTF8, body([0x22, 0xc3, 0xa9, 0xff, 0x22]), at: [""], "from byte 3 on"),
        .push(.nonUTF8, body([0x22, 0xc3]), at: [""], "from byte 1 on"),
        .push(.nonUTF8, body([0x1f, 0x8b, 0x08]), at: [""], "looks like gzip"),
        .push(.nonUTF8, body([0xff, 0xfe, 0x7b, 0x00]), at: [""], "looks like UTF-16"),
        .push(.nonUTF8, body(Array(#"{"aps":{"alert":"é😀"}}"#.utf8))), .push(.nonUTF8, body([])),

        .payload(.payloadNotJSON, "{\n \"aps\":{\"alert\":'Hi'}}", at: [""], "byte 18 (line 2, column 17)"),
        .payload(.payloadNotJSON, "{\"aps\":{}},", at: [""], "expected the end"),
        .payload(.payloadNotJSON, "\u{feff}{}", at: [""], "byte order mark"),
        .payload(.payloadNotJSON, "aps=Hi", at: [""], "expected a JSON value at byte 0"),
        .payload(.payloadNotJSON, "payload=%7B%22aps%22%3A%7B%7D%7D&a=b", at: [""], "it looks like a form"),
        .payload(.payloadNotJSON, "eyJhcHMiOnt9fQ==", at: [""], "it is JSON in Base64"),
        .payload(.payloadNotJSON, String(repeating: "[", count: 129), at: [""], "less nesting: 128"),
        .payload(
            .payloadNotJSON, String(repeating: "[", count: 129) + String(repeating: "]", count: 129), at: [""],
            "more nesting than this server reads: 128 levels"), .payload(.payloadNotJSON, "[]"),
        .payload(.payloadNotJSON, String(repeating: "{\"a\":", count: 127) + "{}" + String(repeating: "}", count: 127)),
        .push(.payloadNotJSON, body([0x22, 0xff, 0x22])), .push(.payloadNotJSON, body([])),

        .push(.payloadNearLimit, sized(3_687), at: [""], "3687 of at most 4096"),
        .push(.payloadNearLimit, sized(4_096), at: [""], "4096 of at most 4096"),
        .push(.payloadNearLimit, sized(4_608, "voip"), at: [""], "4608 of at most 5120"),
        .push(.payloadNearLimit, sized(3_686)), .push(.payloadNearLimit, sized(4_097)),
        .push(.payloadNearLimit, sized(4_607, "voip")),

        .payload(.apsMissing, #"{"order":7}"#, at: [""], "no member aps"),
        .payload(.apsMissing, #"{"alert":"Hi"}"#, at: [""], "alert is outside it"),
        .payload(.apsMissing, #"{"APS":{}}"#, at: [""], "no member aps"),
        .payload(.apsMissing, #"{"aps":"Hi"}"#, at: ["/aps"], "aps is the string \"Hi\""),
        .payload(.apsMissing, "[]", at: [""], "the payload is an array"),
        .payload(.apsMissing, "7", type: "voip", at: [""], "the payload is 7; an object is expected"),
        .payload(.apsMissing, #"["x"]"#, type: "mdm", at: [""], "an array; an object is expected"),
        .payload(.apsMissing, "null", at: [""], "the payload is null; an object with the member aps"),
        .payload(.apsMissing, "{}", at: [""], "no member aps"), .payload(.apsMissing, #"{"aps":{}}"#),
        .payload(.apsMissing, #"{"call":7}"#, type: "voip"), .payload(.apsMissing, #"{"mdm":"x"}"#, type: "mdm"),
        .payload(.apsMissing, "aps"),
        .push(.apsMissing, body(Array("{}".utf8)).setting("apns-topic", to: "pass.com.example")),

        .aps(.apsUnknownKey, #""Badge":1"#, at: ["/Badge"], "'Badge' is not a key of aps"),
        .aps(.apsUnknownKey, #""contentAvailable":1"#, at: ["/contentAvailable"], "is not a key of aps"),
        .aps(.apsUnknownKey, #""content_available":1"#, at: ["/content_available"], "is not a key of aps"),
        .aps(.apsUnknownKey, #""title":"Hi""#, at: ["/title"], "'title' is not a key of aps"),
        .aps(.apsUnknownKey, #""alert":{"titel":"Hi"}"#, at: ["/alert/titel"], "not a key of aps.alert"),
        .aps(.apsUnknownKey, #""alert":{"badge":1}"#, at: ["/alert/badge"], "not a key of aps.alert"),
        .aps(.apsUnknownKey, #""alert":{"sound":"x"}"#, at: ["/alert/sound"], "not a key of aps.alert"),
        .aps(.apsUnknownKey, #""alert":{"sound":"x"}"#, type: "liveactivity"),
        .aps(.apsUnknownKey, #""orderNumber":7"#),
        .aps(.apsUnknownKey, #""content-available":1,"thread-id":"a","url-args":[]"#),

        .aps(.customKeyInsideAPS, #""orderNumber":7"#, at: ["/orderNumber"], "in aps, where iOS"),
        .aps(.customKeyInsideAPS, #""a/b~c":7"#, at: ["/a~1b~0c"], "'a/b~c'"),
        .aps(.customKeyInsideAPS, #""alert":{"xyzzy":7}"#, at: ["/alert/xyzzy"], "in aps.alert"),
        .aps(.customKeyInsideAPS, #""Badge":1"#),
        .payload(.customKeyInsideAPS, #"{"aps":{"alert":"Hi"},"orderNumber":7}"#),

        .aps(.badgeNotInteger, #""badge":"3""#, at: ["/badge"], #"badge is the string "3"; a whole number"#),
        .aps(.badgeNotInteger, #""badge":1.5"#, at: ["/badge"], "badge is 1.5"),
        .aps(.badgeNotInteger, #""badge":-1"#, at: ["/badge"], "badge is -1"),
        .aps(.badgeNotInteger, #""badge":true"#, at: ["/badge"], "badge is true"),
        .aps(.badgeNotInteger, #""badge":null"#, at: ["/badge"], "badge is null"),
        .aps(.badgeNotInteger, #""badge":18446744073709551615"#, at: ["/badge"], "18446744073709551615"),
        .aps(.badgeNotInteger, #""badge":1e999"#, at: ["/badge"], "1e999"),
        .aps(.badgeNotInteger, #""badge":{"a":1}"#, at: ["/badge"], "an object"), .aps(.badgeNotInteger, #""badge":0"#),
        .aps(.badgeNotInteger, #""badge":3.0"#), .aps(.badgeNotInteger, #""alert":"Hi""#),

        .aps(.soundShape, #""sound":1"#, at: ["/sound"], "sound is 1; a string or an object"),
        .aps(.soundShape, #""sound":{"volume":1.01}"#, at: ["/sound/volume"], "volume is 1.01"),
        .aps(.soundShape, #""sound":{"volume":"1"}"#, at: ["/sound/volume"], "volume is the string"),
        .aps(.soundShape, #""sound":{"critical":"1","name":3}"#, at: ["/sound/critical", "/sound/name"], "0 or 1"),
        .aps(.soundShape, #""sound":{"file":"x"}"#, at: ["/sound/file"], "'file' is not a key of sound"),
        .aps(.soundShape, #""sound":{"critical":1,"name":"default","volume":0.5}"#),
        .aps(.soundShape, #""sound":"default""#),
        .aps(.soundShape, #""sound":{"volume":0}"#, at: ["/sound"], "sound has no name"),
        .aps(.soundShape, #""sound":{}"#, at: ["/sound"], "nothing is played"),
        .aps(
            .soundShape, #""alert":{"title":"a","sound":1}"#, type: "liveactivity", at: ["/alert/sound"], "sound is 1"),
        .aps(.soundShape, #""alert":{"title":"a","sound":"x.caf"}"#, type: "liveactivity"),
        .aps(.soundShape, #""sound":1"#, type: "voip"), .aps(.soundShape, #""sound":{"name":"a.caf","volume":0}"#),
        .aps(.soundShape, #""sound":{"critical":true,"name":"a.caf","volume":1}"#),

        .aps(
            .interruptionLevelUnknown, #""interruption-level":"timeSensitive""#, at: ["/interruption-level"],
            "timeSensitive"),
        .aps(.interruptionLevelUnknown, #""interruption-level":1"#, at: ["/interruption-level"], "is 1"),
        .aps(.interruptionLevelUnknown, #""interruption-level":"time-sensitive""#),

        .aps(.relevanceScoreRange, #""relevance-score":1.5"#, at: ["/relevance-score"], "is 1.5"),
        .aps(.relevanceScoreRange, #""relevance-score":-0.1"#, at: ["/relevance-score"], "from 0 to 1"),
        .aps(.relevanceScoreRange, #""relevance-score":"1""#, at: ["/relevance-score"], "the string"),
        .aps(
            .relevanceScoreRange, #""relevance-score":"1""#, type: "liveactivity", at: ["/relevance-score"],
            "a number is expected"),
        .aps(.apsUnknownKey, #""alert":{"body-loc-key":"K"}"#, at: ["/alert/body-loc-key"], "not a key of"),
        .aps(.apsUnknownKey, #""alert":{"message":"Hi"}"#, at: ["/alert/message"], "not a key of aps.alert"),
        .aps(.customKeyInsideAPS, #""alert":{"text":"Hi"}"#), .aps(.relevanceScoreRange, #""relevance-score":1"#),
        .aps(.relevanceScoreRange, #""relevance-score":100"#, type: "liveactivity"),

        .aps(
            .accessoryShape, #""encryptedData":"AA==","keyID":"AA==","messageIndex":1"#, type: "accessory",
            at: ["/messageIndex", ""], "messageIndex is 1; a string is expected"),
        .aps(.accessoryShape, accessory, type: "accessory"), .aps(.accessoryShape, #""alert":"Hi""#),
        .aps(.customKeyInsideAPS, accessory, type: "accessory"),
        .aps(.apsUnknownKey, #""messageindex":"1""#, type: "accessory", at: ["/messageindex"], "is not a key of aps"),
    ]

    private static let accessory = #""encryptedData":"AA==","keyID":"AA==","messageIndex":"1","sessionIdentifier":"2""#
}

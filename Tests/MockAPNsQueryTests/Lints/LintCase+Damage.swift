import MockAPNsQuery
import TestSupport

extension LintCase {
    private static let fcm = #"{"to":"abc","notification":{"title":"Hi","body":"Order 7"}}"#
    private static let surrogate = #"{"aps":{"alert":"Hi \ud83d"}}"#
    private static let wallet = certified(PushDraft.clean, "pass.com.example.card")
    private static let website = certified(PushDraft.clean, "web.com.example")
    private static let managed = PushDraft.clean.of("mdm").setting("apns-topic", to: "com.apple.mgmt.External.7")

    private static func with(_ body: String, _ draft: PushDraft) -> PushDraft {
        var draft = draft
        draft.body = Array(body.utf8)
        return draft
    }

    /// A push to a topic with the certificate for it.
    private static func certified(_ push: PushDraft, _ topic: String) -> PushDraft {
        var draft = push.setting("apns-topic", to: topic).setting("authorization", to: nil)
        draft.certificate = .init(subject: "UID=\(topic)", issuer: "CN=authority")
        draft.certificate?.onlyTopic = topic
        return draft
    }

    /// Lints of what is lost on the way or on the device without a word.
    static let ofDamage: [LintCase] = [
        .payload(.nullMember, #"{"aps":{"alert":"Hi"},"a":null}"#, at: ["/a"], "a is null"),
        .payload(
            .nullMember, #"{"aps":{"alert":{"title":"Hi","body":null}},"a":{"b":[1,null]}}"#,
            at: ["/a/b/1", "/aps/alert/body"], "entry 1 of b is null"),
        .payload(.nullMember, "[null]", at: ["/0"], "entry 0 of the payload is null"), .payload(.nullMember, "null"),
        .payload(.nullMember, #"{"call":null}"#, type: "voip", at: ["/call"], "call is null"),
        .aps(.nullMember, #""alert":{"title-loc-key":null,"title-loc-args":null,"body":"Hi"}"#),
        .payload(.nullMember, #"{"aps":{"alert":"null"}}"#),

        .payload(.duplicateKey, #"{"aps":{"alert":"a"},"a":1,"a":2}"#, at: ["/a"], "in the payload more than once"),
        .aps(.duplicateKey, #""alert":"a","badge":1,"alert":"b""#, at: ["/alert"], "'alert' is in aps"),
        .aps(.duplicateKey, #""alert":{"body":"a","body":"b"}"#, at: ["/alert/body"], "in aps.alert"),
        .aps(.duplicateKey, #""b\u0061dge":1,"badge":2"#, at: ["/badge"], "'badge' is in aps"),
        .payload(
            .duplicateKey, #"{"aps":{"alert":"a"},"a":[{"b":{"c":1,"c":2}}],"d":{"e":1,"e":2}}"#,
            at: ["/a/0/b/c", "/d/e"], "'c' is in a.0.b more than once"),
        .payload(.duplicateKey, #"{"aps":{"alert":"\"a\":1,\"a\":2"},"b":[{"a":1},{"a":2}],"a":{"b":{"a":1}}}"#),

        .payload(.loneSurrogate, surrogate, at: ["/aps/alert"], "alert has half of a surrogate pair"),
        .payload(.loneSurrogate, #"{"aps":{"alert":"Hi"},"a":["\uDE00x"]}"#, at: ["/a/0"], "0 has half"),
        .payload(
            .loneSurrogate, #"{"aps":{"alert":"Hi"},"x":"\ud83d","y":"\ufffd","z":"\ufdd0"}"#, at: ["/x"], "x has half"),
        .payload(.loneSurrogate, #"{"aps":{"alert":"\ufffd"},"\ud83d":1}"#, at: [""], "the payload has half"),
        .payload(.loneSurrogate, #"{"aps":{"alert":"\ud83d\ude00 \\ud83d"}}"#),

        .payload(.foreignShape, fcm, at: ["/notification"], "a message for FCM"),
        .payload(
            .foreignShape, #"{"message":{"token":"abc","notification":{"title":"Hi"}}}"#, at: ["/message"],
            "a message for FCM"),
        .payload(
            .foreignShape, #"{"default":"Hi","APNS":"{\"aps\":{\"alert\":\"Hi\"}}"}"#, at: ["/APNS"],
            "a message for Amazon SNS"),
        .payload(
            .foreignShape, #"{"to":"ExponentPushToken[abc]","title":"Hi"}"#, at: ["/to"],
            "a message for Expo's push service"),
        .payload(
            .foreignShape, #"{"app_id":"a","contents":{"en":"Hi"}}"#, at: ["/contents"], "a request for OneSignal"),
        .payload(.foreignShape, #"{"payload":{"aps":{}}}"#, at: ["/payload/aps"], "an object around the payload"),
        .payload(.foreignShape, #"{"to":"xyz","data":{"a":"b"}}"#, at: ["/to"], "a message for FCM"),
        .payload(
            .foreignShape, #"{"registration_ids":["x"],"data":{}}"#, at: ["/registration_ids"], "a message for FCM"),
        .payload(
            .foreignShape, #"{"apns":{"payload":{"aps":{"alert":"Hi"}}}}"#, at: ["/apns/payload/aps"],
            "a message for FCM"),
        .payload(.foreignShape, #"[{"to":"ExponentPushToken[x]","title":"Hi"}]"#, at: ["/0/to"], "a message for Expo"),
        .payload(.foreignShape, #"{"MACOS":"{\"aps\":{}}"}"#, at: ["/MACOS"], "a message for Amazon SNS"),
        .payload(
            .foreignShape, #"{"Type":"Notification","MessageId":"1","Message":"{}"}"#, at: ["/Message"],
            "a notification of Amazon SNS"),
        .payload(.foreignShape, #"[{"aps":{"alert":"Hi"}}]"#, at: ["/0/aps"], "an array around the payload"),
        .payload(.foreignShape, #"{"app_id":"a","template_id":"b"}"#, at: ["/template_id"], "a request for OneSignal"),
        .payload(.foreignShape, #"{"app_id":"a","data":{}}"#), .payload(.foreignShape, #"{"to":"xyz"}"#),
        .payload(.foreignShape, #"{"Type":"Notification","MACOS":true}"#),
        .payload(.apsMissing, #"[{"aps":{"alert":"Hi"}}]"#),
        .payload(.foreignShape, #"{"aps":"{\"alert\":\"Hi\"}"}"#, at: ["/aps"], "JSON in a string"),
        .payload(.foreignShape, #""{\"aps\":{}}""#, at: [""], "JSON in a string"),
        .payload(.foreignShape, #"{"aps":{"alert":"Hi"},"notification":{"title":"Hi"},"to":"a"}"#),
        .payload(.foreignShape, #"{"order":7}"#), .payload(.foreignShape, fcm, type: "voip"),
        .payload(.apsMissing, fcm),

        .payload(
            .apsKeyOutside, #"{"aps":{"alert":"Hi"},"badge":1,"sound":"x","content_available":1,"mutable_content":1}"#,
            at: ["/badge", "/content_available", "/mutable_content", "/sound"], "'badge' is beside aps"),
        .payload(.apsKeyOutside, #"{"aps":{"badge":1},"alert":"Hi"}"#, at: ["/alert"], "'alert' is beside aps"),
        .payload(
            .apsKeyOutside, #"{"aps":{},"contentAvailable":1}"#, type: "background", at: ["/contentAvailable"],
            "beside aps"),
        .payload(.apsKeyOutside, #"{"aps":{"alert":"Hi","badge":1},"badge":1,"category":"news","Sound":"x"}"#),
        .payload(.apsKeyOutside, #"{"aps":{"content-available":1},"alert":"Hi"}"#, type: "background"),
        .payload(.apsKeyOutside, #"{"aps":{},"alert":"Hi"}"#, type: "voip"),

        .aps(
            .memberType, #""alert":"Hi","mutable-content":"1","thread-id":7,"category":[]"#,
            at: ["/category", "/mutable-content", "/thread-id"],
            "category is an array; a string is expected, so it has no action buttons"),
        .aps(
            .memberType, #""alert":{"title":{"loc-key":"T"},"body":7}"#, at: ["/alert/body", "/alert/title"],
            "body is 7"),
        .aps(.memberType, #""alert":"Hi","content-available":2"#, at: ["/content-available"], "the app is not woken"),
        .aps(.memberType, #""content-changed":"yes""#, at: ["/content-changed"], "true is"),
        .aps(.memberType, #""content-changed":"yes""#, type: "widgets"),
        .aps(
            .memberType, #""ptt-push-type":"serviceupdate""#, type: "pushtotalk", at: ["/ptt-push-type"],
            "'service-update' is expected, so it is taken for a push that names a speaker"),
        .aps(.memberType, #""ptt-push-type":"service-update""#, type: "pushtotalk"),
        .aps(.customKeyInsideAPS, #""ptt-push-type":"service-update""#, type: "pushtotalk"),
        .aps(.customKeyInsideAPS, #""ptt-push-type":"service-update""#, at: ["/ptt-push-type"], "in aps"),

        .aps(.payloadShape, "", type: "widgets", at: [""], "content-changed is absent; true is expected"),
        .aps(.payloadShape, #""content-changed":false"#, type: "controls", at: ["/content-changed"], "false"),
        .aps(
            .payloadShape, #""content-changed":"true""#, type: "widgets", at: ["/content-changed"],
            "so nothing is reloaded"),
        .payload(.payloadShape, "{}", type: "fileprovider", at: ["", ""], "container-identifier is absent"),
        .payload(
            .payloadShape, #"{"container-identifier":5,"domain":"d"}"#, type: "fileprovider",
            at: ["/container-identifier"], "container-identifier is 5; a string is expected"),
        .payload(
            .payloadShape, #"{"container-identifier":"x","domain":"d"}"#, type: "fileprovider",
            at: ["/container-identifier"],
            "a replicated extension is only told of NSFileProviderWorkingSetContainerItemIdentifier"),
        .aps(.payloadShape, #""content-changed":true"#, type: "widgets"),
        .aps(.payloadShape, #""content-changed":1"#, type: "controls"), .payload(.payloadShape, "{}", type: "widgets"),
        .payload(
            .payloadShape, #"{"container-identifier":"NSFileProviderWorkingSetContainerItemIdentifier","domain":"d"}"#,
            type: "fileprovider"), .payload(.payloadShape, "{}", type: "voip"),
        .aps(.memberType, #""alert":{"title":"a"},"mutable-content":1.0,"content-available":true,"thread-id":"""#),
        .aps(.memberType, #""content-available":"1""#, type: "background"),
        .aps(
            .memberType, #""alert":"{\"title\":\"x\"}""#, at: ["/alert"],
            "alert is JSON in a string, which is shown as it is"), .aps(.memberType, #""alert":"{title}""#),
        .aps(.memberType, #""alert":{"title":{"loc-key":"T"}}"#, type: "liveactivity"),

        .aps(.soundFile, #""sound":"ping.mp3""#, at: ["/sound"], "'ping.mp3' is mp3; iOS plays"),
        .aps(.soundFile, #""sound":{"name":"ping.M4A"}"#, at: ["/sound/name"], "is M4A"),
        .aps(
            .soundFile, #""alert":{"title":"a","sound":"ping.ogg"}"#, type: "liveactivity", at: ["/alert/sound"],
            "is ogg"),
        .aps(.soundFile, #""sound":"https://example.com/y.caf""#, at: ["/sound"], "is a path; the name of a file"),
        .aps(.soundFile, #""sound":{"name":"Sounds/y.mp3"}"#, at: ["/sound/name"], "is a path"),
        .aps(.soundFile, #""sound":"ping.AIFF""#), .aps(.soundFile, #""sound":"default""#),
        .aps(.soundFile, #""sound":"v1.2 chime""#), .aps(.soundFile, #""sound":"com.example.ping""#),

        .push(.specialTopic, with(#"{"mdm":"x","aps":{}}"#, managed), at: ["/aps", auth], "'aps' is beside mdm"),
        .push(.specialTopic, with(#"{"mdm":7}"#, managed), at: ["/mdm", auth], "mdm is 7; the device's PushMagic"),
        .push(
            .specialTopic, with(#"{"mdm":"x"}"#, PushDraft.clean.of("mdm")).setting("authorization", to: nil),
            at: ["headers/apns-topic"], "'com.example.app' is not one of MDM"),
        .push(.specialTopic, certified(with(#"{"mdm":"x"}"#, managed), "com.apple.mgmt.External.7")),
        .push(
            .specialTopic,
            certified(with(#"{"mdm":"x"}"#, managed.setting("apns-push-type", to: "alert")), managedTopic),
            at: ["headers/apns-push-type"], "apns-push-type is 'alert', and the topic is one of MDM"),
        .push(
            .specialTopic, certified(with(#"{"mdm":"x"}"#, managed.setting("apns-push-type", to: nil)), managedTopic)),
        .push(
            .specialTopic, with("{}", PushDraft.clean.setting("apns-topic", to: "pass.com.example.card")), at: [auth],
            "a push to Wallet has a provider token; the certificate that signs the pass is expected"),
        .push(
            .specialTopic,
            with(
                #"{"aps":{"alert":{"title":"a","body":"b"},"url-args":[]}}"#,
                PushDraft.clean.setting("apns-topic", to: "web.com.example")), at: [auth],
            "the website push certificate is expected"),
        .push(
            .specialTopic, with(#"{"aps":{"alert":"Hi"}}"#, wallet), at: ["/aps/alert"], "Wallet, which shows nothing"),
        .push(.specialTopic, with("{}", wallet)),
        .push(
            .specialTopic, with(#"{"aps":{"alert":{"title":"a","body":"b"}}}"#, website), at: ["/aps"],
            "url-args is absent"),
        .push(
            .specialTopic, with(#"{"aps":{"alert":"Hi","url-args":[7]}}"#, website),
            at: ["/aps/url-args/0", "/aps/alert"], "url-args has 7; strings are expected"),
        .push(
            .specialTopic, with(#"{"aps":{"alert":"Hi","url-args":[]}}"#, website), at: ["/aps/alert"],
            #"alert is the string "Hi"; an object with title and body"#),
        .push(
            .specialTopic, with(#"{"aps":{"alert":{"title":"a"},"url-args":{}}}"#, website),
            at: ["/aps/url-args", "/aps/alert"], "url-args is an object"),
        .push(
            .apsKeyOutside, with(#"{"aps":{"alert":{"title":"a","body":"b"}},"url-args":[]}"#, website),
            at: ["/url-args"], "'url-args' is beside aps"),
        .payload(.apsKeyOutside, #"{"aps":{"alert":"Hi"},"url-args":[]}"#),
        .payload(
            .apsKeyOutside, #"{"aps":{"timestamp":1},"content-state":{},"event":"end","id":7}"#, type: "liveactivity",
            at: ["/content-state", "/event"], "'content-state' is beside aps"),
        .payload(.apsKeyOutside, #"{"aps":{"alert":"Hi"},"event":"end","timestamp":1}"#),
        .push(.specialTopic, with(#"{"aps":{"alert":{"title":"a","body":"b"},"url-args":[]}}"#, website)),
        .push(
            .appSchema, with(#"{"aps":{"alert":"Hi"},"orderID":7}"#, described), at: ["/orderID"],
            "orderID is 7; expected a string"),
        .push(.appSchema, with(#"{"aps":{"alert":"Hi"},"orderID":"7"}"#, described)),
        .push(.alertWithoutText, with(#"{"aps":{}}"#, wallet)),
        .push(.apsMissing, with(#"{"mdm":"x"}"#, managed.setting("apns-push-type", to: nil))),
    ]

    private static let auth = "headers/authorization"
    private static let described = PushDraft.clean.setting("apns-topic", to: PushDraft.describedApp)
    private static let managedTopic = "com.apple.mgmt.External.7"
}

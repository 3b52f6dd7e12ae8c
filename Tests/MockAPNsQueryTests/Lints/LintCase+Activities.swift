import MockAPNsQuery
import TestSupport

extension LintCase {
    private static let alert = #","alert":{"title":"a","body":"b"}"#
    private static let start =
        #""timestamp":1767607872,"event":"start","content-state":{},"attributes-type":"A","attributes":{}"#

    private static func update(_ more: String = "", at timestamp: String = "1767607872") -> String {
        #""timestamp":\#(timestamp),"event":"update","content-state":{}\#(more)"#
    }

    private static func end(_ more: String = "") -> String {
        #""timestamp":1767607872,"event":"end","content-state":{}\#(more)"#
    }

    private static func activity(
        _ lint: Lint, _ members: String, at pointers: [String] = [], _ words: String = ""
    ) -> LintCase { .aps(lint, members, type: "liveactivity", at: pointers, words) }

    /// A broadcast, whose header has the letter case of some of Apple's pages.
    private static func broadcast(_ members: String) -> PushDraft {
        var draft = PushDraft.clean.setting("apns-topic", to: nil).setting("apns-push-type", to: "LiveActivity")
            .setting("apns-channel-id", to: "dHN0LXNyY2gtY2hubA==")
        draft.path = "/4/broadcasts/apps/com.example.app"
        draft.body = Array("{\"aps\":{\(members)}}".utf8)
        return draft
    }

    /// Lints of Live Activities and of broadcasts.
    ///
    /// The clock says 1767607872.
    static let ofActivities: [LintCase] = [
        activity(.liveActivityShape, "", at: ["", ""], "event is absent"),
        activity(
            .liveActivityShape, #""timestamp":1767607872,"event":"updat","content-state":{}"#, at: ["/event"],
            "event is the string \"updat\""),
        activity(
            .liveActivityShape, #""timestamp":1767607872000,"event":"end","content-state":[]"#,
            at: ["/timestamp", "/content-state"], "looks like milliseconds"),
        activity(.liveActivityShape, update(at: "789300672"), at: ["/timestamp"], "seconds since 2001"),
        activity(.liveActivityShape, update(at: "1767607600"), at: ["/timestamp"], "272 seconds ago"),
        activity(.liveActivityShape, update(at: "1767640000"), at: ["/timestamp"], "more than 8 hours ahead"),
        activity(.liveActivityShape, update(at: "1767607800")), activity(.liveActivityShape, update(at: "1767630000")),
        activity(.liveActivityShape, start, at: [""], "alert is absent"),
        activity(.liveActivityShape, start + #","alert":7"#, at: ["/alert"], "alert is 7"),
        activity(.liveActivityShape, start + #","alert":{}"#, at: ["/alert"], "alert has no member"),
        activity(.liveActivityShape, start + #","alert":"Hi""#, at: ["/alert"], "the string \"Hi\""),
        activity(
            .liveActivityShape, start + #","alert":{"title":null,"body":null}"#, at: ["/alert/title", "/alert/body"],
            "title is null; a string, or an object with loc-key"),
        activity(
            .liveActivityShape, start + #","alert":{"title-loc-key":"A","loc-key":"B"}"#, at: ["/alert"],
            "alert has loc-key, title-loc-key; title and body are expected"),
        activity(
            .liveActivityShape, start + alert + #","input-push-channel":5"#, at: ["/input-push-channel"],
            "input-push-channel is 5; the id of a channel"),
        activity(
            .liveActivityShape, start + alert + #","input-push-channel":"!!not base64""#, at: ["/input-push-channel"],
            "in Base64, is expected of event start"),
        activity(.liveActivityShape, start + alert + #","input-push-channel":"dHN0LXNyY2gtY2hubA==""#),
        activity(.liveActivityShape, update(#","input-push-channel":5"#)),
        activity(
            .liveActivityShape,
            #""timestamp":1,"event":"start","content-state":{},"attributes-type":"","attributes":1"# + alert,
            at: ["/attributes-type", "/attributes"], "attributes-type is empty; a string is expected of event start"),
        activity(.liveActivityShape, update(at: "1767607872000000"), at: ["/timestamp"], "looks like microseconds"),
        activity(.liveActivityShape, update()), activity(.liveActivityShape, end()),
        activity(.liveActivityShape, #""timestamp":1,"event":"end""#),
        activity(.liveActivityShape, start + #","alert":{"title":{"loc-key":"A"}}"#), .aps(.liveActivityShape, ""),

        activity(.liveActivityAlert, update(#","alert":"Hi""#), at: ["/alert"], "an object with title and body"),
        activity(
            .liveActivityAlert, update(#","alert":{"title-loc-key":"A","title":"a","body":"b"}"#),
            at: ["/alert/title-loc-key"], "is a key of notifications"),
        activity(.liveActivityAlert, update(#","alert":{"title":7,"body":"b"}"#), at: ["/alert/title"], "title is 7"),
        activity(.liveActivityAlert, update(#","alert":{}"#), at: ["/alert", "/alert"], "title is absent"),
        activity(.liveActivityAlert, update(#","alert":{"title":{"loc-key":"A"},"body":"b","sound":"x.caf"}"#)),
        activity(.liveActivityAlert, start + #","alert":{"title":"","body":""}"#, at: ["/alert"], "alert has no text"),
        activity(
            .liveActivityAlert, update(#","alert":{"title":"a","body":"b","subtitle":"s"}"#), at: ["/alert/subtitle"],
            "is a key of notifications"), activity(.liveActivityAlert, start + #","alert":{"title":"","body":"b"}"#),
        activity(.liveActivityAlert, update()), .aps(.liveActivityAlert, #""alert":"Hi""#),

        activity(.liveActivityDate, update(#","stale-date":1767600000"#), at: ["/stale-date"], "in the past"),
        activity(.liveActivityDate, update(#","stale-date":"x""#), at: ["/stale-date"], "UNIX seconds is expected"),
        activity(.liveActivityDate, end(#","dismissal-date":789300672.5"#), at: ["/dismissal-date"], "since 2001"),
        activity(.liveActivityDate, end(#","dismissal-date":1767607872000"#), at: ["/dismissal-date"], "milliseconds"),
        activity(
            .liveActivityDate, #""timestamp":789300672,"event":"end","content-state":{}"#, at: ["/timestamp"],
            "since 2001"), activity(.liveActivityDate, end(#","dismissal-date":0"#)),
        activity(.liveActivityDate, update(#","stale-date":1767608872"#)),

        activity(
            .liveActivityMember, update(#","dismissal-date":1767608872"#), at: ["/dismissal-date"], "only for event end"
        ), activity(.liveActivityMember, update(#","attributes":{}"#), at: ["/attributes"], "event update ignores it"),
        activity(.liveActivityMember, update(#","sound":"x.caf""# + alert), at: ["/sound"], "beside the alert"),
        activity(
            .liveActivityMember, start + alert + #","input-push-token":1,"input-push-channel":"dHN0LXNyY2gtY2hubA==""#,
            at: ["/input-push-channel"], "exclude each other"),
        activity(.liveActivityMember, #""timestamp":1,"event":"end""#, at: [""], "content-state is absent"),
        activity(.liveActivityMember, end(#","dismissal-date":1767608872"#)),
        activity(
            .liveActivityMember, start + alert + #","input-push-token":"1""#, at: ["/input-push-token"],
            "the number 1 is expected"),
        activity(
            .liveActivityMember, start + alert + #","input-push-token":0"#, at: ["/input-push-token"],
            "input-push-token is 0"),
        .aps(.liveActivityMember, update(alert), at: ["/event"], "are for a Live Activity, and the push type is alert"),
        .aps(.liveActivityMember, update(), type: "background", at: ["/event"], "push type is background"),
        .aps(.liveActivityMember, update(), type: "voip"),
        .aps(.liveActivityMember, #""alert":"Hi","event":"login","content-state":{}"#),
        activity(.liveActivityMember, start + alert + #","input-push-token":1"#),

        .push(.liveActivityShape, broadcast(update(at: "1")), at: ["/aps/timestamp"], "1767607871 seconds ago"),
        .push(.liveActivityShape, broadcast(start + alert), at: ["/aps/event"], "a broadcast only updates and ends"),
        .push(.liveActivityShape, broadcast(update())),
        .push(.apsUnknownKey, broadcast(update(#","Badge":1"#)), at: ["/aps/Badge"], "'Badge' is not a key of aps"),
        .push(
            .expirationMilliseconds, broadcast(update()).setting("apns-expiration", to: "1767607872000"),
            at: ["headers/apns-expiration"], "looks like milliseconds"),
        .push(
            .apnsIDNotUUID, broadcast(update()).setting("apns-request-id", to: "7"), at: ["headers/apns-request-id"],
            "apns-request-id is '7'"),
        .push(
            .liveActivityLarge,
            broadcast(update(#","stale-date":1767608872,"x":"\#(String(repeating: "x", count: 4_096))""#)), at: [""],
            "at most 4096 bytes of data"), .push(.liveActivityLarge, broadcast(update())),
        .push(.collapseIDLong, broadcast(update()).setting("apns-collapse-id", to: String(repeating: "x", count: 65))),
        .push(.alertWithoutText, broadcast(update()).setting("apns-push-type", to: "alert")),
        .push(.backgroundWithoutContentAvailable, broadcast(update()).setting("apns-push-type", to: "background")),
        activity(.liveActivityLarge, update(#","x":"\#(String(repeating: "x", count: 4_096))""#)),
    ]
}

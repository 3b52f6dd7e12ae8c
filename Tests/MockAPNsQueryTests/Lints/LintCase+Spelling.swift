import TestSupport

extension LintCase {
    private static let broadcast: PushDraft = {
        var draft = PushDraft.clean
        draft.path = "/4/broadcasts/apps/com.example.app"
        return draft
    }()

    private static func misspelt(_ name: String, without right: String) -> PushDraft {
        PushDraft.clean.setting(right, to: nil).setting(name, to: "x")
    }

    /// Headers with other names than they have.
    static let ofSpelling: [LintCase] =
        [
            ("apns-collapseid", "apns-collapse-id"), ("x-collapse-id", "apns-collapse-id"),
            ("apns_collapse_id", "apns-collapse-id"), ("collapse-id", "apns-collapse-id"),
            ("apns-expiry", "apns-expiration"), ("apns-experation", "apns-expiration"), ("apns-prio", "apns-priority"),
            ("apns-proirity", "apns-priority"), ("push-type", "apns-push-type"), ("apns-pushtype", "apns-push-type"),
            ("apns-type", "apns-push-type"), ("apns-topci", "apns-topic"), ("topic", "apns-topic"),
            ("authorisation", "authorization"), ("apns-expire", "apns-expiration"), ("apns-exp", "apns-expiration"),
            ("apns-expiration-date", "apns-expiration"), ("apns-expiry-date", "apns-expiration"),
            ("apns-time-to-live", "apns-expiration"), ("apns-collapse-identifier", "apns-collapse-id"),
            ("apns-priority-level", "apns-priority"), ("apple-push-type", "apns-push-type"),
            ("x-authorization", "authorization"), ("jwt", "authorization"), ("bearer", "authorization"),
            ("thread-id", ""), ("apns-thread-id", ""), ("mutable-content", ""), ("apns-category", ""),
        ].map { name, right in
            .push(.headerMisspelt, misspelt(name, without: right), at: ["headers/\(name)"], "'\(name)' is not a header")
        }
        + [
            "content-type", "user-agent", "x-request-id", "priority", "traceparent", "x-channel-id", "x-id", "expect",
            "x-sound", "accept", "apns-unique-id", "ttl", "te", "x-ttl", "x-expires", "x-priority", "category",
            "channel-id", "x-apple-id",
        ].map { .push(.headerMisspelt, misspelt($0, without: "")) } + [
            .push(
                .headerMisspelt, broadcast.setting("channel-id", to: "x"), at: ["headers/channel-id"],
                "'channel-id' is not a header"),
            .push(.headerMisspelt, broadcast.setting("channel-id", to: "x").setting("apns-channel-id", to: "x")),
        ]  // The right one is there, too.
        + [.push(.headerMisspelt, PushDraft.clean.setting("apns-prio", to: "10"))]
}

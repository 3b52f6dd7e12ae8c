import TestSupport

extension LintCase {
    private static func widgets(_ expiration: String?) -> PushDraft {
        var draft = PushDraft.clean.of("widgets").setting("apns-expiration", to: expiration)
        draft.body = Array(#"{"aps":{"content-changed":true}}"#.utf8)
        return draft
    }

    private static func talk(_ body: String, _ expiration: String?) -> PushDraft {
        var draft = PushDraft.clean.of("pushtotalk").setting("apns-expiration", to: expiration)
        draft.body = Array(body.utf8)
        return draft
    }

    private static func pass(inSandbox: Bool, topic: String = "pass.com.example") -> PushDraft {
        var draft = PushDraft.clean.setting("apns-topic", to: topic)
        draft.body = Array("{}".utf8)
        draft.environment = inSandbox ? .sandbox : .production
        return draft
    }

    private static let later = "1767611472"

    /// Lints that come from the table of kinds.
    static let ofKinds: [LintCase] = [
        .push(.expirationOfKind, widgets(later), at: ["headers/apns-expiration"], "in a push of type widgets"),
        .push(.expirationOfKind, widgets("0"), at: ["headers/apns-expiration"], "'0'"),
        .push(.expirationOfKind, widgets(nil)),
        .push(
            .expirationOfKind, talk(#"{"activeSpeaker":"Ann"}"#, later), at: ["headers/apns-expiration"],
            "which is then stored"), .push(.expirationOfKind, talk(#"{"activeSpeaker":"Ann"}"#, "0")),
        .push(.expirationOfKind, talk(#"{"aps":{"ptt-push-type":"service-update"}}"#, later)),
        .hit(.expirationInPast, "apns-expiration", "300", "a future time"),
        .miss(.expirationOfKind, "apns-expiration", later),

        .aps(
            .serviceExtension, #""alert":"Hi","mutable-content":1"#, at: ["/alert"],
            "an object is documented for the service extension"),
        .aps(
            .serviceExtension, #""alert":{"body":"Hi"},"mutable-content":1"#, type: "background",
            at: ["/mutable-content"], "in a push of type background"),
        .aps(.serviceExtension, #""alert":{"body":"Hi"},"mutable-content":1"#),
        .aps(.serviceExtension, #""alert":"Hi","mutable-content":0"#), .aps(.serviceExtension, #""alert":"Hi""#),
        .aps(.serviceExtension, #""mutable-content":1"#),

        .push(.productionOnly, pass(inSandbox: true), at: ["headers/apns-topic"], "a push to Wallet is in the sandbox"),
        .push(.productionOnly, pass(inSandbox: false)),
        .push(.productionOnly, pass(inSandbox: true, topic: "com.apple.mgmt.External.7")),
    ]
}

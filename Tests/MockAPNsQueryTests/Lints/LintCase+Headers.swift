import Foundation
import MockAPNsRules
import TestSupport

extension LintCase {
    private static let expiration = "apns-expiration"

    private static func token(_ part: String) -> PushDraft {
        var draft = PushDraft.clean
        draft.path = "/3/device/" + part
        return draft
    }

    private static let certified: PushDraft = {
        var draft = PushDraft.clean
        draft.certificate = ClientCertificate(subject: "UID=com.example.app", issuer: "CN=authority")
        draft.certificate?.onlyTopic = "com.example.app"
        return draft
    }()

    private static func issued(_ claim: String) -> String { "bearer " + PushDraft.providerToken(issuedAt: claim) }

    /// A provider token as dotAPNS writes it, whose signature the journal has removed.
    private static let standard =
        "bearer "
        + [#"{"alg":"ES256","kid":"ABC123DEFG"}"#, #"{"iss":"DEF123GHIJ","iat":1767607860}"#].map {
            Data($0.utf8).base64EncodedString() + "."
        }.joined()
    /// What the journal keeps of a token, to which the padding of its signature belongs.
    private static let unsigned = issued("1767607860").split(separator: ".").prefix(2).map { "\($0)." }.joined()
    /// One whose header is Base64URL with padding.
    private static let padded = issued("1767607860").replacingOccurrences(of: "fQ.", with: "fQ==.")

    /// Lints of headers and of the device token.
    ///
    /// The clock says 1767607872.
    static let ofHeaders: [LintCase] = [
        .hit(.pushTypeMissing, "apns-push-type", nil, "absent; this push is handled as alert"),
        .miss(.pushTypeMissing, "apns-push-type", "alert"), .miss(.pushTypeMissing, "apns-push-type", "Alert"),

        .push(
            .pushTypeTopicSuffix, PushDraft.clean.of("voip").setting("apns-topic", to: "com.example.app"),
            at: ["headers/apns-topic"], "does not end with .voip"),
        .hit(.pushTypeTopicSuffix, "apns-topic", "com.example.app.voip", "ends like one for voip"),
        .push(
            .pushTypeTopicSuffix, PushDraft.clean.of("voip").setting("apns-topic", to: "com.example.app.voip-ptt"),
            at: ["headers/apns-topic"], "does not end with .voip"),
        .miss(.pushTypeTopicSuffix, "apns-topic", "com.example.voip.app"),
        .miss(.pushTypeTopicSuffix, "apns-topic", nil), .miss(.pushTypeTopicSuffix, "apns-push-type", "Voip"),
        .push(.pushTypeTopicSuffix, PushDraft.clean.of("liveactivity")),
        .push(.pushTypeTopicSuffix, PushDraft.clean.of("fileprovider")),
        .push(.pushTypeTopicSuffix, PushDraft.clean.of("voip").setting("apns-push-type", to: nil)),

        .hit(.topicUnlikely, "apns-topic", "<com.example.app>", "has characters that no bundle identifier has"),
        .hit(.topicUnlikely, "apns-topic", "undefined", "the topic 'undefined' is a placeholder"),
        .hit(.topicUnlikely, "apns-topic", "com.example.app.", "ends with a dot"),
        .miss(.topicUnlikely, "apns-topic", "com.example.pushkit"),
        .hit(.topicUnlikely, "apns-topic", "com_example_app", "has underscores in place of dots"),
        .hit(.topicUnlikely, "apns-topic", "A1B2C3D4E5.com.example.app", "begins with a team ID"),
        .push(
            .topicUnlikely, PushDraft.clean.of("voip").setting("apns-topic", to: "com.example.app.voip.voip"),
            at: ["headers/apns-topic"], "has '.voip' before another suffix"),
        .push(
            .topicUnlikely, PushDraft.clean.of("voip").setting("apns-topic", to: "com.example.app.pushkit.voip"),
            at: ["headers/apns-topic"], "has '.pushkit.voip' in place of .voip"),
        .push(.topicUnlikely, PushDraft.clean.of("voip")), .miss(.topicUnlikely, "apns-topic", "com.example.my_app"),
        .miss(.topicUnlikely, "apns-topic", "com.example.app.location"), .miss(.topicUnlikely, "apns-topic", nil),

        .push(
            .priority10Background, PushDraft.clean.of("background").setting("apns-priority", to: "10"),
            at: ["headers/apns-priority"], "apns-priority is 10; 5 is expected"),
        .push(.priority10Background, PushDraft.clean.of("background")),
        .push(.priority10Background, PushDraft.clean.of("background").setting("apns-priority", to: nil)),
        .miss(.priority10Background, "apns-priority", "10"),

        .hit(.expirationMilliseconds, expiration, "1767607872000", "looks like milliseconds"),
        .hit(.expirationMilliseconds, expiration, "1000000000000", "1000000000000"),
        .hit(.expirationMilliseconds, expiration, "9223372036854775807", "UNIX seconds are expected"),
        .miss(.expirationMilliseconds, expiration, "999999999999"),
        .miss(.expirationMilliseconds, expiration, "9223372036854775808"),
        .miss(.expirationMilliseconds, expiration, "1767607872.000"), .miss(.expirationMilliseconds, expiration, nil),

        .hit(.expirationInPast, expiration, "1767607871", "the clock says 2026-01-05T10:11:12"),
        .hit(.expirationInPast, expiration, "300", "1970-01-01T00:05:00"),
        .miss(.expirationInPast, expiration, "1767607872"), .miss(.expirationInPast, expiration, "0"),
        .miss(.expirationInPast, expiration, "-1"), .miss(.expirationInPast, expiration, nil),

        .hit(.collapseIDLong, "apns-collapse-id", String(repeating: "x", count: 65), "has 65 bytes"),
        .hit(.collapseIDLong, "apns-collapse-id", String(repeating: "é", count: 33), "has 66 bytes"),
        .miss(.collapseIDLong, "apns-collapse-id", String(repeating: "é", count: 32)),
        .miss(.collapseIDLong, "apns-collapse-id", nil),

        .hit(.apnsIDNotUUID, "apns-id", "123", "apns-id is '123'"),
        .hit(.apnsIDNotUUID, "apns-id", "", "apns-id is ''"),
        .hit(.apnsIDNotUUID, "apns-id", "{0c6b0000-0000-4000-8000-00000000abcd}", "hexadecimal"),
        .miss(.apnsIDNotUUID, "apns-id", "0C6B0000-0000-4000-8000-00000000ABCD"), .miss(.apnsIDNotUUID, "apns-id", nil),

        .push(.tokenUppercaseOrSpaces, PushDraft(), at: ["headers/:path"], "capital letters"),
        .push(.tokenUppercaseOrSpaces, token("<3f2a 9c01>"), at: ["headers/:path"], "'<3f2a 9c01>'"),
        .push(.tokenUppercaseOrSpaces, token("3f2a%209c01"), at: ["headers/:path"], "other characters"),
        .push(
            .tokenUppercaseOrSpaces, token("ASNFZ4mrze/+3LqYdlQyEA=="), at: ["headers/:path"],
            "the path has a channel ID after /3/device/"), .push(.tokenUppercaseOrSpaces, token("3f2a9c01")),
        .push(.tokenUppercaseOrSpaces, token("")),

        .hit(.issuedAtNotANumber, "authorization", issued("\"1767607860\""), "is a string"),
        .hit(.issuedAtNotANumber, "authorization", issued("null"), "absent or not a time"),
        .hit(.issuedAtNotANumber, "authorization", issued("-1"), "absent or not a time"),
        .miss(.issuedAtNotANumber, "authorization", issued("1767607860.5")),
        .miss(.issuedAtNotANumber, "authorization", "bearer a.b.c"), .miss(.issuedAtNotANumber, "authorization", nil),

        .hit(.tokenNotBase64URL, "authorization", standard, "Base64URL without padding is expected"),
        .hit(.tokenNotBase64URL, "authorization", unsigned + "==", "or has padding"),
        .hit(.tokenNotBase64URL, "authorization", padded, "is standard Base64 or has padding"),
        .miss(.tokenNotBase64URL, "authorization", issued("1767607860")),
        .miss(.tokenNotBase64URL, "authorization", "bearer a.b.c"), .miss(.tokenNotBase64URL, "authorization", nil),

        .hit(.tokenNearExpiry, "authorization", issued("1767604572"), "55 minutes old"),
        .hit(.tokenNearExpiry, "authorization", issued("1767604273"), "59 minutes old"),
        .miss(.tokenNearExpiry, "authorization", issued("1767604573")),
        .miss(.tokenNearExpiry, "authorization", issued("1767604272")),
        .miss(.tokenNearExpiry, "authorization", issued("1e300")), .miss(.tokenNearExpiry, "authorization", nil),

        .push(.tokenWithCertificate, certified, at: ["headers/authorization"], "authorization is ignored"),
        .push(.tokenWithCertificate, certified.setting("authorization", to: nil)),
        .miss(.tokenWithCertificate, "authorization", issued("1767607860")),
    ]
}

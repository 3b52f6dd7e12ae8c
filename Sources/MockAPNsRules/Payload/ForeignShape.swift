package import MockAPNsFormats

/// A request or message for another service, which was sent to APNs as the payload.
///
/// To add one, add a row. Sources: the references of the services (documented).
package struct ForeignShape: Sendable {
    /// What it is, such as `a message for FCM`.
    package let name: String
    /// Where it is in the payload.
    package let way: [String]
    package let fix: String

    private struct Row: Sendable {
        let name: String
        let fix: String
        /// Returns the members on the way to what gives it away.
        let find: @Sendable (JSONValue) -> [String]?
    }

    private static let rows: [Row] = [
        // firebase.google.com/docs/reference/fcm/rest/v1/projects.messages
        Row(
            name: "a message for FCM",
            fix: "Send {\"aps\":{\"alert\":{\"title\":…,\"body\":…}}}, or send the message to FCM."
        ) { payload in
            if let message = payload["message"], message.isObject,
                ["apns", "notification", "token", "topic", "condition"].contains(where: { message[$0] != nil })
            {
                return ["message"]
            }
            if payload["apns"]?["payload"]?["aps"]?.isObject == true { return ["apns", "payload", "aps"] }
            if payload["data"]?.isObject == true {
                if payload["to"]?.string?.isEmpty == false { return ["to"] }
                if !payload["registration_ids"].entries.isEmpty { return ["registration_ids"] }
            }
            let isLegacy = ["collapse_key", "content_available", "data", "priority", "registration_ids", "to"].contains
            { payload[$0] != nil }
            let notification = payload["notification"]
            let hasText = notification?["title"]?.string != nil || notification?["body"]?.string != nil
            return hasText && (isLegacy || payload.sortedMembers.count == 1) ? ["notification"] : nil
        },
        // docs.aws.amazon.com/sns/latest/dg/sns-send-custom-platform-specific-payloads-mobile-devices.html
        Row(
            name: "a message for Amazon SNS",
            fix: "Send the JSON in this string as the body, or send the message to SNS."
        ) { payload in
            ["APNS", "APNS_SANDBOX", "APNS_VOIP", "APNS_VOIP_SANDBOX", "MACOS", "MACOS_SANDBOX"].first {
                payload[$0]?.string != nil || payload[$0]?.isObject == true
            }.map { [$0] }
        },
        // docs.aws.amazon.com/sns/latest/dg/http-notification-json.html
        Row(name: "a notification of Amazon SNS", fix: "Send the payload for APNs that you make of Message.") {
            payload in
            payload["Type"]?.string != nil && payload["TopicArn"]?.string != nil && payload["Message"] != nil
                || payload["Type"] == "Notification" && payload["Message"] != nil ? ["Message"] : nil
        },
        // docs.expo.dev/push-notifications/sending-notifications
        Row(
            name: "a message for Expo's push service",
            fix: "Send {\"aps\":{\"alert\":{\"title\":…,\"body\":…}}}, or send the message to Expo."
        ) { payload in
            // A list of messages is allowed, too.
            let message = payload.entries.first ?? payload
            let to = message["to"]?.string ?? message["to"].entries.first?.string
            guard ["ExponentPushToken[", "ExpoPushToken["].contains(where: { to?.hasPrefix($0) == true }) else {
                return nil
            }
            return payload.entries.isEmpty ? ["to"] : ["0", "to"]
        },
        // documentation.onesignal.com/reference/create-message
        Row(name: "a request for OneSignal", fix: "Send {\"aps\":{\"alert\":…}}, or send it to OneSignal.") { payload in
            guard payload["app_id"]?.string != nil else { return nil }
            return [
                "contents", "headings", "included_segments", "include_aliases", "include_player_ids",
                "include_subscription_ids", "template_id",
            ].first { payload[$0] != nil }.map { [$0] }
        },
        Row(name: "JSON in a string", fix: "Encode the payload once: send the object itself.") { payload in
            let text = payload.string ?? payload["aps"]?.string
            guard let text, text.first == "{", JSONParser.value(of: Array(text.utf8)) != nil else { return nil }
            return payload.string == nil ? ["aps"] : []
        },
        Row(name: "an object around the payload", fix: "Send the object that has aps as the body.") { payload in
            payload.sortedMembers.first { $0.value["aps"]?.isObject == true }.map { [$0.key, "aps"] }
        },
        Row(name: "an array around the payload", fix: "Send each object that has aps as a body of its own.") {
            payload in payload.entries.first?["aps"]?.isObject == true ? ["0", "aps"] : nil
        },
    ]

    /// Recognizes a payload without `aps`; `nil` if it has the shape of none of them.
    package init?(_ payload: JSONValue) {
        guard payload["aps"]?.isObject != true else { return nil }
        for row in Self.rows {
            guard let way = row.find(payload) else { continue }
            (name, self.way, fix) = (row.name, way, row.fix)
            return
        }
        return nil
    }
}

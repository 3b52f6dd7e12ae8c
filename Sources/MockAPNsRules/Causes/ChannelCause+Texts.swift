extension ChannelCause {
    /// What was seen and expected, in one sentence, and how to fix it.
    var texts: (what: String, fix: String) {
        switch self {
        case .appForKey(let seen, let key, let topics):
            (
                "The path is for \(Words.quoted(seen)), but key \(key) is only for \(Words.list(topics)).",
                "Use a key for this app, or correct the bundle identifier in the path."
            )
        case .appForCertificate(let seen, let topics):
            (
                "The path is for \(Words.quoted(seen)), but the client's certificate is only for"
                    + " \(Words.list(topics, else: "no topic")).",
                "Use a certificate for this app, or correct the bundle identifier in the path."
            )
        case .broadcastsOff(let app):
            (
                "The app \(Words.quoted(app)) does not have the broadcast capability on this server, expected one that has it.",
                "Turn the capability on for the app."
            )
        case .suffixInApp(let seen, let expected):
            (
                "The path has the topic \(Words.quoted(seen)), expected the bundle identifier alone: \(Words.whole(expected)).",
                "Remove the suffix; the push type is in its own header or member."
            )
        case .broadcastTypeMissing:
            ("The broadcast has no apns-push-type, expected liveactivity.", "Set apns-push-type: liveactivity.")
        case .broadcastType(let seen):
            (
                "The broadcast's apns-push-type is \(Words.quoted(seen)), expected liveactivity, the only push type of"
                    + " broadcasts.", "Send liveactivity; other push types go to device tokens, at /3/device/<token>."
            )
        case .idMissing:
            (
                "The request has no apns-channel-id, expected the channel ID in that header.",
                "Set apns-channel-id; a channel ID is never in the path."
            )
        case .id(let flaw, let seen): Self.texts(of: flaw, Words.quoted(seen))
        case .unknown(let seen, _, _, _) where ChannelIDFlaw(seen) == .deviceToken:
            (
                "The header apns-channel-id has a device token, \(Words.quoted(seen)), and no channel has such an ID.",
                "Broadcast to the ID that creating the channel returned; a push to one device is POST /3/device/<token>."
            )
        case .unknown(let seen, _, _, _) where ChannelIDFlaw(seen) == .placeholder:
            (
                "The header apns-channel-id has the placeholder \(Words.quoted(seen)), and no channel has such an ID.",
                "Check the variable that holds the channel ID before sending."
            )
        case .unknown(let seen, let app, let environment, nil)
        where TopicSpelling(app, for: .liveactivity).oddity != nil:
            Self.texts(ofUnknown: seen, in: app, environment, TopicSpelling(app, for: .liveactivity))
        case .unknown(let seen, let app, let environment, let likely?):
            (
                "The app \(Words.quoted(app)) has no channels in the \(environment.rawValue) environment, and no app has the"
                    + " channel \(Words.quoted(seen)); expected an app with channels, such as \(Words.whole(likely)).",
                "Correct the bundle identifier in the path, and send the channel ID that creating the channel returned."
            )
        case .ofAnother(let owner, let seen, let app, let environment) where owner.bundleID == app:
            (
                "The channel \(Words.quoted(seen)) of the app \(Words.quoted(app)) is in the \(owner.environment.rawValue)"
                    + " environment, expected one of the \(environment.rawValue) environment, which this address is for.",
                "Send to the \(owner.environment.rawValue) address, or create a channel in this environment."
            )
        case .ofAnother(let owner, let seen, let app, _):
            (
                "The channel \(Words.quoted(seen)) is not one of the app \(Words.quoted(app)), expected its app in the path:"
                    + " \(Words.whole(owner.bundleID)).",
                "Put \(owner.bundleID) into the path, or correct apns-channel-id."
            )
        case .unknown(let seen, let app, let environment, nil):
            (
                "The app \(Words.quoted(app)) has no channel \(Words.quoted(seen)) in the \(environment.rawValue) environment.",
                "Create the channel with the same bundle identifier and environment, or correct apns-channel-id."
            )
        case .body:
            (
                "The body is not a JSON object, expected {\"message-storage-policy\":0,\"push-type\":\"LiveActivity\"}.",
                "Send that object, with the storage policy 0 or 1."
            )
        case .members(let unknown):
            (
                "The body has \(Words.list(unknown.map(Words.quoted))), expected only message-storage-policy and push-type.",
                "Remove the other members."
            )
        case .storageMissing:
            (
                "The body has no message-storage-policy, expected 0 or 1.",
                "Set it to 0 to store no message, or to 1 to store the newest."
            )
        case .storage(let seen):
            (
                "The body's message-storage-policy is \(seen), expected the number 0 or 1.",
                "Set it to 0 to store no message, or to 1 to store the newest."
            )
        case .typeMissing(header: nil):
            (
                "The body has no push-type, expected \"push-type\":\"LiveActivity\".",
                "Add it beside message-storage-policy."
            )
        case .typeMissing(let header?):
            (
                "The push type is in the header apns-push-type (\(Words.quoted(header))), expected in the body:"
                    + " \"push-type\":\"LiveActivity\".",
                "Move it to the body; broadcasts have the header, channels the member."
            )
        case .type(let seen):
            (
                "The body's push-type is \(seen), expected 'LiveActivity', the only push type of channels.",
                "Send \"push-type\":\"LiveActivity\"."
            )
        case .rate(let count, let interval):
            (
                "The channel got more than \(count) broadcasts in \(Words.duration(interval)), the limit of this server.",
                "Send less often to one channel, and retry with a delay; --channel-rate sets the limit."
            )
        case .tooMany(let app, let environment):
            (
                "The app \(Words.quoted(app)) has as many channels as the \(environment.rawValue) environment allows (APNs:"
                    + " 10,000), expected fewer.", "Delete channels that are no longer used."
            )
        }
    }

    /// For an app whose bundle identifier is probably misspelt.
    private static func texts(
        ofUnknown seen: String, in app: String, _ environment: Environment, _ spelling: TopicSpelling
    ) -> (what: String, fix: String) {
        (
            "The app \(Words.quoted(app)) has no channel \(Words.quoted(seen)) in the \(environment.rawValue) environment, and the"
                + " bundle identifier in the path \(spelling.oddity ?? "").",
            spelling.bundleID.map { "Broadcast to /4/broadcasts/apps/\($0), the bundle identifier alone." }
                ?? "Put the app's bundle identifier into the path, and nothing else."
        )
    }

    private static func texts(of flaw: ChannelIDFlaw, _ seen: String) -> (what: String, fix: String) {
        let fix = "Send the channel ID exactly as the server returned it."
        switch flaw {
        case .empty: return ("The header apns-channel-id is empty, expected a channel ID.", fix)
        case .placeholder:
            return (
                "The header apns-channel-id has the placeholder \(seen), expected a channel ID in Base64.",
                "Check the variable that holds the channel ID before sending."
            )
        case .uuid:
            return (
                "The header apns-channel-id is the UUID \(seen), expected a channel ID in Base64.",
                "\(fix) A UUID is another identifier."
            )
        case .decorated(let id):
            return (
                "The header apns-channel-id is \(seen), expected it without quotes, brackets or percent-encoding: \(Words.whole(id)).",
                fix
            )
        case .deviceToken:
            return (
                "The header apns-channel-id has a device token, expected a channel ID in Base64.",
                "Send pushes for one device to /3/device/<token>."
            )
        case .tooLong(let size):
            return (
                "The header apns-channel-id has \(size) characters, expected at most \(ChannelID.longestText).", fix
            )
        case .base64URL:
            return (
                "The header apns-channel-id is \(seen), which is URL-safe Base64, expected + and / instead of - and _.",
                fix
            )
        case .noPadding(let id):
            return (
                "The header apns-channel-id is \(seen), whose length is not a multiple of four, expected Base64 with padding.",
                id.map { "Send \(Words.whole($0)); its end, ==, is part of it." } ?? fix
            )
        case .other: return ("The header apns-channel-id is \(seen), expected Base64.", fix)
        }
    }
}

internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

enum HeaderLints {
    /// Ten years in seconds: a smaller expiration is assumed to be a duration rather than a time.
    private static let longestDuration: Int64 = 315_360_000
    private static let longestCollapseID = 64
    /// The age at which a provider token is about to expire, in seconds.
    private static let nearExpiry = 3_300.0
    private static let lifetime = 3_600.0

    static func pushTypeMissing(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.request[.apnsPushType] == nil, !push.outline.isBinary, let type = push.type else { return }
        // The push type alone would be rejected with a topic that does not end like one for it.
        let likely = push.topic.flatMap { likelyTopic(of: push, $0, for: type) }
        let topic = likely.flatMap { $0 == push.topic ? nil : " and apns-topic: \($0)" } ?? ""
        notes.add(
            .apnsPushType, "apns-push-type is absent; this push is handled as \(type.name)",
            fix: "Send apns-push-type: \(type.name)\(topic), or the intended type.")
    }

    static func topicSuffix(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.request[.apnsPushType] != nil, !push.isBroadcast, let type = push.type,
            let text = push.request[.apnsTopic], !text.isEmpty
        else { return }
        let topic = Topic(text)
        let suffix = type.row.topicSuffix.description
        guard topic.suffixType != (suffix.isEmpty ? nil : type) else { return }
        let seen = JSONValue.shortened(text.text)
        notes.add(
            .apnsTopic,
            suffix.isEmpty
                ? "the topic '\(seen)' ends like one for \(topic.suffixType?.name ?? ""), and the push type is \(type.name)"
                : "the topic '\(seen)' does not end with \(suffix), as push type \(type.name) asks for",
            fix: likelyTopic(of: push, text.text, for: type).map {
                "Send apns-topic: \($0), or another apns-push-type."
            })
    }

    static func topicUnlikely(_ push: Candidate, _ notes: inout LintNotes) {
        guard let topic = push.topic, !topic.isEmpty else { return }
        let spelling = push.spelling(of: topic)
        guard let oddity = spelling.oddity else { return }
        // Without a push type, the topic's ending says which is meant.
        let type = push.request[.apnsPushType] == nil ? spelling.type ?? push.type : push.type ?? spelling.type
        notes.add(
            .apnsTopic, "the topic '\(JSONValue.shortened(topic))' \(oddity)",
            fix: likelyTopic(of: push, topic, for: type ?? .alert).map { "Send apns-topic: \($0)." })
    }

    /// The topic that was probably meant: that of the device token, or else what the topic says, for the push type.
    private static func likelyTopic(of push: Candidate, _ topic: String, for type: PushType) -> String? {
        if let known = push.topicOfToken, known != topic {
            let spelling = TopicSpelling(known, for: type)
            if spelling.oddity == nil, let likely = spelling.topic(for: type) { return likely }
        }
        return TopicSpelling(topic, for: type).topic(for: type)
    }

    static func priority10Background(_ push: Candidate, _ notes: inout LintNotes) {
        guard push.type == .background, push.header(.apnsPriority) == "10" else { return }
        notes.add(.apnsPriority, "apns-priority is 10; 5 is expected of a background push")
    }

    static func expirationMilliseconds(_ push: Candidate, _ notes: inout LintNotes) {
        guard let time = push.expiration, let unit = WrittenTime.of(Double(time)) else { return }
        notes.add(
            .apnsExpiration, "apns-expiration is \(time), which looks like \(unit.name); UNIX seconds are expected",
            fix: "Send \(time / unit.perSecond).")
    }

    static func expirationInPast(_ push: Candidate, _ notes: inout LintNotes) {
        let now = push.outline.clockTime.microseconds / 1_000_000
        guard let seconds = push.expiration, seconds > 0, seconds < now else { return }
        let duration = "Send a time, not a duration: \(now + seconds) would be \(seconds) seconds from now."
        let meant = WrittenTime.since2001(Double(seconds), at: Double(now)).map {
            "It may count from 2001: as seconds since 1970, it is \($0)."
        }
        notes.add(
            .apnsExpiration,
            "apns-expiration is \(seconds), \(Timestamp(seconds: seconds).rfc3339), and the clock says"
                + " \(push.outline.clockTime.rfc3339); a future time is expected, or 0",
            fix: seconds < longestDuration ? duration : meant)
    }

    static func collapseIDLong(_ push: Candidate, _ notes: inout LintNotes) {
        // Documented: it is not among the headers of a broadcast, which ignores it.
        guard !push.isBroadcast, let size = push.header(.apnsCollapseID)?.utf8.count, size > longestCollapseID else {
            return
        }
        let message = "apns-collapse-id has \(size) bytes; at most \(longestCollapseID) are expected"
        notes.add(.apnsCollapseID, message)
    }

    static func apnsIDNotUUID(_ push: Candidate, _ notes: inout LintNotes) {
        // Documented: broadcasts have a header of their own, and one of Apple's samples has the one of pushes.
        let name = push.isBroadcast && push.header(.apnsRequestID) != nil ? HeaderName.apnsRequestID : .apnsID
        guard let id = push.header(name), !id.isUUID else { return }
        let seen = JSONValue.shortened(id)
        notes.add(name, "\(name.text) is '\(seen)'; a UUID of 8-4-4-4-12 hexadecimal digits is expected")
    }

    static func token(_ push: Candidate, _ notes: inout LintNotes) {
        guard let text = push.request.devicePart else { return }
        let isDressed = !text.bytes.allSatisfy { isDigit($0) || isCapital($0) || isSmall($0) }
        guard isDressed || text.bytes.contains(where: isCapital) else { return }
        let part = text.text
        let seen = JSONValue.shortened(part)
        guard !isDressed || DeviceTokenFlaw(part) != .channelID else {
            let message = "the path has a channel ID after /3/device/, '\(seen)'; a device token is expected"
            return notes.add(.path, message, fix: DeviceTokenFlaw.channelID.fix)
        }
        notes.add(
            .path,
            isDressed
                ? "the device token has other characters than hexadecimal digits: '\(seen)'"
                : "the device token has capital letters; lower case is the usual form")
    }

    private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    private static func isCapital(_ byte: UInt8) -> Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte }

    private static func isSmall(_ byte: UInt8) -> Bool { UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte }

    static func issuedAt(_ push: Candidate, _ notes: inout LintNotes) {
        let seen: String
        switch push.providerToken {
        case .success(let token) where token.issuedAtIsText: seen = "a string"
        case .failure(let refusal) where refusal.verification == .badIssuedAt: seen = "absent or not a time"
        case .success, .failure, nil: return
        }
        let message = "the claim iat of the provider token is \(seen); a number of UNIX seconds is expected"
        notes.add(.authorization, message)
    }

    static func tokenNotBase64URL(_ push: Candidate, _ notes: inout LintNotes) {
        guard case .success(let token)? = push.providerToken, !token.isBase64URL else { return }
        let message = "the provider token is standard Base64 or has padding; Base64URL without padding is expected"
        notes.add(.authorization, message)
    }

    static func tokenNearExpiry(_ push: Candidate, _ notes: inout LintNotes) {
        guard case .success(let token)? = push.providerToken else { return }
        let age = push.outline.clockTime.seconds - token.issuedAt
        guard age >= nearExpiry, age < lifetime else { return }
        let minutes = Int(age / 60)
        notes.add(.authorization, "the provider token is \(minutes) minutes old; it expires at 60 minutes")
    }

    static func tokenWithCertificate(_ push: Candidate, _ notes: inout LintNotes) {
        guard !push.outline.certificate.isEmpty, push.request[.authorization] != nil else { return }
        notes.add(.authorization, "the client certificate authenticates this push; authorization is ignored")
    }
}

internal import MockAPNsFormats

/// The checks of broadcasts and channel management.
///
/// Source of the reasons: Apple, "Handling error responses from Apple Push Notification service" (documented);
/// which check comes first is inferred, except that authentication precedes the channel.
extension Check {
    static let channelsMethod = Check(
        "method", .path, [.methodNotAllowed], .header(.method),
        expects: "GET, POST or DELETE for /channels, and GET for /all-channels",
        cause: { request, _ in
            let isList = request.appParts(for: .channels)?.rest.equals("/all-channels") == true
            let expected = isList ? "GET" : "GET, POST or DELETE"
            return .method(seen: request[.method]?.text ?? "", expected: expected)
        }
    ) { request, _ in
        guard let method = request[.method] else { return .methodNotAllowed }
        if method.equals("GET") { return nil }
        let isList = request.appParts(for: .channels)?.rest.equals("/all-channels") == true
        return !isList && (method.equals("POST") || method.equals("DELETE")) ? nil : .methodNotAllowed
    }

    static let broadcastPath = channelPath(.broadcast, "/4/broadcasts/apps/<bundle id>")
    static let channelsPath = channelPath(.channels, "/1/apps/<bundle id>/channels or /1/apps/<bundle id>/all-channels")

    private static func channelPath(_ service: Service, _ expected: String) -> Check {
        Check(
            "path", .path, [.badPath], .header(.path), expects: expected,
            cause: { request, evidence in evidence.path(of: request, expected: expected) }
        ) { request, situation in
            situation.channelRequest = ChannelRequest(request, for: service, in: situation.environment)
            return situation.channelRequest == nil ? .badPath : nil
        }
    }

    /// Documented; that a suffix does not matter to it is inferred, since TopicDisallowed is for that.
    static let bundleIDAllowed = Check(
        "bundle-id-allowed", .topic, [.topicMismatch], .header(.path),
        expects: "a bundle identifier that the credentials cover",
        cause: { request, evidence in
            let seen = request.bundleID(for: evidence.service)?.text ?? ""
            if let certificate = evidence.judgedCertificate {
                return .channel(.appForCertificate(seen: seen, topics: certificate.topics.sorted()))
            }
            let key = evidence.key(of: request)
            let topics = key?.topics?.sorted() ?? []
            return .channel(.appForKey(seen: seen, key: key?.keyID ?? "", topics: topics))
        }
    ) { request, situation in
        guard situation.options.authentication != .any, let bundleID = request.bundleID(for: situation.service) else {
            return nil
        }
        if let certificate = situation.certificate {
            return certificate.topics.contains(bundleID.text) ? nil : .topicMismatch
        }
        guard let credential = situation.credential else { return nil }
        return credential.key.covers(bundleID) ? nil : .topicMismatch
    }

    static let broadcastEnabled = Check(
        "broadcast-enabled", .topic, [.featureNotEnabled], .header(.path),
        expects: "an app with the broadcast capability",
        cause: { request, evidence in .channel(.broadcastsOff(app: request.bundleID(for: evidence.service)?.text ?? ""))
        }
    ) { request, situation in
        guard let bundleID = request.bundleID(for: situation.service) else { return nil }
        return situation.channels.allowsBroadcasts(to: bundleID.text) ? nil : .featureNotEnabled
    }

    static let bundleIDPlain = Check(
        "bundle-id-plain", .topic, [.topicDisallowed], .header(.path),
        expects: "a bundle identifier without the suffix of a push type",
        cause: { request, evidence in
            let seen = request.appParts(for: evidence.service)?.bundleID.text ?? ""
            let expected = TopicSpelling(seen, for: .liveactivity).bundleID ?? Topic.bundleID(of: seen)
            return .channel(.suffixInApp(seen: seen, expected: expected))
        }
    ) { request, situation in
        guard let bundleID = request.appParts(for: situation.service)?.bundleID else { return nil }
        return Topic(bundleID).suffixType == nil ? nil : .topicDisallowed
    }

    /// One of Apple's samples sends `apns-id` instead of `apns-request-id` (documented).
    static let requestID = Check(
        "apns-request-id", .headers, [.badMessageID], .header(.apnsRequestID),
        expects: "a canonical UUID, 8-4-4-4-12 hex digits",
        cause: { request, _ in
            let name = request[.apnsRequestID] == nil ? HeaderName.apnsID : .apnsRequestID
            return .messageID(request[name], in: name)
        }
    ) { request, situation in
        guard let value = request[.apnsRequestID] ?? request[.apnsID] else { return nil }
        let lowerCaseOnly = situation.options.requiresLowerCaseID
        return UniqueID.isCanonical(value, lowerCaseOnly: lowerCaseOnly) ? nil : .badMessageID
    }

    static let broadcastTypePresent = Check(
        "push-type-present", .headers, [.missingPushType], .header(.apnsPushType), expects: "apns-push-type",
        cause: { _, _ in .channel(.broadcastTypeMissing) }
    ) { request, _ in request[.apnsPushType] == nil ? .missingPushType : nil }

    /// Documented in three spellings, so letter case is ignored.
    static let broadcastType = Check(
        "apns-push-type", .headers, [.invalidPushType], .header(.apnsPushType), expects: "liveactivity",
        cause: { request, _ in .channel(.broadcastType(seen: request[.apnsPushType]?.text ?? "")) }
    ) { request, _ in
        guard let value = request[.apnsPushType] else { return nil }
        return PushType.isLiveActivity(value.text) ? nil : .invalidPushType
    }

    static let channelPresent = Check(
        "channel-present", .headers, [.missingChannelID], .header(.apnsChannelID), expects: "apns-channel-id",
        cause: { _, _ in .channel(.idMissing) }
    ) { request, situation in
        guard situation.channelRequest?.operation.needsChannel == true else { return nil }
        return request[.apnsChannelID] == nil ? .missingChannelID : nil
    }

    static let channelForm = Check(
        "channel-form", .headers, [.badChannelID], .header(.apnsChannelID),
        expects: "Base64 with padding, at most 64 characters",
        cause: { request, _ in
            let seen = request[.apnsChannelID]?.text ?? ""
            return .channel(.id(ChannelIDFlaw(seen), seen: seen))
        }
    ) { request, _ in
        guard let value = request[.apnsChannelID] else { return nil }
        return ChannelID.isWellFormed(value) ? nil : .badChannelID
    }

    static let channelAnswer = Check(
        "answer-token", .device, Reason.allCases, .header(.apnsChannelID), decider: .answerToken,
        expects: "a channel ID that does not request a reason (dead, status, variant)",
        cause: { _, evidence in .requested(evidence.reason) }
    ) { request, situation in
        guard situation.options.answersOnDemand, let reason = AnswerToken.reason(asked: request[.apnsChannelID]) else {
            return nil
        }
        if reason.carriesTimestamp { situation.deadSince = situation.now }
        return reason
    }

    static let channelRegistered = Check(
        "channel-registered", .device, [.channelNotRegistered], .header(.apnsChannelID), decider: .deviceState,
        expects: "a channel of this app in the environment of this address",
        cause: { request, evidence in
            let app = request.appParts(for: evidence.service)?.bundleID.text ?? ""
            let seen = request[.apnsChannelID]?.text ?? ""
            let environment = evidence.environment
            if let owner = ChannelID(seen).flatMap(evidence.owner),
                owner != ChannelApp(bundleID: app, environment: environment)
            {
                return .channel(.ofAnother(owner, seen: seen, app: app, environment))
            }
            let apps = evidence.appsWithChannels().filter { $0.environment == environment }.map(\.bundleID)
            let likely = apps.contains(app) ? nil : Suggestion.nearest(to: app, among: apps.sorted())
            return .channel(.unknown(seen: seen, app: app, environment, likely: likely))
        }
    ) { request, situation in
        guard let asked = situation.channelRequest, asked.operation.needsChannel, let value = request[.apnsChannelID]
        else { return nil }
        guard let id = ChannelID(value), let storage = situation.channels.storage(of: id, in: asked.app) else {
            return .channelNotRegistered
        }
        situation.channelRequest?.channel = id
        situation.channelRequest?.storage = storage
        return nil
    }

    /// Documented for a time; that an absent header is accepted is inferred.
    static let expirationForChannel = Check(
        "expiration-for-channel", .headers, [.badExpirationDate], .header(.apnsExpiration),
        expects: "0 for a channel that stores no message",
        cause: { request, _ in .header(.expirationForChannel(seen: request[.apnsExpiration]?.text ?? "")) }
    ) { request, situation in
        guard situation.channelRequest?.storage == ChannelStorage.none,
            let expiration = request[.apnsExpiration].flatMap({ Expiration($0) })
        else { return nil }
        return expiration.seconds == 0 ? nil : .badExpirationDate
    }

    static let channelBody = Check(
        "channel-json", .payload, [.badRequestPayload], expects: "a JSON object", cause: { _, _ in .channel(.body) }
    ) { request, situation in
        guard situation.channelRequest?.operation == .create else { return nil }
        guard let members = request.channelBody else { return .badRequestPayload }
        situation.channelRequest?.body = members
        return nil
    }

    /// Documented for unknown members; inferred for a missing or another storage policy.
    static let channelParameters = Check(
        "channel-parameters", .payload, [.badRequestParams],
        expects: "message-storage-policy (0 or 1) and push-type, and nothing else",
        cause: { request, _ in
            let body = request.channelMembers
            let unknown = body.keys.filter { $0 != storageMember && $0 != typeMember }
            if !unknown.isEmpty { return .channel(.members(unknown: unknown.sorted())) }
            return .channel(body[storageMember].map { .storage(seen: $0.summary) } ?? .storageMissing)
        }
    ) { _, situation in
        guard let asked = situation.channelRequest, asked.operation == .create else { return nil }
        guard asked.body.keys.allSatisfy({ $0 == storageMember || $0 == typeMember }),
            case .integer(let number)? = asked.body[storageMember],
            let storage = UInt8(exactly: number).flatMap({ ChannelStorage(rawValue: $0) })
        else { return .badRequestParams }
        situation.channelRequest?.storage = storage
        return nil
    }

    static let channelTypePresent = Check(
        "push-type-present", .payload, [.missingPushType], expects: "the member push-type",
        cause: { request, _ in .channel(.typeMissing(header: request[.apnsPushType]?.text)) }
    ) { _, situation in
        guard let asked = situation.channelRequest, asked.operation == .create else { return nil }
        return asked.body[typeMember] == nil ? .missingPushType : nil
    }

    static let channelType = Check(
        "push-type", .payload, [.invalidPushType], expects: "the push-type LiveActivity",
        cause: { request, _ in .channel(.type(seen: request.channelMembers[typeMember]?.summary ?? "absent")) }
    ) { _, situation in
        guard let asked = situation.channelRequest, asked.operation == .create else { return nil }
        guard case .string(let type)? = asked.body[typeMember] else { return .invalidPushType }
        return PushType.isLiveActivity(type) ? nil : .invalidPushType
    }

    /// Documented: 10,000 channels for each app and environment.
    static let channelRoom = Check(
        "channel-limit", .device, [.cannotCreateChannelConfig], decider: .deviceState,
        expects: "fewer channels of this app and environment than the limit",
        cause: { request, evidence in
            let app = request.appParts(for: evidence.service)?.bundleID.text ?? ""
            return .channel(.tooMany(app: app, evidence.environment))
        }
    ) { _, situation in
        guard let asked = situation.channelRequest, asked.operation == .create else { return nil }
        return situation.channels.hasRoom(in: asked.app) ? nil : .cannotCreateChannelConfig
    }

    /// Apple's staff: about one update of a channel in a second, above which broadcasts get TooManyRequests; limits are
    /// dynamic (https://developer.apple.com/forums/thread/827808).
    static let channelRate = Check(
        "channel-rate", .device, [.tooManyRequests], .header(.apnsChannelID), decider: .rateLimit,
        expects: "fewer broadcasts in a row to one channel",
        cause: { _, evidence in
            guard let rate = evidence.options.channelRate else { return .unknown(evidence.reason) }
            return .channel(.rate(count: rate.count, interval: Double(rate.interval) / 1_000_000))
        }
    ) { _, situation in
        guard let rate = situation.options.channelRate, let channel = situation.channelRequest?.channel else {
            return nil
        }
        return situation.channels.admits(channel, rate: rate, at: situation.now) ? nil : .tooManyRequests
    }

    private static let storageMember = "message-storage-policy"
    private static let typeMember = "push-type"
}

extension RequestView {
    /// The bundle identifier of the path, without the suffix of a push type.
    fileprivate func bundleID(for service: Service) -> ByteSpan? {
        appParts(for: service).map { Topic($0.bundleID).bundleID }
    }

    /// The body of a request to create a channel; `nil` if it is not a JSON object.
    fileprivate var channelBody: [String: JSONValue]? {
        guard case .object(let members)? = JSONParser.value(of: Array(body.bytes), maximumDepth: 8) else { return nil }
        return members
    }

    fileprivate var channelMembers: [String: JSONValue] { channelBody ?? [:] }
}

extension PushType {
    /// Whether a text names the push type of channels, the only one (documented).
    fileprivate static func isLiveActivity(_ text: String) -> Bool { text.lowercased() == liveactivity.name }
}

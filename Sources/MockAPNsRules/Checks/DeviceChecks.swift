extension Check {
    static let deviceTokenForm = Check(
        "device-token-form", .device, [.badDeviceToken], .devicePart,
        expects: "hexadecimal digits: an even number, 2 to 200; 32 bytes on the binary interface",
        cause: { request, _ in
            let seen = request.devicePart?.text ?? ""
            // On the binary interface, every token is well-formed but for its size.
            let size = DeviceToken(hex: seen).map(\.bytes.count)
            return .device(.token(size.map { .binarySize($0) } ?? DeviceTokenFlaw(seen)))
        }
    ) { request, situation in
        situation.deviceToken = request.devicePart.flatMap { DeviceToken(hex: $0) }
        if situation.isBinary, request.devicePart?.count != 2 * GatewayNotification.tokenSize { return .badDeviceToken }
        return situation.deviceToken == nil ? .badDeviceToken : nil
    }

    static let answerToken = Check(
        "answer-token", .device, Reason.allCases, .devicePart, decider: .answerToken,
        expects: "a device token that does not request a reason (dead, status, variant)",
        cause: { _, evidence in .requested(evidence.reason) }
    ) { request, situation in
        guard situation.options.answersOnDemand, let reason = AnswerToken.reason(asked: request.devicePart) else {
            return nil
        }
        if reason.carriesTimestamp { situation.deadSince = situation.now }
        return reason
    }

    /// Documented: a token of the other environment is a BadDeviceToken.
    ///
    /// Observed: so is a token that was never registered.
    static let deviceTokenKnown = Check(
        "device-token-known", .device, [.badDeviceToken], .devicePart, decider: .deviceState,
        expects: "a device token registered in the environment of this address",
        cause: { request, evidence in
            let now = evidence.registration(of: request)?.environment
            let isUnknown = now == nil || now == evidence.environment
            if isUnknown, evidence.options.unknownTokens == .reject { return .device(.unknown(evidence.environment)) }
            return .device(.environment(seen: evidence.environment.other, address: evidence.environment))
        }
    ) { _, situation in
        guard let token = situation.deviceToken else { return nil }
        guard let registered = situation.devices.find(token) else {
            return situation.options.unknownTokens == .reject ? .badDeviceToken : nil
        }
        situation.registered = registered
        return registered.environment == situation.environment ? nil : .badDeviceToken
    }

    /// Observed for a token of the same team, sent with another app's topic or another suffix.
    static let deviceTokenTopic = Check(
        "device-token-topic", .device, [.deviceTokenNotForTopic], .header(.apnsTopic), decider: .deviceState,
        expects: "the topic that the device token was registered for",
        cause: { request, evidence in
            let seen = request[.apnsTopic]?.text ?? ""
            let registered = evidence.registration(of: request)?.topic
            return .device(.topic(seen: seen, registered: registered == seen ? nil : registered))
        }
    ) { request, situation in
        guard let registered = situation.registered, let topic = request[.apnsTopic] else { return nil }
        return situation.devices.topicNumber(topic) == registered.topic ? nil : .deviceTokenNotForTopic
    }

    /// Documented; that it comes after the topic is inferred: an invalid token still has its topic.
    static let deviceTokenAlive = Check(
        "device-token-alive", .device, [.unregistered, .expiredToken], .devicePart, decider: .deviceState,
        expects: "a device token whose app is installed and whose device has been online in the last weeks",
        cause: { _, evidence in
            evidence.reason == .expiredToken
                ? .device(.expired(since: evidence.deadSince)) : .device(.unregistered(since: evidence.deadSince))
        }
    ) { _, situation in
        guard let registered = situation.registered, registered.standing != .valid else { return nil }
        situation.deadSince = Timestamp(microseconds: registered.deadSince)
        return registered.standing == .expired ? .expiredToken : .unregistered
    }

    /// Documented without a threshold.
    static let deviceRate = Check(
        "device-rate", .device, [.tooManyRequests], .devicePart, decider: .rateLimit,
        expects: "fewer pushes in a row to one device",
        cause: { _, evidence in
            guard let rate = evidence.options.deviceRate else { return .unknown(evidence.reason) }
            return .device(.rate(count: rate.count, interval: Double(rate.interval) / 1_000_000))
        }
    ) { _, situation in
        guard let rate = situation.options.deviceRate, let token = situation.deviceToken else { return nil }
        return situation.devices.admits(token, rate: rate, at: situation.now) ? nil : .tooManyRequests
    }
}

extension Evidence {
    /// What is known of the device token now, which may have changed since the push.
    fileprivate func registration(of request: borrowing RequestView) -> (topic: String, environment: Environment)? {
        request.devicePart.flatMap { DeviceToken(hex: $0) }.flatMap(registration)
    }
}

extension Check {
    static let deviceTokenForm = Check(
        "device-token-form",
        .device,
        [.badDeviceToken],
        .devicePart,
        expects: "hexadecimal digits: an even number, 2 to 200; 32 bytes on the binary interface"
    ) { request, situation in
        situation.deviceToken = request.devicePart.flatMap { DeviceToken(hex: $0) }
        if situation.isBinary, request.devicePart?.count != 2 * GatewayNotification.tokenSize {
            return .badDeviceToken
        }
        return situation.deviceToken == nil ? .badDeviceToken : nil
    }

    static let answerToken = Check(
        "answer-token",
        .device,
        Reason.allCases,
        .devicePart,
        decider: .answerToken,
        expects: "a device token that does not ask for an answer (dead, status, variant)"
    ) { request, situation in
        guard situation.options.answersOnDemand, let reason = AnswerToken.reason(asked: request.devicePart)
        else { return nil }
        if reason.carriesTimestamp { situation.deadSince = situation.now }
        return reason
    }

    /// Documented: a token of the other environment is a BadDeviceToken.
    ///
    /// Observed: so is a token that was never registered.
    static let deviceTokenKnown = Check(
        "device-token-known",
        .device,
        [.badDeviceToken],
        .devicePart,
        decider: .deviceState,
        expects: "a device token registered in the environment of this address"
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
        "device-token-topic",
        .device,
        [.deviceTokenNotForTopic],
        .header(.apnsTopic),
        decider: .deviceState,
        expects: "the topic that the device token was registered for"
    ) { request, situation in
        guard let registered = situation.registered, let topic = request[.apnsTopic] else { return nil }
        return situation.devices.topicNumber(topic) == registered.topic ? nil : .deviceTokenNotForTopic
    }

    /// Documented; that it comes after the topic is inferred: an invalid token still has its topic.
    static let deviceTokenAlive = Check(
        "device-token-alive",
        .device,
        [.unregistered, .expiredToken],
        .devicePart,
        decider: .deviceState,
        expects: "a device token whose app is installed and whose device has been online in the last weeks"
    ) { _, situation in
        guard let registered = situation.registered, registered.standing != .valid else { return nil }
        situation.deadSince = Timestamp(microseconds: registered.deadSince)
        return registered.standing == .expired ? .expiredToken : .unregistered
    }

    /// Documented without a threshold.
    static let deviceRate = Check(
        "device-rate",
        .device,
        [.tooManyRequests],
        .devicePart,
        decider: .rateLimit,
        expects: "fewer pushes in a row to one device"
    ) { _, situation in
        guard let rate = situation.options.deviceRate, let token = situation.deviceToken else { return nil }
        return situation.devices.admits(token, rate: rate, at: situation.now) ? nil : .tooManyRequests
    }
}

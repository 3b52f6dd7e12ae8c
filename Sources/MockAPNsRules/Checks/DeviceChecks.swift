extension Check {
    static let deviceTokenForm = Check(
        "device-token-form",
        .device,
        [.badDeviceToken],
        .devicePart,
        expects: "hexadecimal digits: an even number, 2 to 200"
    ) { request, situation in
        situation.deviceToken = request.devicePart.flatMap { DeviceToken(hex: $0) }
        return situation.deviceToken == nil ? .badDeviceToken : nil
    }

    static let answerToken = Check(
        "answer-token",
        .device,
        Reason.allCases,
        .devicePart,
        expects: "a device token that does not ask for an answer (dead, status, variant)"
    ) { request, situation in
        guard situation.options.answersOnDemand, let reason = AnswerToken.reason(asked: request.devicePart)
        else {
            return nil
        }
        if reason.carriesTimestamp { situation.deadSince = situation.now }
        return reason
    }

    static let deviceTokenKnown = Check(
        "device-token-known",
        .device,
        [.badDeviceToken],
        .devicePart,
        expects: "a registered device token"
    ) { _, situation in
        guard situation.options.unknownTokens == .reject, let token = situation.deviceToken else {
            return nil
        }
        return situation.devices.knows(token) ? nil : .badDeviceToken
    }

    /// Documented without its threshold.
    static let deviceRate = Check(
        "device-rate",
        .device,
        [.tooManyRequests],
        .devicePart,
        expects: "fewer pushes in a row to one device"
    ) { _, situation in
        guard let rate = situation.options.deviceRate, let token = situation.deviceToken else { return nil }
        return situation.devices.admits(token, rate: rate, at: situation.now) ? nil : .tooManyRequests
    }
}

internal import MockAPNsFormats

extension Check {
    static let payloadPresent = Check(
        "payload-present",
        .payload,
        [.payloadEmpty],
        .bodyLength,
        expects: "a body of at least 1 byte"
    ) { request, _ in
        request.bodyLength == 0 ? .payloadEmpty : nil
    }

    static let payloadSize = Check(
        "payload-size",
        .payload,
        [.payloadTooLarge],
        .bodyLength,
        expects: "at most 4096 bytes, or 5120 for VoIP"
    ) { request, _ in
        // The limit takes longer to find than most bodies need.
        guard request.bodyLength > PushType.smallestPayload else { return nil }
        return request.bodyLength > request.payloadLimit ? .payloadTooLarge : nil
    }

    /// The real service accepts such a body and shows nothing; only strict mode refuses it.
    static let payloadJSON = Check(
        "payload-json",
        .payload,
        [.badRequestPayload],
        expects: "JSON, nested at most 512 deep, where the server is strict"
    ) { request, situation in
        guard situation.options.refusesInvalidJSON else { return nil }
        let isValid = JSONParser.isValid(request.body.bytes, maximumDepth: RuleOptions.deepestJSON)
        return isValid ? nil : .badRequestPayload
    }
}

extension RequestView {
    /// The largest body that the push type, or else the topic, allows, in bytes.
    public var payloadLimit: Int { PushType.payloadLimit(of: self[.apnsPushType], topic: self[.apnsTopic]) }
}

extension PushType {
    /// The largest body that a push type, or else a topic, allows, in bytes.
    ///
    /// Documented for "VoIP notifications"; that either the header or the topic makes one is inferred.
    ///
    /// - Parameters:
    ///   - pushType: the value of `apns-push-type`.
    ///   - topic: the value of `apns-topic`.
    /// - Returns: the size of a body.
    public static func payloadLimit(of pushType: ByteSpan?, topic: ByteSpan?) -> Int {
        let type = pushType.flatMap { PushType($0) } ?? .alert
        let topicType = topic.flatMap { Topic($0).suffixType } ?? .alert
        return max(type.row.payloadLimit, topicType.row.payloadLimit)
    }
}

internal import MockAPNsFormats

extension Check {
    static let payloadPresent = Check(
        "payload-present", .payload, [.payloadEmpty], .bodyLength, expects: "a body of at least 1 byte",
        cause: { _, _ in .device(.payloadEmpty) }
    ) { request, _ in request.bodyLength == 0 ? .payloadEmpty : nil }

    static let payloadSize = Check(
        "payload-size", .payload, [.payloadTooLarge], .bodyLength,
        expects: "at most 4096 bytes, 5120 for VoIP and broadcasts, 2048 on the binary interface",
        cause: { request, evidence in
            let limit = evidence.isBinary ? GatewayNotification.largestPayload : request.payloadLimit
            let saving = PayloadSaving(request.body.bytes, of: request.bodyLength)
            return .device(.payloadTooLarge(size: request.bodyLength, limit: limit, saving))
        }
    ) { request, situation in
        if situation.isBinary {
            return request.bodyLength > GatewayNotification.largestPayload ? .payloadTooLarge : nil
        }
        // Most bodies are smaller than the smallest limit, which saves determining the limit of the push
        // type.
        guard request.bodyLength > PushType.smallestPayload else { return nil }
        return request.bodyLength > request.payloadLimit ? .payloadTooLarge : nil
    }

    /// The real service accepts such a body and shows nothing; only strict mode rejects it.
    static let payloadJSON = Check(
        "payload-json", .payload, [.badRequestPayload],
        expects: "JSON, nested at most 512 deep, where the server is strict",
        cause: { request, _ in
            do throws(JSONParser.Failure) {
                _ = try JSONParser.parse(
                    Array(request.body.bytes), repeatedNames: .lastWins, maximumDepth: RuleOptions.deepestJSON)
                return .unknown(.badRequestPayload)
            } catch { return .device(.payloadNotJSON(offset: error.offset, expected: error.expected)) }
        }
    ) { request, situation in
        guard situation.options.refusesInvalidJSON else { return nil }
        let isValid = JSONParser.isValid(request.body.bytes, maximumDepth: RuleOptions.deepestJSON)
        return isValid ? nil : .badRequestPayload
    }
}

extension RequestView {
    /// The maximum body size in bytes for the push type or the topic.
    ///
    /// Documented for broadcasts; inferred for channel management.
    public var payloadLimit: Int {
        service == .push
            ? PushType.payloadLimit(of: self[.apnsPushType], topic: self[.apnsTopic]) : PushType.largestPayload
    }
}

extension PushType {
    /// Returns the maximum body size in bytes for values of `apns-push-type` and `apns-topic`.
    ///
    /// Documented for "VoIP notifications"; that either the header or the topic identifies one is inferred.
    public static func payloadLimit(of pushType: ByteSpan?, topic: ByteSpan?) -> Int {
        let type = pushType.flatMap { PushType($0) } ?? .alert
        let topicType = topic.flatMap { Topic($0).suffixType } ?? .alert
        return max(type.row.payloadLimit, topicType.row.payloadLimit)
    }
}

extension Check {
    static let topicPresent = Check(
        "topic-present", .topic, [.missingTopic], .header(.apnsTopic), isStable: true,
        expects: "apns-topic, unless a certificate is for one topic",
        cause: { _, evidence in
            let certificate = evidence.certificate.flatMap { $0.standing == .verified ? $0 : nil }
            return .header(.topicMissing(certificate: certificate?.topics.sorted() ?? []))
        }
    ) { request, _ in request[.apnsTopic] == nil ? .missingTopic : nil }

    static let topicForm = Check(
        "topic-form", .topic, [.badTopic], .header(.apnsTopic), isStable: true,
        expects: "1 to 255 bytes without space or control character",
        cause: { request, evidence in
            let seen = request[.apnsTopic]?.text ?? ""
            return TopicFlaw(seen).map { .header(.topicForm($0, seen: seen)) } ?? .unknown(evidence.reason)
        }
    ) { request, _ in
        guard let value = request[.apnsTopic] else { return nil }
        return Topic(value).isWellFormed ? nil : .badTopic
    }

    /// Documented for topic-specific keys and for certificates; as the reason, TopicDisallowed was observed for
    /// certificates and is inferred for keys.
    ///
    /// Observed for a topic in angle brackets (node-apn/node-apn#479).
    ///
    /// Claimed by one client: such a key requires the claim sub, or else gets InvalidProviderToken.
    static let topicAllowed = Check(
        "topic-allowed", .topic, [.topicDisallowed, .invalidProviderToken], .header(.apnsTopic), isStable: true,
        expects: "a topic that the key or the certificate covers",
        cause: { request, evidence in evidence.topic(of: request) }
    ) { request, situation in
        if let certificate = situation.certificate, situation.options.authentication != .any,
            let topic = request[.apnsTopic]
        {
            // Inferred: the reason for a push type that needs a provider token.
            let types = [request[.apnsPushType].flatMap { PushType($0) }, Topic(topic).suffixType]
            let needsToken = types.contains { $0?.row.needsProviderToken == true }
            return certificate.topics.contains(topic.text) && !needsToken ? nil : .topicDisallowed
        }
        guard situation.options.authentication != .any, let value = request[.apnsTopic] else { return nil }
        guard !Topic(value).hasAngleBracket else { return .topicDisallowed }
        guard let credential = situation.credential, credential.key.topics != nil else { return nil }
        let bundleID = Topic(value).bundleID
        guard credential.key.covers(bundleID) else { return .topicDisallowed }
        guard situation.options.requiresSubject else { return nil }
        return credential.subject == bundleID.text ? nil : .invalidProviderToken
    }

    /// Observed: alert and background pushes to a .voip topic are rejected since 2019.
    ///
    /// Inferred: every other mismatch is rejected too.
    static let pushTypeForTopic = Check(
        "push-type-for-topic", .topic, [.invalidPushType], .header(.apnsPushType), isStable: true,
        expects: "the push type that the topic's suffix stands for",
        cause: { request, evidence in
            guard let type = request[.apnsPushType].flatMap({ PushType($0) }), let topic = request[.apnsTopic] else {
                return .unknown(evidence.reason)
            }
            let expected =
                TopicSpelling(topic.text, for: type).topic(for: type) ?? "<bundle identifier>\(type.row.topicSuffix)"
            return .header(.pushTypeForTopic(type, topic: topic.text, expected: expected))
        }
    ) { request, situation in
        guard let value = request[.apnsPushType], let type = PushType(value), let topic = request[.apnsTopic],
            !(situation.options.checksPushTypeInSandboxOnly && situation.environment == .production)
        else { return nil }
        let asksForSuffix = type.row.topicSuffix.utf8CodeUnitCount > 0
        return Topic(topic).suffixType == (asksForSuffix ? type : nil) ? nil : .invalidPushType
    }
}

extension Evidence {
    /// Why the credentials do not cover the topic.
    fileprivate func topic(of request: borrowing RequestView) -> Cause {
        let topic = request[.apnsTopic]?.text ?? ""
        if reason == .invalidProviderToken {
            let seen = token(of: request)?.claims["sub"]?.plainString
            return .token(.subject(seen: seen, expected: Topic.bundleID(of: topic)))
        }
        if let certificate = judgedCertificate {
            let types = [
                request[.apnsPushType].flatMap { PushType($0) }, request[.apnsTopic].flatMap { Topic($0).suffixType },
            ]
            if certificate.topics.contains(topic),
                let type = types.compactMap(\.self).first(where: \.row.needsProviderToken)
            {
                return .header(.typeNeedsToken(type))
            }
            return .header(.topicForCertificate(seen: topic, topics: certificate.topics.sorted()))
        }
        if let value = request[.apnsTopic], Topic(value).hasAngleBracket {
            let type = request[.apnsPushType].flatMap { PushType($0) }
            let likely = TopicSpelling(topic, for: type).topic(for: type ?? .alert)
            return .header(.topicInBrackets(seen: topic, likely: likely))
        }
        let key = key(of: request)
        return .header(.topicForKey(seen: topic, key: key?.keyID ?? "", topics: key?.topics?.sorted() ?? []))
    }
}

@testable import MockAPNsRules

extension ClientCertificate {
    /// A certificate for the topic of a good push, and its VoIP pushes and complications, in both environments.
    static func standing(
        _ standing: Standing = .verified, in environments: Set<Environment> = [.sandbox, .production]
    ) -> ClientCertificate {
        var certificate = ClientCertificate(subject: "UID=\(PushRequest.goodTopic)", issuer: "CN=authority")
        certificate.topics = Set(["", ".voip", ".complication"].map { PushRequest.goodTopic + $0 })
        certificate.environments = environments
        certificate.standing = standing
        return certificate
    }
}

extension CheckCase {
    /// The rows of the service's behavior with certificates; that of a single topic is on the wire.
    static let certificates: [CheckCase] =
        ClientCertificate.Standing.allCases.filter { ![.verified, .ignored].contains($0) }.map { standing in
            .certificate("\(standing)", .badCertificate, .standing(standing))
        } + [
            .certificate("verified", nil, .standing()),
            .certificate("for this environment only", nil, .standing(in: [.sandbox])),
            .certificate("for the other environment", .badCertificateEnvironment, .standing(in: [.production])),
            .certificate("ignored, with a token", nil, .standing(.ignored)),
            .certificate("ignored, without a token", .missingProviderToken, .standing(.ignored)) {
                $0.request.remove("authorization")
            }, .certificate("without a token", nil, .standing()) { $0.request.remove("authorization") },
            .certificate("with a token that is not looked at", nil, .standing()) {
                $0.token.verification = .badSignature
            }, .certificate("with what is no token", nil, .standing()) { $0.request.set("authorization", "Basic x") },
            .certificate("several topics, none sent", .missingTopic, .standing()) { $0.request.remove("apns-topic") },
            .certificate("topic of its VoIP pushes", nil, .standing()) { $0.request.setType(.voip) },
            .certificate("topic that is not listed", .topicDisallowed, .standing()) {
                $0.request.set("apns-topic", "com.example.other")
            }, .certificate("push type location", .topicDisallowed, .standing()) { $0.request.setType(.location) },
            .certificate("expired, nothing verified", nil, .standing(.expired)) { $0.options.authentication = .any },
            .certificate("expired, refused by an answer", .badCertificate, .standing(.expired)) {
                $0.options.badCertificate = .answer
            },
        ]
        + PushType.allCases.flatMap { type in
            let listed = "\(PushRequest.goodTopic)\(type.row.topicSuffix)"
            let expected: Reason? = type.row.needsProviderToken ? .topicDisallowed : nil
            return [
                certificate("push type \(type), its topic listed", expected, .standing()) {
                    $0.certificate?.topics.insert(listed)
                    $0.request.setType(type)
                },
                certificate("no push type, topic for \(type) listed", expected, .standing()) {
                    $0.certificate?.topics.insert(listed)
                    $0.request.setType(type)
                    $0.request.remove("apns-push-type")
                },
            ]
        }

    private static func certificate(
        _ name: String, _ expected: Reason?, _ certificate: ClientCertificate,
        _ change: @escaping @Sendable (inout Scenario) -> Void = { _ in }
    ) -> Self {
        Self("certificate: \(name)", expected) {
            $0.certificate = certificate
            change(&$0)
        }
    }
}

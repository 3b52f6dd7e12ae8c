internal import MockAPNsFormats
internal import MockAPNsRules

extension Schema {
    /// A device token in a response.
    package static let token = Schema.text("^([0-9a-f]{2}){1,100}$")
    /// A device token in a request.
    package static let tokenGiven = Schema.text("^([0-9a-fA-F]{2}){1,100}$").example(
        .string(String(repeating: "ab", count: 32)))
    package static let pushID = Schema.text("^psh_[0-9A-HJKMNP-TV-Z]{16}$").example("psh_0000010000000001")
    package static let deviceID = Schema.text("^dev_[0-9a-f]{16}$").example("dev_0000000000000000")
    /// The ID of a channel in a response.
    package static let channelID = Schema.text("^[A-Za-z0-9+/]{22}==$").example("ASNFZ4mrze/+3LqYdlQyEA==")
    package static let activityID = Schema.text("^act_[1-9][0-9]{0,9}$").example("act_1")
    /// The version of a device's system.
    package static let os = Schema.text("^[0-9]{2}([.][0-9])?$").example("17.4")
    package static let faultID = Schema.text("^flt_[1-9][0-9]{0,9}$").example("flt_1")
    /// The identifier of a key or a team.
    package static let keyID = Schema.text("^[0-9A-Z]{10}$").example("ABC123DEFG")
    /// The name of a namespace: up to 64 characters, not all of them dots.
    package static let namespaceName = Schema.text("^[.]{0,63}[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$").example("t-42")
    package static let topic = Schema.text(atLeast: 1).example("com.example.app")
    /// A topic in a path.
    package static let topicPart = Schema.text("^[A-Za-z0-9._-]{1,255}$").example("com.example.app")
    /// A JSON Schema; which keywords are checked says the documentation.
    package static let jsonSchema = Schema.either(.dictionary(of: .anything), .boolean)
    package static let appSchemaName = Schema.text("^(payload|(content-state|attributes):[A-Za-z0-9._]{1,128})$")
        .example("payload")
    package static let languageTag = Schema.text("^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8}){0,3}$").example("en")
    package static let utcOffset = Schema.text("^(Z|[+ -][0-9]{2}:[0-9]{2})$").example("+02:00")
    package static let environment = Schema.words(Environment.allCases.map(\.rawValue))
    package static let interface = Schema.words(ProviderInterface.allCases.map(\.rawValue))
    package static let service = Schema.words(Service.allCases.map(\.rawValue))
    /// Sandbox, production or both.
    package static let environments = Schema.words(Environment.allCases.map(\.rawValue) + ["both"])
    package static let reason = Schema.words(Reason.allCases.map(\.name))
    package static let certificateStanding = Schema.words(ClientCertificate.Standing.allCases.map(\.rawValue))
    package static let tokenVerification = Schema.words(TokenVerification.allCases.map(\.rawValue))
    package static let duration = Schema.text("^-?[0-9]{1,12}(ms|s|m|h|d)$").example("5s")
    /// How long a request may wait.
    package static let wait = Schema.text("^([0-9]{1,4}ms|[0-9]s|[1-5][0-9]s|60s|1m|0m)$").example("5s")
}

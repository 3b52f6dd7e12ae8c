extension Lint {
    /// The properties of this lint.
    ///
    /// The switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        case .pushTypeMissing: .pushTypeMissing
        case .pushTypeTopicSuffix: .pushTypeTopicSuffix
        case .priority10Background: .priority10Background
        case .expirationMilliseconds: .expirationMilliseconds
        case .expirationInPast: .expirationInPast
        case .collapseIDLong: .collapseIDLong
        case .apnsIDNotUUID: .apnsIDNotUUID
        case .tokenUppercaseOrSpaces: .tokenUppercaseOrSpaces
        case .issuedAtNotANumber: .issuedAtNotANumber
        case .tokenNearExpiry: .tokenNearExpiry
        case .nonUTF8: .nonUTF8
        case .payloadNotJSON: .payloadNotJSON
        case .payloadNearLimit: .payloadNearLimit
        case .apsMissing: .apsMissing
        case .apsUnknownKey: .apsUnknownKey
        case .customKeyInsideAPS: .customKeyInsideAPS
        case .backgroundWithAlert: .backgroundWithAlert
        case .backgroundWithoutContentAvailable: .backgroundWithoutContentAvailable
        case .alertWithoutText: .alertWithoutText
        case .contentAvailableInAlert: .contentAvailableInAlert
        case .mutableContentWithoutAlert: .mutableContentWithoutAlert
        case .badgeNotInteger: .badgeNotInteger
        case .soundShape: .soundShape
        case .interruptionLevelUnknown: .interruptionLevelUnknown
        case .relevanceScoreRange: .relevanceScoreRange
        case .locArgsNotArray: .locArgsNotArray
        case .liveActivityShape: .liveActivityShape
        case .apnsIDReused: .apnsIDReused
        case .samePushTwice: .samePushTwice
        case .pushToDeadToken: .pushToDeadToken
        case .retryTooFastAfter429: .retryTooFastAfter429
        case .retryTooFastAfter503: .retryTooFastAfter503
        case .tokenRefreshedTooOften: .tokenRefreshedTooOften
        case .connectionPerPush: .connectionPerPush
        case .manyConnections: .manyConnections
        }
    }
}

/// The sources of the rows, and whether they are documented.
enum LintSource {
    static let headers = "documented: Apple, Sending notification requests to APNs"
    static let payload = "documented: Apple, Generating a remote notification"
    static let background = "documented: Apple, Pushing background updates to your App"
    static let activity =
        "documented: Apple, Starting and updating Live Activities with ActivityKit push notifications"
    static let tokens = "documented: Apple, Establishing a token-based connection to APNs"
    static let connection = "documented: Apple, Establishing a connection to APNs"
    static let answers = "documented: Apple, Handling notification responses from APNs"
}

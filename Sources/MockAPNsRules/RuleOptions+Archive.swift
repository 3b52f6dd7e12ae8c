package import MockAPNsFormats

extension RuleOptions.Authentication: Archived {}
extension RuleOptions.UnknownTokens: Archived {}
extension RuleOptions.TokenUpdateScope: Archived {}

extension RuleOptions.BadCertificate: MemberwiseArchived {
    package static let format = ArchiveFormat<Self>(
        cases: ArchiveCase(.goAway), ArchiveCase(.answer), ArchiveCase(.alert))
}

extension RuleOptions.Rate: MemberwiseArchived {
    package static let format = ArchiveFormat(RuleOptions.Rate.init(count:interval:), \.count, \.interval)
}

extension Reason: MemberwiseArchived {
    package static let format = ArchiveFormat<Reason>(checking: Reason.init(name:), \.name)
}

extension RuleOptions: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: RuleOptions(), \.authentication, \.unknownTokens, \.deviceRate, \.errorLimit, \.tokenUpdateInterval,
        \.tokenLifetime, \.refusesInvalidJSON, \.requiresLowerCaseID, \.refusesTextIssuedAt, \.acceptsES512,
        \.requiresSubject, \.allowsImmediateBackground, \.checksPushTypeInSandboxOnly,
        \.usesDocumentedEnvironmentReason, \.sendsErrorContentType, \.gatewayReportsUnregistered, \.answersOnDemand,
        \.countsInvalidTokens, \.blocksAfterTokenUpdate, \.requiresBase64URL, \.futureTokenReason, \.otherTeamReason,
        \.badCertificate, \.tokenUpdateScope, \.channelRate)
}

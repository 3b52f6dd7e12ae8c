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

extension RuleOptions: Archived {
    /// The options that are on or off, in the order of a version of the format.
    private static func switches(in version: UInt8) -> [WritableKeyPath<RuleOptions, Bool>] {
        let scope: [WritableKeyPath<RuleOptions, Bool>] = version < 3 ? [\.countsUpdatesPerKey] : []
        let new: [WritableKeyPath<RuleOptions, Bool>] =
            version < 3 ? [] : [\.countsInvalidTokens, \.blocksAfterTokenUpdate, \.requiresBase64URL]
        return [
            \.refusesInvalidJSON, \.requiresLowerCaseID, \.refusesTextIssuedAt, \.acceptsES512, \.requiresSubject,
            \.allowsImmediateBackground, \.checksPushTypeInSandboxOnly, \.usesDocumentedEnvironmentReason,
        ] + scope + [\.sendsErrorContentType, \.gatewayReportsUnregistered, \.answersOnDemand] + new
    }

    /// The scope of token updates in formats before version 3.
    private var countsUpdatesPerKey: Bool {
        get { tokenUpdateScope == .key }
        set { tokenUpdateScope = newValue ? .key : .connection }
    }

    package func write(to archive: inout ArchiveWriter) {
        archive.write(authentication)
        archive.write(unknownTokens)
        archive.write(deviceRate)
        archive.write(errorLimit)
        archive.write(tokenUpdateInterval)
        archive.write(tokenLifetime)
        for option in Self.switches(in: ArchiveWriter.version) { archive.write(self[keyPath: option]) }
        archive.write(futureTokenReason)
        archive.write(otherTeamReason)
        archive.write(badCertificate)
        archive.write(tokenUpdateScope)
        archive.write(channelRate)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        authentication = try archive.read()
        unknownTokens = try archive.read()
        deviceRate = try archive.read()
        errorLimit = try archive.read()
        tokenUpdateInterval = try archive.read()
        tokenLifetime = try archive.read()
        for option in Self.switches(in: archive.version) { self[keyPath: option] = try archive.read() }
        futureTokenReason = try archive.read()
        otherTeamReason = try archive.read()
        badCertificate = try archive.read()
        guard archive.version >= 3 else { return }
        tokenUpdateScope = try archive.read()
        channelRate = try archive.read()
    }
}

package import MockAPNsFormats

extension RuleOptions.Authentication: Archived {}
extension RuleOptions.UnknownTokens: Archived {}

extension RuleOptions.BadCertificate: Archived {
    package func write(to archive: inout ArchiveWriter) {
        switch self {
        case .goAway: archive.write(byte: 0)
        case .answer: archive.write(byte: 1)
        case .alert: archive.write(byte: 2)
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.byte() {
        case 0: self = .goAway
        case 1: self = .answer
        case 2: self = .alert
        default: throw .badValue
        }
    }
}

extension RuleOptions.DeviceRate: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(count)
        archive.write(interval)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(count: try archive.read(), interval: try archive.read())
    }
}

extension Reason: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(name) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let reason = Reason(name: try archive.read()) else { throw .badValue }
        self = reason
    }
}

extension RuleOptions: Archived {
    /// The options that are on or off, in the order of the format.
    private static var switches: [WritableKeyPath<RuleOptions, Bool>] {
        [
            \.refusesInvalidJSON, \.requiresLowerCaseID, \.refusesTextIssuedAt, \.acceptsES512,
            \.requiresSubject,
            \.allowsImmediateBackground, \.checksPushTypeInSandboxOnly, \.usesDocumentedEnvironmentReason,
            \.limitsTokenUpdatesPerKey, \.sendsErrorContentType, \.gatewayReportsUnregistered,
            \.answersOnDemand,
        ]
    }

    package func write(to archive: inout ArchiveWriter) {
        archive.write(authentication)
        archive.write(unknownTokens)
        archive.write(deviceRate)
        archive.write(errorLimit)
        archive.write(tokenUpdateInterval)
        archive.write(tokenLifetime)
        for option in Self.switches { archive.write(self[keyPath: option]) }
        archive.write(futureTokenReason)
        archive.write(otherTeamReason)
        archive.write(badCertificate)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        authentication = try archive.read()
        unknownTokens = try archive.read()
        deviceRate = try archive.read()
        errorLimit = try archive.read()
        tokenUpdateInterval = try archive.read()
        tokenLifetime = try archive.read()
        for option in Self.switches { self[keyPath: option] = try archive.read() }
        futureTokenReason = try archive.read()
        otherTeamReason = try archive.read()
        badCertificate = try archive.read()
    }
}

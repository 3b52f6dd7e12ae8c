package import MockAPNsFormats
package import MockAPNsRules

// Values with names are written by their names, so that a new one may stand anywhere in its list.

extension ChannelStorage: Archived {}
extension Environment: Archived {}
extension GatewayStatus: Archived {}
extension Priority: Archived {}
extension Service: Archived {}
extension TokenVerification: Archived {}

/// By hand, because every kept push has several.
extension Timestamp: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(microseconds) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(microseconds: try archive.read()) }
}

extension UniqueID: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(word: high)
        archive.write(word: low)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(high: try archive.word(), low: try archive.word())
    }
}

extension ChannelID: MemberwiseArchived { package static let format = ArchiveFormat(ChannelID.init(_:), \.bits) }

extension ChannelApp: MemberwiseArchived {
    package static let format = ArchiveFormat(ChannelApp.init(bundleID:environment:), \.bundleID, \.environment)
}

extension ProviderKey: MemberwiseArchived {
    package static let format = ArchiveFormat(
        ProviderKey.init(keyID:teamID:topics:environment:), \.keyID, \.teamID, \.topics, \.environment)
}

extension TokenUse: MemberwiseArchived {
    package static let format = ArchiveFormat(TokenUse.init(owner:keyID:issuedAt:), \.owner, \.keyID, \.issuedAt)
}

extension TokenUpdateWindows.Window: MemberwiseArchived {
    package static let format = ArchiveFormat(
        TokenUpdateWindows.Window.init(current:since:previous:), \.current, \.since, \.previous)
}

extension TokenUpdateWindows: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(windows) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        for window in try archive.read([Window].self) { restore(window) }
        guard windows.count <= Self.capacity else { throw .badValue }
    }
}

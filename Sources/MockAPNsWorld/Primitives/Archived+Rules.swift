package import MockAPNsFormats
package import MockAPNsRules

// Values with names are written by their names, so that a new one may stand anywhere in its list.

extension ChannelStorage: Archived {}
extension Environment: Archived {}
extension GatewayStatus: Archived {}
extension Priority: Archived {}
extension Service: Archived {}
extension TokenVerification: Archived {}

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

extension ChannelID: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(bits) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(try archive.read(UniqueID.self)) }
}

extension ChannelApp: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(bundleID)
        archive.write(environment)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(bundleID: try archive.read(), environment: try archive.read())
    }
}

extension ProviderKey: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(keyID)
        archive.write(teamID)
        archive.write(topics)
        archive.write(environment)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            keyID: try archive.read(), teamID: try archive.read(), topics: try archive.read(),
            environment: try archive.read())
    }
}

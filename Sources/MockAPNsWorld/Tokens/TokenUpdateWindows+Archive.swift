package import MockAPNsFormats
package import MockAPNsRules

extension TokenUse: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(owner)
        archive.write(keyID)
        archive.write(issuedAt)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(owner: try archive.read(), keyID: try archive.read(), issuedAt: try archive.read())
    }
}

extension TokenUpdateWindows.Window: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(current)
        archive.write(since)
        archive.write(previous)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(current: try archive.read(), since: try archive.read(), previous: try archive.read())
    }
}

extension TokenUpdateWindows: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(windows) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        for window in try archive.read([Window].self) { restore(window) }
        guard windows.count <= Self.capacity else { throw .badValue }
    }
}

package import MockAPNsFormats
package import MockAPNsRules

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

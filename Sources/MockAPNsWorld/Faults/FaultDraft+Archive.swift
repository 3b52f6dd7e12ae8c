package import MockAPNsFormats
internal import MockAPNsRules

extension FaultID: MemberwiseArchived { package static let format = ArchiveFormat(FaultID.init(number:), \.number) }

extension FaultDraft.Connections: MemberwiseArchived {
    package static let format = ArchiveFormat(changing: FaultDraft.Connections(), \.ids, \.remotes, \.environment)
}

extension FaultTrigger: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: FaultTrigger(), \.skip, \.times, \.every, \.probability, \.from, \.until, \.afterIdle, \.afterRequests
    )
}

/// A condition is written as its text alone.
extension FaultDraft.Match: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(text) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        guard let match = try archive.replay.match(try archive.read()) else { throw .badValue }
        self = match
    }
}

extension FaultDraft: MemberwiseArchived {
    package static let format = ArchiveFormat<FaultDraft>(
        checking: { name, isEnabled, match, connections, when, action, preset in
            var draft = try? FaultDraft(
                name: name, isEnabled: isEnabled, match: match, connections: connections, when: when, action: action)
            draft?.preset = preset
            return draft
        }, \.name, \.isEnabled, \.match, \.connections, \.when, \.action, \.preset)
}

extension FaultDraw.Use: Archived {}

extension FaultDraw: MemberwiseArchived {
    package static let format = ArchiveFormat(
        FaultDraw.init(number:use:value:fired:), \.number, \.use, \.value, \.fired)
}

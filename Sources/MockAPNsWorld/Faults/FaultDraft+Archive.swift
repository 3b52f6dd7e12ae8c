package import MockAPNsFormats
internal import MockAPNsRules

extension FaultID: Archived {
    package func write(to archive: inout ArchiveWriter) { archive.write(number) }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(number: try archive.read()) }
}

extension FaultDraft.Connections: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(ids)
        archive.write(remotes)
        archive.write(environment)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        ids = try archive.read()
        remotes = try archive.read()
        environment = try archive.read()
    }
}

extension FaultTrigger: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(skip)
        archive.write(times)
        archive.write(every)
        archive.write(probability)
        archive.write(from)
        archive.write(until)
        archive.write(afterIdle)
        archive.write(afterRequests)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        skip = try archive.read()
        times = try archive.read()
        every = try archive.read()
        probability = try archive.read()
        from = try archive.read()
        until = try archive.read()
        afterIdle = try archive.read()
        afterRequests = try archive.read()
    }
}

/// A condition is written as its text alone.
extension FaultDraft.Match {
    static func write(_ match: FaultDraft.Match?, to archive: inout ArchiveWriter) { archive.write(match?.text) }

    static func read(
        from archive: inout ArchiveReader, _ material: ReplayMaterial
    ) throws(ArchiveError) -> FaultDraft.Match? {
        guard let text = try archive.read(String?.self) else { return nil }
        guard let match = material.match(text) else { throw .badValue }
        return match
    }
}

extension FaultDraft {
    func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        archive.write(isEnabled)
        Match.write(match, to: &archive)
        archive.write(connections)
        archive.write(when)
        archive.write(action)
        archive.write(preset)
    }

    init(from archive: inout ArchiveReader, _ material: ReplayMaterial) throws(ArchiveError) {
        let (name, isEnabled) = (try archive.read(String?.self), try archive.read(Bool.self))
        let match = try Match.read(from: &archive, material)
        let connections = try archive.read(Connections.self)
        let (when, action) = (try archive.read(FaultTrigger.self), try archive.read(FaultAction.self))
        do throws(FaultError) {
            try self.init(
                name: name, isEnabled: isEnabled, match: match, connections: connections, when: when, action: action)
        } catch { throw .badValue }
        preset = try archive.read()
    }
}

extension FaultDraw.Use: Archived {}

extension FaultDraw: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(number)
        archive.write(use)
        archive.write(value)
        archive.write(fired)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            number: try archive.read(), use: try archive.read(), value: try archive.read(), fired: try archive.read())
    }
}

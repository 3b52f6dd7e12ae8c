internal import MockAPNsFormats

// Encodes the changes of devices and channels: their members, in order.

extension PutDevices: Archived {
    static var kind: WorldChangeKind { .putDevices }

    func write(to archive: inout ArchiveWriter) {
        archive.write(drafts)
        archive.write(isUpdating)
        archive.write(isList)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(drafts: try archive.read(), isUpdating: try archive.read(), isList: try archive.read())
    }
}

extension ChangeDevice: Archived {
    static var kind: WorldChangeKind { .changeDevice }

    func write(to archive: inout ArchiveWriter) {
        archive.write(reference)
        archive.write(change)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(reference: try archive.read(), change: try archive.read())
    }
}

extension ForgetDevice: Archived {
    static var kind: WorldChangeKind { .forgetDevice }

    func write(to archive: inout ArchiveWriter) { archive.write(reference) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(reference: try archive.read()) }
}

extension AddRegistration: Archived {
    static var kind: WorldChangeKind { .addRegistration }

    func write(to archive: inout ArchiveWriter) {
        archive.write(reference)
        archive.write(draft)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(reference: try archive.read(), draft: try archive.read())
    }
}

extension ChangeRegistration: Archived {
    static var kind: WorldChangeKind { .changeRegistration }

    func write(to archive: inout ArchiveWriter) {
        archive.write(token)
        archive.write(change)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(token: try archive.read(), change: try archive.read())
    }
}

extension RotateToken: Archived {
    static var kind: WorldChangeKind { .rotateToken }

    func write(to archive: inout ArchiveWriter) {
        archive.write(token)
        archive.write(replacement)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(token: try archive.read(), replacement: try archive.read())
    }
}

extension SetOnline: Archived {
    static var kind: WorldChangeKind { .setOnline }

    func write(to archive: inout ArchiveWriter) {
        archive.write(device)
        archive.write(isOnline)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(device: try archive.read(), isOnline: try archive.read())
    }
}

extension ReadFeedback: Archived {
    static var kind: WorldChangeKind { .readFeedback }

    func write(to archive: inout ArchiveWriter) {
        archive.write(places)
        archive.write(tokens)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(places: try archive.read(), tokens: try archive.read())
    }
}

extension ClearFeedback: Archived {
    static var kind: WorldChangeKind { .clearFeedback }

    func write(to archive: inout ArchiveWriter) {}

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init() }
}

extension AddChannel: Archived {
    static var kind: WorldChangeKind { .addChannel }

    func write(to archive: inout ArchiveWriter) {
        archive.write(app)
        archive.write(storage)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(app: try archive.read(), storage: try archive.read())
    }
}

extension RemoveChannel: Archived {
    static var kind: WorldChangeKind { .removeChannel }

    func write(to archive: inout ArchiveWriter) { archive.write(id) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(id: try archive.read()) }
}

extension Subscribe: Archived {
    static var kind: WorldChangeKind { .subscribe }

    func write(to archive: inout ArchiveWriter) {
        archive.write(reference)
        archive.write(topic)
        archive.write(channel)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(reference: try archive.read(), topic: try archive.read(), channel: try archive.read())
    }
}

extension Unsubscribe: Archived {
    static var kind: WorldChangeKind { .unsubscribe }

    func write(to archive: inout ArchiveWriter) {
        archive.write(reference)
        archive.write(topic)
        archive.write(channel)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(reference: try archive.read(), topic: try archive.read(), channel: try archive.read())
    }
}

extension ContinuePending: Archived {
    static var kind: WorldChangeKind { .continuePending }

    func write(to archive: inout ArchiveWriter) { archive.write(limit) }

    init(from archive: inout ArchiveReader) throws(ArchiveError) { self.init(limit: try archive.read()) }
}

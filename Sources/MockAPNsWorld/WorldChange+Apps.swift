internal import MockAPNsFormats

/// Sets or removes a strings table.
struct SetStrings: WorldChange {
    let name: StringsTables.Name
    let texts: [String: String]?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.strings[name] = texts }
}

/// Sets or removes the actions of a notification category.
struct SetCategory: WorldChange {
    let name: NotificationCategories.Name
    let actions: [NotificationAction]?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) { state.categories[name] = actions }
}

/// Sets or removes the description of an app.
struct SetApp: WorldChange {
    let app: String
    let description: AppDescription?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.apps[app] = description
        state.happened(.appChanged(app))
    }
}

extension SetApp: Archived {
    static var kind: WorldChangeKind { .setApp }

    func write(to archive: inout ArchiveWriter) {
        archive.write(app)
        archive.write(description)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(app: try archive.read(), description: try archive.read())
    }
}

extension SetStrings: Archived {
    static var kind: WorldChangeKind { .setStrings }

    func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        archive.write(texts)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(name: try archive.read(), texts: try archive.read())
    }
}

extension SetCategory: Archived {
    static var kind: WorldChangeKind { .setCategory }

    func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        archive.write(actions)
    }

    init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(name: try archive.read(), actions: try archive.read())
    }
}

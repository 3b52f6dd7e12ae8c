internal import MockAPNsFormats

/// Sets or removes a value of a table.
struct SetNamed<Kind: TableKind>: WorldChange, MemberwiseArchived {
    static var kind: String { Kind.change }
    static var format: ArchiveFormat<SetNamed> { ArchiveFormat(SetNamed.init, \.name, \.value) }

    let name: Kind.Name
    let value: Kind.Value?

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.tables[keyPath: Kind.values][name] = value
        if let event = Kind.event(of: name) { state.happened(event) }
    }
}

/// Replaces all saved pushes.
struct SetSavedPushes: WorldChange, MemberwiseArchived {
    static let kind = "set-saved-pushes"
    static let format = ArchiveFormat(SetSavedPushes.init, \.pushes)

    let pushes: [String: String]

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        state.tables.savedPushes = pushes
        state.happened(.savedPushesChanged)
    }
}

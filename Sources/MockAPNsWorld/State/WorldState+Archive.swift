package import MockAPNsFormats
internal import MockAPNsRules

extension WorldState {
    /// Writes everything that changes have made of the world, but not the records of the journal.
    func write(to archive: inout ArchiveWriter) {
        archive.write(word: seed)
        archive.write(start)
        archive.write(channels.options)
        archive.write(process.clock.mode)
        archive.write(ruleset.options)
        archive.write(Ruleset.RegisteredKey.ordered(ruleset.keys))
        archive.write(Ruleset.RegisteredKey.shared(by: ruleset.keys, and: start.ruleset.keys))
        log.writeNumbers(to: &archive)
        archive.write(devices.options)
        archive.write(devices.epoch)
        devices.write(to: &archive)
        channels.write(to: &archive, devices)
        faults.write(to: &archive)
        marks.write(to: &archive)
        archive.write(notes)
        archive.write(tables)
        archive.write(log.pins)
        archive.write(ruleset.tokenUpdates)
    }

    /// Reads a state; sets the clock, which is the world's.
    static func read(
        from archive: inout ArchiveReader, _ pipeline: Pipeline, _ capacity: JournalCapacity, _ clock: WorldClock
    ) throws(ArchiveError) -> WorldState {
        let seed = try archive.word()
        let start = try archive.read(Start.self).with(pipeline)
        let options = try archive.read(ChannelOptions.self)
        var state = WorldState(journal: capacity, channels: options, start: start, clock: clock, seed: seed)
        clock.set(try archive.read())
        let rules = try archive.read(RuleOptions.self)
        var keys = Ruleset.RegisteredKey.byID(try archive.read())
        for id in try archive.read([String].self) { keys[id] = start.ruleset.keys[id] }
        state.ruleset = start.ruleset.with(options: rules).with(keys: keys)
        try state.log.readNumbers(from: &archive)
        state.devices = DeviceStore(options: try archive.read(), epoch: try archive.read(), seed: seed)
        try state.devices.read(from: &archive)
        try state.channels.read(from: &archive, &state.devices)
        try state.faults.read(from: &archive)
        try state.marks.read(from: &archive)
        state.notes = try archive.read()
        state.tables = try archive.read()
        state.log.pins = try archive.read()
        state.ruleset = state.ruleset.with(tokenUpdates: try archive.read())
        try state.log.readLosses(from: &archive)
        try archive.finish()
        return state
    }
}

extension WorldState.Start: MemberwiseArchived {
    static let format = ArchiveFormat(
        { devices, clock, faults, schemas, options, keys, deviceOptions in
            var world = WorldStartUp()
            (world.devices, world.clock, world.faults, world.schemas) = (devices, clock, faults, schemas)
            let keys = Ruleset.RegisteredKey.byID(keys)
            return WorldState.Start(
                world: world, ruleset: Ruleset(options: options, keys: keys), devices: deviceOptions)
        }, \.world.devices, \.world.clock, \.world.faults, \.world.schemas, \.ruleset.options, \.orderedKeys, \.devices)

    private var orderedKeys: [Ruleset.RegisteredKey] { Ruleset.RegisteredKey.ordered(ruleset.keys) }

    /// The same with the checks of the process.
    func with(_ pipeline: Pipeline) -> WorldState.Start {
        let ruleset = Ruleset(options: ruleset.options, pipeline: pipeline, keys: ruleset.keys)
        return WorldState.Start(world: world, ruleset: ruleset, devices: devices)
    }
}

extension WorldClock.Mode: MemberwiseArchived {
    package static let format = ArchiveFormat<Self>(
        cases: ArchiveCase(Self.running) { if case .running(let offset) = $0 { offset } else { nil } },
        ArchiveCase(Self.stopped) { if case .stopped(let moment) = $0 { moment } else { nil } })
}

extension WorldClock.Reading {
    /// A time at which nothing is due.
    static let earliest = WorldClock.Reading(
        system: Timestamp(microseconds: .min), world: Timestamp(microseconds: .min))
}

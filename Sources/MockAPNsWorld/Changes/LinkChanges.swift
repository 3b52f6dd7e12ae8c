internal import MockAPNsFormats
internal import MockAPNsRules

/// Sets a device online when a client attaches as it, or offline when its last client disconnects.
struct SetOnline: WorldChange, MemberwiseArchived {
    static let kind = "set-online"
    static let format = ArchiveFormat(SetOnline.init, \.device, \.isOnline)

    let device: DeviceID
    let isOnline: Bool

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        guard let place = state.devices.find(.id(device)) else { return }
        state.setOnline(isOnline, of: place, at: time.world)
        state.deviceChanged(place)
    }
}

/// Sets devices online when a client attaches as all of them, or offline when their last client disconnects.
struct SetManyOnline: WorldChange, MemberwiseArchived {
    static let kind = "set-many-online"
    static let format = ArchiveFormat(SetManyOnline.init, \.devices, \.isOnline)

    let devices: [DeviceID]
    let isOnline: Bool

    func apply(to state: inout WorldState, at time: WorldClock.Reading) {
        for device in devices { SetOnline(device: device, isOnline: isOnline).apply(to: &state, at: time) }
    }
}

extension WorldState {
    /// Connects a client as some of its devices, which go online; devices that were deleted in the meantime are left out.
    mutating func connect(_ link: LinkState, as ids: ArraySlice<DeviceID>, at time: WorldClock.Reading) {
        var present: [DeviceID] = []
        var isOver = false
        for id in ids {
            guard let device = devices.find(.id(id)) else {
                isOver = link.lostDevice()
                continue
            }
            link.connected(device)
            devices.links[device, default: []].append(link)
            setWatched(true, device: device)
            present.append(id)
        }
        if isOver { process.endedLinks.append(link) }
        setOnline(true, present, at: time)
    }

    /// Disconnects a client from some of its devices, of which those without another client go offline.
    ///
    /// Returns `false` when none are left.
    mutating func disconnect(_ link: LinkState, atMost limit: Int, at time: WorldClock.Reading) -> Bool {
        let places = link.takePlaces(limit)
        var offline: [DeviceID] = []
        for device in places {
            // It may have been deleted, and another device may have its slot.
            guard let links = devices.links[device], links.contains(where: { $0 === link }) else { continue }
            let rest = links.filter { $0 !== link }
            devices.links[device] = rest.isEmpty ? nil : rest
            guard rest.isEmpty else { continue }
            setWatched(false, device: device)
            offline.append(devices.id(of: device))
        }
        setOnline(false, offline, at: time)
        if places.count == limit { return true }
        process.endedLinks.append(link)
        return false
    }

    private mutating func setOnline(_ isOnline: Bool, _ ids: [DeviceID], at time: WorldClock.Reading) {
        if ids.count == 1 {
            perform(SetOnline(device: ids[0], isOnline: isOnline), at: time)
        } else if !ids.isEmpty {
            perform(SetManyOnline(devices: ids, isOnline: isOnline), at: time)
        }
    }
}

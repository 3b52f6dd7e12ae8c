internal import MockAPNsFormats
internal import MockAPNsRules

/// Starts a Live Activity as the app does it itself.
struct StartActivity: WorldChange, MemberwiseArchived {
    static let kind = "start-activity"
    static let format = ArchiveFormat(StartActivity.init, \.reference, \.draft)

    let reference: DeviceReference
    let draft: ActivityDraft

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) -> Activity {
        let device = try state.devices.place(of: reference)
        let place = try state.startActivity(draft, on: device, at: time.world)
        state.devices.trimActivities()
        return state.activity(at: place)
    }
}

/// Dismisses a Live Activity as the user does it.
struct DismissActivity: WorldChange, MemberwiseArchived {
    static let kind = "dismiss-activity"
    static let format = ArchiveFormat(DismissActivity.init, \.activity)

    let activity: ActivityID

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) -> Activity {
        let place = try state.devices.place(of: activity)
        state.dismissActivity(place, ActivityCause(.user), at: time.world)
        return state.activity(at: place)
    }
}

/// Replaces the update token of a Live Activity.
struct RotateActivityToken: WorldChange, MemberwiseArchived {
    static let kind = "rotate-activity-token"
    static let format = ArchiveFormat(RotateActivityToken.init, \.activity)

    let activity: ActivityID

    func apply(to state: inout WorldState, at time: WorldClock.Reading) throws(DeviceError) -> Activity {
        let place = try state.devices.place(of: activity)
        let record = state.devices.activities.records[place]
        guard record.state.isRunning else {
            throw DeviceError(.badValue, "activity \(activity) is \(record.state.rawValue); expected one that runs")
        }
        guard record.place != SlotPlace.none else {
            throw DeviceError(.badValue, "activity \(activity) has no update token")
        }
        guard state.rotateToken(of: place, ActivityCause(.rotation), at: time.world) else {
            throw DeviceError(.tooMany, "the world holds \(state.devices.options.registrationLimit) registrations")
        }
        state.devices.trimActivities()
        return state.activity(at: place)
    }
}

extension DeviceStore {
    func place(of activity: ActivityID) throws(DeviceError) -> UInt32 {
        guard let place = activities.find(activity.number) else {
            throw DeviceError(.unknownActivity, "there is no Live Activity \(activity), or it is no longer kept")
        }
        return place
    }
}

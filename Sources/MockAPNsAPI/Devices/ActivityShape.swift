package import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// A Live Activity on a device.
package final class ActivityShape: Shape {
    package typealias Source = (activity: Activity, subject: ShownNamespace)
    package static let definition = Definition(ActivityShape(), "Activity")
    package let attributes = Member<JSONValue>(.dictionary(of: .anything)) { .written($0.activity.attributes) }
    package let attributesType = Member<String>("The name of its ActivityAttributes structure.") {
        $0.activity.attributesType
    }
    package let channel = Member<String?>(.channelID, "The channel that it follows.") { $0.activity.channel?.text }
    package let contentState = Member<JSONValue>(.dictionary(of: .anything), "The newest state.") {
        .written($0.activity.contentState)
    }
    package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.activity.device) }
    package let dismissAt = Member<String?>(.time, "When it leaves the lock screen; null while it runs.") {
        $0.activity.dismissAt?.rfc3339
    }
    package let endedAt = Member<String?>(.time) { $0.activity.endedAt?.rfc3339 }
    package let environment = Member<String>(.environment) { $0.activity.environment.rawValue }
    package let id = Member<String>(.activityID) { ActivityIDText.text($0.activity.id) }
    package let ignored = Member<[APIObject<Ignored>]>("The latest 5 pushes that it ignored, oldest first.") { shown in
        shown.activity.ignored.map { APIObject(($0, shown.subject)) }
    }
    package let lastPush = Member<String?>(.pushID, "The last push that started or changed it.") { shown in
        shown.activity.lastPush.map(shown.subject.pushID)
    }
    package let lastTimestamp = Member<Double?>("The timestamp of that push; an update needs a later one.") {
        $0.activity.lastTimestamp
    }
    package let staleAt = Member<String?>(.time, "When its content becomes stale, or became so.") {
        $0.activity.staleAt?.rfc3339
    }
    package let startedAt = Member<String>(.time) { $0.activity.startedAt.rfc3339 }
    package let startedBy = Member<String>(.words(["app", "push"])) { $0.activity.isStartedByApp ? "app" : "push" }
    package let state = Member<String>(.word(.activityState)) { $0.activity.state.rawValue }
    package let token = Member<String?>(.token, "The update token; null if it follows a channel or asked for none.") {
        $0.activity.token?.hex
    }
    package let topic = Member<String>("The topic of pushes to it.") { $0.activity.topic }

    /// A push that the activity ignored.
    package final class Ignored: Shape {
        package typealias Source = (ignored: Activity.Ignored, subject: ShownNamespace)
        package static let definition = Definition(Ignored())
        package let at = Member<String>(.time) { $0.ignored.at.rfc3339 }
        package let push = Member<String>(.pushID) { $0.subject.pushID($0.ignored.push) }
        package let reason = Part<RefusalShape> { $0.ignored.refusal }
    }
}

package final class ActivityListShape: Shape {
    package typealias Source = (activities: [Activity], subject: ShownNamespace)
    package static let definition = Definition(ActivityListShape(), "ActivityList")
    package let activities = Member<[APIObject<ActivityShape>]> { list in
        list.activities.map { APIObject(($0, list.subject)) }
    }
}

/// Something that happened to a Live Activity.
package final class ActivityStepShape: Shape {
    package typealias Source = (step: ActivityStep, epoch: UInt64)
    package static let definition = Definition(ActivityStepShape(), "ActivityStep")
    package let device = Member<String>(.deviceID) { DeviceReferenceText.text($0.step.device) }
    package let event = Member<String>(.word(.activityEvent)) { $0.step.kind.rawValue }
    package let id = Member<String>(.activityID) { ActivityIDText.text($0.step.activity) }
    package let push = Member<String?>(.pushID, "The push that did it.") { shown in
        shown.step.push.map { PushID(epoch: shown.epoch, seq: $0).text }
    }
    package let reason = Member<String>(.word(.activityReason)) { $0.step.reason.rawValue }
}

/// An event about a Live Activity: what happened, and the activity as of now.
package final class ActivityEventShape: Shape {
    package typealias Source = (step: ActivityStep, subject: ShownNamespace)
    package static let definition = Definition(ActivityEventShape(), "ActivityEvent")
    package let activity = Member<APIObject<ActivityShape>?>("As of now; null if it is no longer kept.") { shown in
        shown.subject.world.devices.activity(shown.step.activity).map { APIObject(($0, shown.subject)) }
    }
    package let label = Member<String?>("The label of the device.") { shown in
        (try? shown.subject.world.devices.device(.id(shown.step.device)))?.label
    }
    package let step = Part<ActivityStepShape> { ($0.step, $0.subject.journal.extent.epoch) }
}

internal import MockAPNsFormats
internal import MockAPNsRules

/// A Live Activity that can be started on a device, checked before anything is changed.
struct ActivityPlan {
    let app: ChannelApp
    /// The registration of the app that it is started for.
    let registration: UInt32
    let attributesType: String
    let attributes: [UInt8]
    let contentState: [UInt8]
    let staleAt: Timestamp?
    let channel: (id: ChannelID, place: UInt32)?
    let hasToken: Bool
    /// The timestamp of the push that starts it.
    var timestamp: Double?
}

extension ActivityPlan {
    static let longestType = 255

    /// Reads a start that has reached the app's push-to-start token.
    static func read(
        _ reading: ActivityReading, _ push: ActivityPush, on device: UInt32, at place: UInt32,
        in state: borrowing WorldState
    ) -> Result<ActivityPlan, ActivityRefusal> {
        func refuse(_ refusal: ActivityRefusal) -> Result<ActivityPlan, ActivityRefusal> { .failure(refusal) }
        let os = state.devices.devices[device].os
        let namesChannel = reading.inputChannel != nil
        guard os.can(.startByPush) else { return refuse(.systemWithoutStart) }
        if namesChannel, !os.can(.inputPush) { return refuse(.systemWithoutChannels) }
        if let refusal = reading.refusal { return refuse(refusal) }
        guard let attributes = reading.attributes, let content = reading.contentState, let type = reading.attributesType
        else { return refuse(.contentStateMissing) }
        let app = state.devices.app(of: place)
        var channel: (id: ChannelID, place: UInt32)?
        if let text = reading.inputChannel {
            guard let id = ChannelID(text), let found = state.channels.find(id, in: app) else {
                return refuse(.unknownChannel)
            }
            channel = (id, found)
        }
        let plan = ActivityPlan(
            app: app, registration: place, attributesType: type, attributes: attributes.text,
            contentState: push.contentState ?? content.text, staleAt: reading.staleDate.map { Timestamp(named: $0) },
            channel: channel, hasToken: !namesChannel && (!os.can(.inputPush) || reading.wantsToken),
            timestamp: reading.timestamp)
        if let refusal = plan.refusal(attributes, content, on: device, in: state) { return refuse(refusal) }
        return .success(plan)
    }

    /// Checks an activity that the app starts itself.
    init(_ draft: ActivityDraft, on device: UInt32, in state: borrowing WorldState) throws(DeviceError) {
        let os = state.devices.devices[device].os
        guard os.can(.activities) else {
            let since = DeviceOS.Feature.activities.since
            throw DeviceError(.badValue, "the device has iOS \(os); Live Activities need \(since) or later")
        }
        let bundleID = Topic.bundleID(of: draft.topic)
        let places = state.devices.apps(of: device).filter { place in
            let app = state.devices.registrations[place]
            return (app.state == .registered || app.state == .inactive)
                && state.devices.app(of: place).bundleID == bundleID
                && (draft.environment ?? app.environment) == app.environment
        }
        guard let registration = places.first else {
            throw DeviceError(.badValue, "the device does not have the app \(bundleID)", at: "/topic")
        }
        guard Set(places.map { state.devices.registrations[$0].environment }).count == 1 else {
            let message = "the device has \(bundleID) in both environments; expected one of them"
            throw DeviceError(.badValue, message, at: "/environment")
        }
        let type = draft.attributesType
        guard !type.isEmpty, type.utf8.count <= Self.longestType else {
            let expected = "expected 1 to \(Self.longestType) bytes"
            throw DeviceError(
                .badValue, "the name of the attributes' type has \(type.utf8.count) bytes; \(expected)",
                at: "/attributesType")
        }
        let attributes = try Self.object(draft.attributes, at: "/attributes")
        let content = try Self.object(draft.contentState, at: "/contentState")
        let app = state.devices.app(of: registration)
        var channel: (id: ChannelID, place: UInt32)?
        if let id = draft.channel {
            guard let found = state.channels.find(id, in: app) else {
                throw DeviceError(.unknownChannel, "\(app) has no channel \(id.text)", at: "/channel")
            }
            guard os.can(.inputPush) else {
                let since = DeviceOS.Feature.inputPush.since
                throw DeviceError(
                    .badValue, "the device has iOS \(os); channels need \(since) or later", at: "/channel")
            }
            channel = (id, found)
        }
        self.init(
            app: app, registration: registration, attributesType: type, attributes: attributes.text,
            contentState: content.text, staleAt: draft.staleAt, channel: channel, hasToken: channel == nil)
        switch refusal(attributes, content, on: device, in: state) {
        case nil: break
        case .tooManyActivities?:
            let most = "\(app) has \(Activity.mostPerApp) running activities on the device, which is the most"
            throw DeviceError(.tooMany, "\(most); end or dismiss one first")
        case .schemaMismatch?:
            throw DeviceError(
                .badValue, "it does not fit the schema that the app has for activities of the type '\(type)'")
        case .some:
            let size = self.attributes.count + contentState.count
            throw DeviceError(
                .badValue,
                "it has \(size) bytes; an activity holds \(Activity.largestContent), attributes and content state together"
            )
        }
    }

    private static func object(_ bytes: [UInt8], at pointer: String) throws(DeviceError) -> JSONValue {
        guard bytes.count <= Activity.largestContent else {
            let message = "it has \(bytes.count) bytes; an activity holds \(Activity.largestContent) together"
            throw DeviceError(.badValue, message, at: pointer)
        }
        guard let value = JSONParser.value(of: bytes), value.isObject else {
            throw DeviceError(.badValue, "expected a JSON object", at: pointer)
        }
        return value
    }

    /// Why the device cannot have this activity, whoever starts it.
    private func refusal(
        _ attributes: JSONValue, _ content: JSONValue, on device: UInt32, in state: borrowing WorldState
    ) -> ActivityRefusal? {
        if self.attributes.count + contentState.count > Activity.largestContent { return .tooLarge }
        if state.devices.runningActivities(of: app, on: device) >= Activity.mostPerApp { return .tooManyActivities }
        let schemas = state.schemas
        let outcomes = [
            schemas.check(attributes: attributes, of: attributesType, topic: app.bundleID),
            schemas.check(contentState: content, of: attributesType, topic: app.bundleID),
        ]
        return outcomes.contains { $0?.isMismatch == true } ? .schemaMismatch : nil
    }
}

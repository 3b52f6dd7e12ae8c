internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// Broadcast channels, and the subscriptions of devices to them.
enum ChannelRoutes {
    static let routes: [Route] = [
        .get("/api/v1/channels", "List channels", reads: query, list).gives(
            .list(ChannelListShape.self, "The channels.")),
        .post("/api/v1/channels", "Create a channel", reads: draft, add).detail(
            "Providers create channels with POST /1/apps/{bundleId}/channels on the port for pushes."
        ).gives(.json(ChannelShape.self, "The channel, with its id.", status: 201)).fails(.tooManyChannels),
        .get("/api/v1/channels/{channel}", "Get a channel", one).detail(
            "A path takes the id in Base64URL, too: with - and _, and without padding."
        ).gives(.json(ChannelShape.self, "The channel, with its subscribers.")).fails(.unknownChannel),
        .delete("/api/v1/channels/{channel}", "Delete a channel", remove).gives(
            .nothing("Deleted; its id is never used again.")
        ).fails(.unknownChannel),
        .get("/api/v1/devices/{device}/subscriptions", "List the channels of a device", subscriptions).gives(
            .json(SubscriptionListShape.self, "The subscriptions, newest first.")
        ).fails(.unknownDevice),
        .post("/api/v1/devices/{device}/subscriptions", "Subscribe a device to a channel", reads: body, subscribe)
            .gives(.json(SubscriptionShape.self, "The subscription.", status: 201)).fails(
                .unknownDevice, .unknownChannel, .unusableValue, .tooMany),
        .delete(
            "/api/v1/devices/{device}/subscriptions", "Unsubscribe a device from a channel", reads: body, unsubscribe
        ).gives(.nothing("The device is not subscribed now.")).fails(.unknownDevice, .unknownChannel, .unusableValue),
    ]

    private struct Query: Sendable {
        var bundleID: String?
        var text = ""
        var limit = 50
    }

    private struct Draft: Sendable {
        var topic = ""
        var environment = Environment.sandbox
        var storage = ChannelStorage.newest
    }

    private struct Subscription: Sendable {
        var topic = ""
        var channel: ChannelID?
    }

    private static let query = QueryForm(
        Query(), .once("topic", .topic, "Bundle identifier of the app.") { $0.bundleID = Topic.bundleID(of: $1) },
        .once("q", .text("a part of a bundle identifier, or an id"), "Part of a bundle identifier, or an id.") {
            $0.text = $1
        }, .limit { $0.limit = $1 })

    private static let draft = RequestBody<Draft>(
        .object(
            Draft(),
            [
                .required("topic", .topic, "The bundle identifier of the app.") { $0.topic = $1 },
                .optional("environment", .word, "Sandbox by default.") { $0.environment = $1 },
                .optional("storagePolicy", .whole(0...1), "1 by default.") { $0.storage = $1 == 0 ? .none : .newest },
            ]), use: .draft, example: ["topic": "com.example.app"])

    private static let body = RequestBody<Subscription>(
        .object(
            Subscription(),
            [
                .required("topic", .topic, "A topic of the app on the device.") { $0.topic = $1 },
                .required("channel", .channelID, "The id of the channel.") { $0.channel = $1 },
            ]), use: .draft, example: ["topic": "com.example.app", "channel": "ASNFZ4mrze/+3LqYdlQyEA=="])

    private static func list(_ call: Route.Call, _ query: Query) throws(Problem) -> APIResponse {
        let (channels, total) = call.channels.all(bundleID: query.bundleID, text: query.text, limit: query.limit)
        let epoch = call.subject.journal.extent.epoch
        let headers = [("X-Mock-APNs-Matched", String(total))]
        return .list(\ChannelListShape.channels, of: (channels, epoch, total), call.request, headers: headers)
    }

    private static func add(_ call: Route.Call, _ draft: Draft) throws(Problem) -> APIResponse {
        let app = ChannelApp(bundleID: Topic.bundleID(of: draft.topic), environment: draft.environment)
        guard let channel = call.channels.add(app, draft.storage) else {
            throw Problem(
                .tooManyChannels, "\(app) has as many channels as it may have; --channel-limit changes the limit.")
        }
        let shape = APIObject<ChannelShape>(
            (channel, call.subject.journal.extent.epoch, showsSubscribers: true, activities: ([], call.subject.shown)))
        return .created(shape, at: "/api/v1/channels/\(ChannelIDText.part(channel.id))")
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        guard let channel = call.channels.channel(try call.channelID()) else { throw call.unknownChannel }
        let activities = call.devices.activities(following: channel.id)
        return .json(
            APIObject<ChannelShape>(
                (
                    channel, call.subject.journal.extent.epoch, showsSubscribers: true,
                    activities: (activities, call.subject.shown)
                )))
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        guard call.channels.remove(try call.channelID()) else { throw call.unknownChannel }
        return .done
    }

    static func subscriptions(_ call: Route.Call) throws(Problem) -> APIResponse {
        let device = try call.device(Devices.device)
        let epoch = call.subject.journal.extent.epoch
        return .json(SubscriptionListShape.self, (call.channels.subscriptions(of: .id(device.id)), epoch))
    }

    private static func subscribe(_ call: Route.Call, _ body: Subscription) throws(Problem) -> APIResponse {
        let (device, channel) = try target(call, body)
        let isNew = try call.withChannels(try call.channels.subscribe(.id(device), topic: body.topic, to: channel))
        guard let found = call.channels.subscriptions(of: .id(device)).first(where: { $0.channel == channel }) else {
            throw call.unknownChannel
        }
        let shape = APIObject<SubscriptionShape>((found, call.subject.journal.extent.epoch))
        return isNew ? .created(shape, at: call.request.path) : .json(shape)
    }

    private static func unsubscribe(_ call: Route.Call, _ body: Subscription) throws(Problem) -> APIResponse {
        let (device, channel) = try target(call, body)
        _ = try call.withChannels(try call.channels.unsubscribe(.id(device), topic: body.topic, from: channel))
        return .done
    }

    private static func target(
        _ call: Route.Call, _ body: Subscription
    ) throws(Problem) -> (device: DeviceID, channel: ChannelID) {
        guard let channel = body.channel else { throw call.unknownChannel }
        return (try call.device(Devices.device).id, channel)
    }
}

extension Route.Call {
    fileprivate var channels: Channels { subject.world.channels }

    fileprivate func channelID() throws(Problem) -> ChannelID {
        let text = pathParts["channel"] ?? ""
        if let id = ChannelIDText.id(text) { return id }
        throw Problem(.badPath, at: text, "is not the id of a channel; expected \(ChannelIDText.expected)")
    }

    fileprivate var unknownChannel: Problem {
        let text = pathParts["channel"] ?? ""
        return Problem(
            .unknownChannel, "There is no channel '\(text)'; GET /api/v1/channels lists them.",
            complaints: [Complaint(path: text, message: "is not the id of a channel")])
    }
}

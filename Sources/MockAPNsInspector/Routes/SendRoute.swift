internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// A push that the server sends to itself, so that there is one to look at.
enum SendRoute {
    /// The phone that pushes go to when no device token is given.
    static let label = "test-phone"
    private static let bundleID = "com.example.app"

    /// Where a push goes.
    private struct Target {
        let token: String
        /// The topic of the app with this token; `nil` where no app has it.
        let topic: String?
        let environment: Environment
    }

    static func send(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let body = try call.read(SendBody.body)
        let target = try target(of: body, call)
        let push = Namespace.LocalPush(
            headers: try headers(of: body, to: target, call),
            body: body.payload,
            environment: target.environment
        )
        let record: PushRecord?
        do {
            record = try await call.subject.namespace.send(push)
        } catch {
            throw Problem(kind: .notReady, detail: "The push could not be sent: \(error).")
        }
        guard let record else {
            throw Problem(
                kind: .unknownPush,
                detail:
                    "The push was answered, and then deleted, dropped to make room, or put away by a reset."
            )
        }
        let id = PushID(epoch: record.epoch, seq: record.seq).text
        let sent = APIObject<PushSentShape> {
            $0.page = call.pageLink(to: id)
            $0.set(\.push, to: ShownPush(record, in: call.subject).json)
            $0.response = APIObject(record.answer)
        }
        return .created(sent, at: "/api/v1/pushes/\(id)")
    }

    // MARK: Where to

    private static func target(of body: SendBody, _ call: Route.Call) throws(Problem) -> Target {
        let topic = body.headers[HeaderName.apnsTopic.text.description] ?? nil
        guard let text = body.target else { return try ownPhone(topic ?? standardTopic(of: body), call) }
        if text.hasPrefix("@") {
            let label = String(text.dropFirst())
            let device = try call.withDevices { devices throws(DeviceError) in
                try devices.device(.label(label))
            }
            return try target(among: device.registrations, of: text, topic: topic)
        }
        let known = DeviceToken(hex: text).flatMap { call.devices.registration($0)?.registration }
        return Target(
            token: text,
            topic: known?.topic,
            environment: known?.environment ?? environment(call)
        )
    }

    /// One that lives, if there is any, of this topic if possible: what is wrong otherwise, APNs itself says.
    private static func target(
        among apps: [Registration],
        of name: String,
        topic: String?
    ) throws(Problem) -> Target {
        let living = apps.filter { $0.state == .registered }
        guard let app = living.first(where: { $0.topic == topic }) ?? living.first ?? apps.last else {
            let message = "names a device without any app; expected one that has a device token"
            throw Problem(
                kind: .unusableValue,
                detail: "'/token': '\(name)' \(message).",
                complaints: [Complaint(path: "/token", message: message)]
            )
        }
        return Target(token: app.token.hex, topic: app.topic, environment: app.environment)
    }

    /// The app of this topic on the server's own phone, which is made where there is none.
    private static func ownPhone(_ topic: String, _ call: Route.Call) throws(Problem) -> Target {
        let environment = environment(call)
        let draft = DeviceDraft.Registration(topic: topic, environment: environment)
        func isFitting(_ app: Registration) -> Bool {
            app.topic == topic && app.environment == environment && app.state == .registered
        }
        // Several may send at the same time, and one of them makes what the others find.
        while true {
            do throws(DeviceError) {
                let devices = call.devices
                guard let device = try? devices.device(.label(label)) else {
                    let made = try devices.add(DeviceDraft(label: label, registrations: [draft]))
                    // It has the one app that was described.
                    guard let app = made.registrations.first else { continue }
                    return Target(token: app.token.hex, topic: topic, environment: environment)
                }
                if let app = device.registrations.last(where: isFitting) {
                    return Target(token: app.token.hex, topic: topic, environment: environment)
                }
                let app = try devices.register(draft, on: .label(label))
                return Target(token: app.token.hex, topic: topic, environment: environment)
            } catch {
                let isOvertaken =
                    error.code == .labelTaken || error.code == .registrationTaken
                    || error.code == .unknownDevice
                guard isOvertaken else { throw Problem(error, dropping: "/registrations/0") }
            }
        }
    }

    /// The topic of an app that this push type is for.
    private static func standardTopic(of body: SendBody) -> String {
        let name = body.headers[HeaderName.apnsPushType.text.description] ?? nil
        let suffix = PushType.allCases.first { $0.name == name }?.row.topicSuffix.description ?? ""
        return bundleID + suffix
    }

    /// The environment of the first listener that pushes to the namespace come by.
    private static func environment(_ call: Route.Call) -> Environment {
        let listeners = call.subject.namespace.listeners + call.subject.server.listeners
        return listeners.first?.address.environment ?? .sandbox
    }

    // MARK: What

    /// The headers: those that every provider sends, then what was asked for.
    private static func headers(
        of body: SendBody,
        to target: Target,
        _ call: Route.Call
    ) throws(Problem) -> [(name: String, value: String)] {
        var headers = body.headers
        func standard(_ name: HeaderName, _ value: @autoclosure () throws(Problem) -> String?) throws(Problem)
        {
            let name = name.text.description
            guard headers[name] == nil, let value = try value() else { return }
            headers[name] = value
        }
        try standard(.authorization, try authorization(call))
        try standard(.apnsTopic, target.topic ?? standardTopic(of: body))
        try standard(.apnsPushType, PushType.alert.name)
        let first = [HeaderName.authorization, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration]
            .map(\.text.description)
        let names = first + headers.keys.filter { !first.contains($0) }.sorted()
        return [
            (":method", "POST"), (":scheme", "https"), (":path", "/3/device/" + target.token),
            (":authority", ConnectionRecord.ownAddress),
        ]
            + names.compactMap { name in (headers[name] ?? nil).map { (name, $0) } }
    }

    private static func authorization(_ call: Route.Call) throws(Problem) -> String {
        do {
            return "bearer " + (try call.subject.provider.token(for: call.subject))
        } catch {
            throw Problem(kind: .unusableValue, detail: "A provider token could not be made: \(error).")
        }
    }
}

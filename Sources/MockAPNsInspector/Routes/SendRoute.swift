internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// Pushes that the server sends to itself, or judges without sending them.
enum SendRoute {
    /// The device that gets pushes without a device token.
    static let label = "test-phone"
    private static let bundleID = "com.example.app"
    /// How often a request tries to find or create the default test device while others change it.
    private static let mostAttempts = 16
    /// Stands for the device token that the default test device would get.
    private static let assumedToken = String(repeating: "ab", count: 32)

    private struct Target {
        let token: String
        /// `nil` if no app has the device token.
        let topic: String?
        let environment: Environment
        /// Whether sending would create the app.
        var isAssumed = false
    }

    static func send(_ call: Route.Call, _ body: SendBody) async throws(Problem) -> APIResponse {
        let target = try target(of: body, call) { topic throws(Problem) in try ownPhone(topic, call) }
        return try await send(
            Namespace.LocalPush(
                headers: try headers(of: body, to: target, by: { () throws(Problem) in try token(call) }),
                body: body.payload, environment: target.environment), call)
    }

    static func check(_ call: Route.Call, _ body: SendBody) async throws(Problem) -> APIResponse {
        let target = try target(of: body, call) { ownPhoneOrAssumed($0, call) }
        var assumptions = Namespace.Assumptions()
        if target.isAssumed { assumptions.deviceToken = DeviceToken(hex: target.token) }
        let providerToken = try providerToken { try call.subject.provider.unregisteredToken(for: call.subject) }
        assumptions.providerToken = providerToken
        let push = Namespace.LocalPush(
            headers: try headers(of: body, to: target, by: { providerToken }), body: body.payload,
            environment: target.environment)
        do {
            let record = try await call.subject.namespace.check(push, assuming: assumptions)
            return .json(PushCheckShape.self, ShownPush(record, in: call.subject.shown))
        } catch { throw Problem(.notReady, "The push could not be checked: \(error).") }
    }

    /// Sends a recorded push again, as it was received, but with a provider token of the server: the journal does not keep
    /// signatures.
    static func resend(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let record = try await PushRoute.wholeRecord(call)
        let facts = PushFacts(record)
        if let problem = record.problem {
            throw Problem(
                .notConvertible,
                "\(PushRoute.id(record)) was rejected before any rule saw it (\(problem)), and only a client that makes"
                    + " the same mistake can repeat it.")
        }
        let topic = HeaderName.apnsTopic.text.description
        var dropped = [HeaderName.authorization.text.description]
        // An id may be used again only for a push that was not accepted.
        if record.isAccepted { dropped.append(HeaderName.apnsID.text.description) }
        let headers = facts.repeatableHeaders.filter { !dropped.contains($0.name) }
        return try await send(
            Namespace.LocalPush(
                headers: requestFields(method: facts.method, path: facts.path) + [
                    (HeaderName.authorization.text.description, "bearer " + (try token(call)))
                ] + [record.request.impliedTopic].compactMap(\.self).map { (topic, $0) } + headers,
                body: record.request.body, environment: record.environment), call)
    }

    private static func send(_ push: Namespace.LocalPush, _ call: Route.Call) async throws(Problem) -> APIResponse {
        let record: PushRecord?
        do { record = try await call.subject.namespace.send(push) } catch {
            throw Problem(.notReady, "The push could not be sent: \(error).")
        }
        guard let record else {
            throw Problem(
                .unknownPush,
                "The push was answered, but then deleted, evicted from the journal, or removed by a reset.")
        }
        let id = PushID(epoch: record.epoch, seq: record.seq).text
        let sent = APIObject<PushSentShape>((ShownPush(record, in: call.subject.shown), call.pageLink(to: id)))
        return .created(sent, at: "/api/v1/pushes/\(id)")
    }

    /// `ownPhone` returns the app of a topic on the default test device.
    private static func target(
        of body: SendBody, _ call: Route.Call, ownPhone: (String) throws(Problem) -> Target
    ) throws(Problem) -> Target {
        let topic = body.headers[HeaderName.apnsTopic.text.description] ?? nil
        guard let text = body.target else { return try ownPhone(topic ?? standardTopic(of: body)) }
        if text.hasPrefix("@") {
            let label = String(text.dropFirst())
            let device = try call.withDevices(try call.devices.device(.label(label)))
            return try target(among: device.registrations, of: text, topic: topic)
        }
        let known = DeviceToken(hex: text).flatMap { call.devices.registration($0)?.registration }
        return Target(token: text, topic: known?.topic, environment: known?.environment ?? environment(call))
    }

    /// Prefers an installed app of this topic, then any installed app; the rules reject pushes to others.
    private static func target(among apps: [Registration], of name: String, topic: String?) throws(Problem) -> Target {
        let living = apps.filter { $0.state == .registered }
        guard let app = living.first(where: { $0.topic == topic }) ?? living.first ?? apps.last else {
            let message = "is a device without apps; expected a device that has a device token"
            throw Problem(
                .unusableValue, "'/token': '\(name)' \(message).",
                complaints: [Complaint(path: "/token", message: message)])
        }
        return Target(token: app.token.hex, topic: app.topic, environment: app.environment)
    }

    /// The app of this topic on the default test device; creates both if needed.
    private static func ownPhone(_ topic: String, _ call: Route.Call) throws(Problem) -> Target {
        let environment = environment(call)
        let draft = DeviceDraft.Registration(topic: topic, environment: environment)
        var attempts = 0
        while true {
            do throws(DeviceError) {
                let devices = call.devices
                var app: Registration?
                if let device = try? devices.device(.label(label)) {
                    app = registration(of: topic, on: device, environment)
                    if app == nil { app = try devices.register(draft, on: .label(label)) }
                } else {
                    let draft = DeviceDraft(label: label, registrations: [draft])
                    app = try devices.add(draft).registrations.first
                }
                guard let app else { continue }
                return Target(token: app.token.hex, topic: topic, environment: environment)
            } catch {
                // A concurrent request may create or delete the device or the app first.
                let overtaken: [DeviceProblem] = [.labelTaken, .registrationTaken, .unknownDevice]
                attempts += 1
                guard overtaken.contains(error.code), attempts < mostAttempts else {
                    throw Problem(error, dropping: "/registrations/0")
                }
            }
        }
    }

    /// The same without creating anything.
    private static func ownPhoneOrAssumed(_ topic: String, _ call: Route.Call) -> Target {
        let environment = environment(call)
        let device = try? call.devices.device(.label(label))
        let app = device.flatMap { registration(of: topic, on: $0, environment) }
        return Target(
            token: app?.token.hex ?? assumedToken, topic: topic, environment: environment, isAssumed: app == nil)
    }

    /// The installed app of a topic.
    ///
    /// Its token is inactive if the device has been offline for too long. A device cannot have the app twice, so the push
    /// goes to that token, and is rejected with 410.
    private static func registration(of topic: String, on device: Device, _ environment: Environment) -> Registration? {
        device.registrations.last {
            $0.topic == topic && $0.environment == environment && ($0.state == .registered || $0.state == .inactive)
        }
    }

    /// The default topic, with the suffix of the push type.
    private static func standardTopic(of body: SendBody) -> String {
        let name = body.headers[HeaderName.apnsPushType.text.description] ?? nil
        let suffix = PushType.allCases.first { $0.name == name }?.row.topicSuffix.description ?? ""
        return bundleID + suffix
    }

    /// The environment of the namespace's first listener.
    private static func environment(_ call: Route.Call) -> Environment {
        let listeners = call.subject.namespace.listeners + call.subject.server.listeners
        return listeners.first?.address.environment ?? .sandbox
    }

    /// The headers that every provider sends first, then the others; `token` is called if the body has none.
    private static func headers(
        of body: SendBody, to target: Target, by token: () throws(Problem) -> String
    ) throws(Problem) -> [(name: String, value: String)] {
        var headers = body.headers
        func standard(_ name: HeaderName, _ value: @autoclosure () throws(Problem) -> String?) throws(Problem) {
            let name = name.text.description
            guard headers[name] == nil, let value = try value() else { return }
            headers[name] = value
        }
        try standard(.authorization, "bearer " + (try token()))
        try standard(.apnsTopic, target.topic ?? standardTopic(of: body))
        try standard(.apnsPushType, PushType.alert.name)
        let first = [HeaderName.authorization, .apnsTopic, .apnsPushType, .apnsPriority, .apnsExpiration].map(
            \.text.description)
        let names = first + headers.keys.filter { !first.contains($0) }.sorted()
        return requestFields(method: "POST", path: "/3/device/" + target.token)
            + names.compactMap { name in (headers[name] ?? nil).map { (name, $0) } }
    }

    private static func requestFields(method: String, path: String) -> [(name: String, value: String)] {
        [(":method", method), (":scheme", "https"), (":path", path), (":authority", ConnectionRecord.ownAddress)]
    }

    private static func token(_ call: Route.Call) throws(Problem) -> String {
        try providerToken { try call.subject.provider.token(for: call.subject) }
    }

    private static func providerToken(_ make: () throws -> String) throws(Problem) -> String {
        do { return try make() } catch {
            throw Problem(.unusableValue, "A provider token could not be made: \(error).")
        }
    }
}

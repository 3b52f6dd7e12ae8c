internal import MockAPNsRules

/// The changes for a list of drafts, checked before anything is changed: all of them are applied or none.
struct DevicePlan {
    struct Step {
        let draft: DeviceDraft
        /// The device to change; `nil` to create one.
        let device: UInt32?
        /// For each app of the draft, the registration to change; `nil` to create one.
        let registrations: [UInt32?]
    }

    static let longestLabel = 100
    /// In bytes; ours, to have a limit.
    static let longestPushMagic = 255

    private(set) var steps: [Step] = []
    private let isUpdating: Bool
    /// Whether the locations of problems begin with an index.
    let isList: Bool
    private var labels: Set<String> = []
    private var tokens: Set<DeviceToken> = []
    private var targets: Set<UInt32> = []

    /// With `isUpdating`, a draft of an existing device updates it; with `isList`, errors contain an index.
    init(_ drafts: [DeviceDraft], isUpdating: Bool, isList: Bool, in store: borrowing DeviceStore) throws(DeviceError) {
        self.isUpdating = isUpdating
        self.isList = isList
        steps.reserveCapacity(drafts.count)
        for (position, draft) in drafts.enumerated() { try add(draft, at: position, store) }
        let made = steps.reduce(0) { sum, step in sum + step.registrations.count(where: { $0 == nil }) }
        let limit = store.options.registrationLimit
        let devices = steps.count(where: { $0.device == nil })
        let count = store.registrations.count
        guard count + made <= limit, store.devices.count + devices <= limit else {
            throw DeviceError(.tooMany, "the world holds \(limit) registrations at most; there are \(count)")
        }
    }

    private mutating func add(
        _ draft: DeviceDraft, at position: Int, _ store: borrowing DeviceStore
    ) throws(DeviceError) {
        let pointer = isList ? "/\(position)" : ""
        if let label = draft.label {
            try Self.checkLabel(label, at: pointer + "/label")
            guard labels.insert(label).inserted else {
                throw DeviceError(.labelTaken, "'\(label)' is described twice", at: pointer + "/label")
            }
        }
        if let pushMagic = draft.pushMagic { try Self.checkPushMagic(pushMagic, at: pointer + "/pushMagic") }
        let device = try target(of: draft, at: pointer, store)
        if let device, !targets.insert(device).inserted {
            throw DeviceError(.labelTaken, "the same device is described twice", at: pointer)
        }
        var places: [UInt32?] = []
        var apps: Set<String> = []
        for (number, registration) in draft.registrations.enumerated() {
            let pointer = pointer + "/registrations/\(number)"
            let app = "\(registration.topic) (\(registration.environment.rawValue))"
            try Self.checkTopic(registration.topic, at: pointer + "/topic")
            guard apps.insert(app).inserted else {
                let message = "\(app) is described twice for the device"
                throw DeviceError(.registrationTaken, message, at: pointer + "/topic")
            }
            places.append(try place(of: registration, on: device, at: pointer, store))
        }
        steps.append(Step(draft: draft, device: device, registrations: places))
    }

    /// Returns the device of a draft: the one with its label, or with one of its tokens.
    private func target(
        of draft: DeviceDraft, at pointer: String, _ store: borrowing DeviceStore
    ) throws(DeviceError) -> UInt32? {
        let labelled = draft.label.flatMap { store.find(.label($0)) }
        guard isUpdating else {
            guard let label = draft.label, labelled != nil else { return nil }
            let message = "there is a device '\(label)'; change it, or describe it with PUT"
            throw DeviceError(.labelTaken, message, at: pointer + "/label")
        }
        if let labelled { return labelled }
        for token in draft.registrations.compactMap(\.token) {
            if let place = store.find(token) { return store.registrations[place].device }
        }
        return nil
    }

    /// Returns the registration of a draft; `nil` if it must be created.
    private mutating func place(
        of draft: DeviceDraft.Registration, on device: UInt32?, at pointer: String, _ store: borrowing DeviceStore
    ) throws(DeviceError) -> UInt32? {
        let living = device.flatMap { store.living(topic: draft.topic, environment: draft.environment, on: $0) }
        guard let token = draft.token else { return living }
        func taken(_ code: DeviceProblem, _ message: String) -> DeviceError {
            DeviceError(code, message, at: pointer + "/token")
        }
        guard tokens.insert(token).inserted else { throw taken(.tokenTaken, "\(token.hex) is described twice") }
        var otherToken: String { "the device has \(draft.topic) under another token" }
        guard let place = store.find(token) else {
            if living == nil { return nil }
            throw taken(.registrationTaken, "\(otherToken); rotate that one to change it")
        }
        let known = store.registrations[place]
        let topic = store.topic(of: place)
        guard known.isApp else { throw taken(.tokenTaken, "\(token.hex) is the update token of a Live Activity") }
        guard device == known.device, topic == draft.topic, known.environment == draft.environment else {
            let owner = "\(topic) (\(known.environment.rawValue))"
            let elsewhere = device == known.device ? "" : " on another device"
            throw taken(.tokenTaken, "\(token.hex) belongs to \(owner)\(elsewhere)")
        }
        guard living == nil || living == place else {
            throw taken(.registrationTaken, "\(otherToken), and this one is \(known.state.rawValue)")
        }
        return place
    }

    static func checkLabel(_ label: String, at pointer: String) throws(DeviceError) {
        let isPlain = label.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        guard !label.isEmpty, label.utf8.count <= longestLabel, isPlain else {
            let message = "a label has 1 to \(longestLabel) bytes and no control characters"
            throw DeviceError(.badValue, message, at: pointer)
        }
    }

    static func checkPushMagic(_ pushMagic: String, at pointer: String) throws(DeviceError) {
        let isPlain = pushMagic.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7f }
        guard !pushMagic.isEmpty, pushMagic.utf8.count <= longestPushMagic, isPlain else {
            let message = "a PushMagic has 1 to \(longestPushMagic) bytes and no control characters"
            throw DeviceError(.badValue, message, at: pointer)
        }
    }

    private static func checkTopic(_ topic: String, at pointer: String) throws(DeviceError) {
        var text = topic
        guard text.withUTF8({ Topic(ByteSpan($0)).isWellFormed }) else {
            let expected = "expected 1 to 255 bytes without spaces or control characters"
            throw DeviceError(.badValue, "invalid topic '\(topic)': \(expected)", at: pointer)
        }
    }
}

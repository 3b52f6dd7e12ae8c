internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

extension Problem {
    /// What the world has against something that was asked of devices.
    ///
    /// - Parameters:
    ///   - error: what it says.
    ///   - prefix: how pointers into the description begin where the body is only a part of it.
    init(_ error: DeviceError, dropping prefix: String = "") {
        let isInside = !prefix.isEmpty && error.pointer.hasPrefix(prefix)
        let pointer = isInside ? String(error.pointer.dropFirst(prefix.count)) : error.pointer
        let kind: Kind =
            switch error.code {
            case .unknownDevice: .unknownDevice
            case .unknownToken: .unknownToken
            case .labelTaken: .labelTaken
            case .tokenTaken: .tokenTaken
            case .registrationTaken: .registrationTaken
            case .badValue: .unusableValue
            case .tooMany: .tooMany
            }
        let place = pointer.isEmpty ? "" : "'\(pointer)': "
        let isAbsence = kind == .unknownDevice || kind == .unknownToken
        self.init(
            kind: kind,
            detail: place + Problem.sentence(error.message),
            complaints: isAbsence
                ? [] : [Complaint(path: pointer, message: error.message)]
        )
    }
}

extension Route.Call {
    /// What a route works on.
    var devices: Devices { subject.world.devices }

    /// The device that the path names.
    func deviceReference() throws(Problem) -> DeviceReference {
        let text = pathParts["device"] ?? ""
        let reference = DeviceReferenceText.reference(text)
        switch reference {
        case .label, .id: break
        case .token(let token) where devices.registration(token) != nil: break
        case .token, nil:
            // People leave the @ out, and some labels look like device tokens.
            if (try? devices.device(.label(text))) != nil { throw Self.isLabel(text) }
        }
        if let reference { return reference }
        throw Problem.badPath(text, "names no device; expected \(DeviceReferenceText.expected)")
    }

    private static func isLabel(_ text: String) -> Problem {
        Problem(
            kind: .badPath,
            detail: "'\(text)' is the label of a device; did you mean '@\(text)'?",
            complaints: [
                Complaint(
                    path: text,
                    message: "is the label of a device; a path has @ before it",
                    suggestion: "@\(text)"
                )
            ]
        )
    }

    /// The device token that the path names.
    func deviceToken() throws(Problem) -> DeviceToken {
        let text = pathParts["token"] ?? ""
        if let token = DeviceToken(hex: text) { return token }
        throw Problem.badPath(
            text,
            "is not a device token; expected \(Form<DeviceToken>.deviceToken.expected)"
        )
    }

    /// Does something to devices, and says as a problem what they have against it.
    func withDevices<Value>(
        dropping prefix: String = "",
        _ use: (Devices) throws(DeviceError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try use(devices)
        } catch {
            throw Problem(error, dropping: prefix)
        }
    }
}

extension Problem {
    /// What the world has against a fault.
    init(_ error: FaultError) {
        let kind: Kind =
            switch error.code {
            case .unknownFault: .unknownFault
            case .badValue: .unusableValue
            case .tooMany: .tooManyFaults
            }
        let place = error.pointer.isEmpty ? "" : "'\(error.pointer)' "
        let sentence =
            place.isEmpty ? Problem.sentence(error.message) : error.message + "."
        let hasPlace = kind == .unusableValue || !error.pointer.isEmpty
        self.init(
            kind: kind,
            detail: place + sentence,
            complaints: hasPlace
                ? [Complaint(path: error.pointer, message: error.message)] : []
        )
    }
}

extension Route.Call {
    /// The fault that the path names.
    func faultID() throws(Problem) -> FaultID {
        let text = pathParts["fault"] ?? ""
        if let id = FaultIDText.id(text) { return id }
        throw Problem.badPath(
            text,
            "is not the id of a fault; expected \(FaultIDText.expected)",
            suggestion: Suggestion.nearest(to: text, among: ["order", "presets", "dry-run"])
        )
    }

    /// Does something to faults, and says as a problem what they have against it.
    func withFaults<Value>(_ use: (Faults) throws(FaultError) -> Value) throws(Problem) -> Value {
        do {
            return try use(subject.world.faults)
        } catch {
            throw Problem(error)
        }
    }
}

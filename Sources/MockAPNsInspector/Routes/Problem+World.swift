internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

extension Problem {
    /// `prefix` is removed from the error's pointer, for a body that is only a part of what the world was given.
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
        let isAbsence = kind == .unknownDevice || kind == .unknownToken
        self.init(
            kind: kind,
            detail: (pointer.isEmpty ? "" : "'\(pointer)': ") + Problem.sentence(error.message),
            complaints: isAbsence ? [] : [Complaint(path: pointer, message: error.message)]
        )
    }

    init(_ error: FaultError) {
        let kind: Kind =
            switch error.code {
            case .unknownFault: .unknownFault
            case .badValue: .unusableValue
            case .tooMany: .tooManyFaults
            }
        let pointer = error.pointer
        let hasPlace = kind == .unusableValue || !pointer.isEmpty
        self.init(
            kind: kind,
            detail: pointer.isEmpty ? Problem.sentence(error.message) : "'\(pointer)' \(error.message).",
            complaints: hasPlace ? [Complaint(path: pointer, message: error.message)] : []
        )
    }
}

extension Route.Call {
    var devices: Devices { subject.world.devices }
    var faults: Faults { subject.world.faults }

    /// Throws what the devices refuse as a problem.
    func withDevices<Value>(
        dropping prefix: String = "",
        _ result: @autoclosure () throws(DeviceError) -> Value
    ) throws(Problem) -> Value {
        do {
            return try result()
        } catch {
            throw Problem(error, dropping: prefix)
        }
    }

    /// Throws what the faults refuse as a problem.
    func withFaults<Value>(_ result: @autoclosure () throws(FaultError) -> Value) throws(Problem) -> Value {
        do {
            return try result()
        } catch {
            throw Problem(error)
        }
    }

    func deviceReference() throws(Problem) -> DeviceReference {
        let text = pathParts["device"] ?? ""
        let reference = DeviceReferenceText.reference(text)
        switch reference {
        case .label, .id: break
        case .token(let token) where devices.registration(token) != nil: break
        case .token, nil:
            // The @ is easily forgotten, and some labels look like device tokens.
            guard (try? devices.device(.label(text))) != nil else { break }
            let message = "is the label of a device; a path has @ before it"
            throw Problem(
                kind: .badPath,
                detail: "'\(text)' is the label of a device; did you mean '@\(text)'?",
                complaints: [Complaint(path: text, message: message, suggestion: "@\(text)")]
            )
        }
        if let reference { return reference }
        throw Problem.badPath(text, "is not a device; expected \(DeviceReferenceText.expected)")
    }

    func deviceToken() throws(Problem) -> DeviceToken {
        let text = pathParts["token"] ?? ""
        if let token = DeviceToken(hex: text) { return token }
        let expected = Form<DeviceToken>.deviceToken.expected
        throw Problem.badPath(text, "is not a device token; expected \(expected)")
    }

    func faultID() throws(Problem) -> FaultID {
        let text = pathParts["fault"] ?? ""
        if let id = FaultIDText.id(text) { return id }
        throw Problem.badPath(
            text,
            "is not the id of a fault; expected \(FaultIDText.expected)",
            suggestion: Suggestion.nearest(to: text, among: ["order", "presets", "dry-run"])
        )
    }
}

extension APIResponse {
    /// One object of a shape, whose members are set by `fill`.
    static func json<Content: Shape>(
        _ shape: Content.Type,
        status: Int = 200,
        _ fill: (inout APIObject<Content>) -> Void
    ) -> APIResponse {
        json(APIObject(fill), status: status)
    }

    /// Headers for what a browser shows, with a content security policy.
    static func safety(_ policy: String) -> [(name: String, value: String)] {
        [
            ("Content-Security-Policy", policy), ("X-Content-Type-Options", "nosniff"),
            ("Referrer-Policy", "no-referrer"),
        ]
    }
}

internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

extension Route.Call {
    var devices: Devices { subject.world.devices }
    var faults: Faults { subject.world.faults }

    /// Throws what the devices refuse as a problem.
    func withDevices<Value>(
        dropping prefix: String = "", _ result: @autoclosure () throws(DeviceError) -> Value
    ) throws(Problem) -> Value { do { return try result() } catch { throw Problem(error, dropping: prefix) } }

    /// Throws what the channels refuse as a problem.
    func withChannels<Value>(_ result: @autoclosure () throws(ChannelError) -> Value) throws(Problem) -> Value {
        do { return try result() } catch { throw Problem(error) }
    }

    /// Throws what the faults refuse as a problem.
    func withFaults<Value>(_ result: @autoclosure () throws(FaultError) -> Value) throws(Problem) -> Value {
        do { return try result() } catch { throw Problem(error) }
    }

    func deviceReference() throws(Problem) -> DeviceReference {
        let text = pathParts["device"] ?? ""
        let reference = DeviceReferenceText.reference(text)
        var isKnownForm = reference != nil
        if case .token(let token)? = reference { isKnownForm = devices.registration(token) != nil }
        // The @ is easily forgotten, and some labels look like device tokens.
        if !isKnownForm, (try? devices.device(.label(text))) != nil {
            let message = "is the label of a device; a path has @ before it"
            throw Problem(
                .badPath, "'\(text)' is the label of a device; did you mean '@\(text)'?",
                complaints: [Complaint(path: text, message: message, suggestion: "@\(text)")])
        }
        if let reference { return reference }
        throw Problem(.badPath, at: text, "is not a device; expected \(DeviceReferenceText.expected)")
    }

    /// Calls a method of the devices with the one that the path names.
    func device<Value>(_ method: (Devices) -> (DeviceReference) throws(DeviceError) -> Value) throws(Problem) -> Value {
        let reference = try deviceReference()
        return try withDevices(try method(devices)(reference))
    }

    func deviceToken() throws(Problem) -> DeviceToken {
        let text = pathParts["token"] ?? ""
        if let token = DeviceToken(hex: text) { return token }
        let expected = Form<DeviceToken>.deviceToken.expected
        throw Problem(.badPath, at: text, "is not a device token; expected \(expected)")
    }

    /// Calls a method of the faults with the one that the path names.
    func fault<Value>(_ method: (Faults) -> (FaultID) throws(FaultError) -> Value) throws(Problem) -> Value {
        let id = try faultID()
        return try withFaults(try method(faults)(id))
    }

    func faultID() throws(Problem) -> FaultID {
        let text = pathParts["fault"] ?? ""
        if let id = FaultIDText.id(text) { return id }
        throw Problem(
            .badPath, at: text, "is not the id of a fault; expected \(FaultIDText.expected)",
            suggestion: Suggestion.nearest(to: text, among: ["order", "presets", "dry-run"]))
    }
}

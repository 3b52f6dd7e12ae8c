internal import MockAPNsFormats
internal import MockAPNsWorld

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
            "is no id of a fault; expected \(FaultIDText.expected)",
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

internal import MockAPNsFormats
internal import MockAPNsWorld

/// Reads what is chosen of a preset.
enum FaultPresetBody {
    /// Members besides the preset's parameters.
    static let members = ["name", "enabled", "match"]

    /// The fault that a preset makes with the choices of a body.
    ///
    /// - Throws: `Problem` for a body that is not JSON, has a mistake, or describes what cannot be.
    static func draft(
        of preset: FaultPreset,
        _ bytes: [UInt8],
        in subject: InspectedServer
    ) throws(Problem) -> FaultDraft {
        var body = try BodyReader(
            bytes,
            known: members + preset.parameters.map(\.name),
            null: .absent,
            emptyBody: [:]
        )
        let name = body.optional("name", .text("a name: text of 1 to 100 bytes"))
        let isEnabled = body.optional("enabled", .boolean)
        let match = FaultBody.match(&body, in: subject)
        let values = values(of: preset, &body)
        try body.finish()
        do {
            return try preset.draft(
                values,
                name: name,
                isEnabled: isEnabled ?? true,
                match: match?.pushes,
                connections: match?.connections ?? FaultDraft.Connections()
            )
        } catch {
            throw Problem(error)
        }
    }

    /// The fault that a preset makes with the choices of a command line, for pushes that meet a condition.
    ///
    /// - Throws: `Problem` for choices that have a mistake, or describe what cannot be.
    static func draft(
        of preset: FaultPreset,
        choices: JSONValue,
        match: FaultDraft.Match?
    ) throws(Problem) -> FaultDraft {
        var body = try BodyReader(choices.text, known: preset.parameters.map(\.name))
        let values = values(of: preset, &body)
        try body.finish()
        do {
            return try preset.draft(values, match: match)
        } catch {
            throw Problem(error)
        }
    }

    private static func values(
        of preset: FaultPreset,
        _ body: inout BodyReader
    ) -> [String: FaultPreset.Value] {
        var values: [String: FaultPreset.Value] = [:]
        for parameter in preset.parameters {
            values[parameter.name] = body.optional(parameter.name, form(of: parameter))
        }
        return values
    }

    private static func form(of parameter: FaultPreset.Parameter) -> Form<FaultPreset.Value> {
        switch parameter.standard {
        case .count: .of(.whole(0...Int(Int32.max))) { .count($0) }
        case .duration: .of(.duration) { .duration($0) }
        case .fraction: .of(.fraction) { .fraction($0) }
        }
    }
}

extension Form where Value == FaultPreset.Value {
    /// What another form reads, as the value of a parameter.
    fileprivate static func of<Part>(
        _ form: Form<Part>,
        _ value: @escaping @Sendable (Part) -> FaultPreset.Value
    ) -> Self {
        let read = form.read
        return Self(expected: form.expected) { read($0).map(value) }
    }
}

internal import MockAPNsFormats
internal import MockAPNsWorld

/// A preset as the API shows it.
enum FaultPresetShape {
    static func json(_ preset: FaultPreset) -> JSONValue {
        [
            "name": .string(preset.name),
            "meaning": .string(preset.meaning),
            "source": .string(preset.source),
            "parameters": .array(
                preset.parameters.map { parameter in
                    [
                        "name": .string(parameter.name), "default": value(parameter.standard),
                        "meaning": .string(parameter.meaning),
                    ]
                }
            ),
        ]
    }

    private static func value(_ value: FaultPreset.Value) -> JSONValue {
        switch value {
        case .count(let count): JSONValue(count)
        case .duration(let time): .string(DurationText.text(time))
        case .fraction(let fraction): Int64(exactly: fraction).map { .integer($0) } ?? .number(fraction)
        }
    }
}

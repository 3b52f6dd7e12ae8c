internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The clock of the simulated service.
struct ClockShape {
    /// How the clock goes; the names are part of the API.
    enum Mode: String, CaseIterable {
        /// It runs with the system's, perhaps ahead of it or behind it.
        case real
        /// It stands.
        case frozen
    }

    private let world: World

    init(_ world: World) { self.world = world }

    var json: JSONValue { .object(members) }

    /// Members for an answer that has others as well.
    var members: [String: JSONValue] {
        let mode = world.clock.mode
        let reading = world.clock.read()
        // While the clock runs, its distance to the system's does not change from one look to the next.
        let (name, offset) =
            switch mode {
            case .running(let offset): (Mode.real, offset)
            case .stopped: (Mode.frozen, reading.world.microseconds(since: reading.system))
            }
        return [
            "mode": .string(name.rawValue),
            "now": .string(reading.world.rfc3339),
            "offsetSeconds": .seconds(microseconds: offset),
            "nextDue": JSONValue(world.nextDue?.rfc3339),
        ]
    }
}

extension JSONValue {
    /// Whole seconds without a fraction, others with it.
    fileprivate static func seconds(microseconds: Int64) -> JSONValue {
        let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        return rest == 0 ? .integer(seconds) : .number(Double(microseconds) / 1_000_000)
    }
}

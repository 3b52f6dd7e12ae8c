internal import MockAPNsRules
package import MockAPNsWorld

/// The clock of a world at one moment.
package struct ShownClock {
    let mode: ClockShape.Mode
    /// How far the clock is ahead of the system's.
    let offset: Int64
    let now: Timestamp
    let nextDue: Timestamp?

    package init(of world: World) {
        let reading = world.clock.read()
        // While the clock runs, its offset to the system's clock does not change.
        (mode, offset) =
            switch world.clock.mode {
            case .running(let offset): (.real, offset)
            case .stopped: (.frozen, reading.world.microseconds(since: reading.system))
            }
        (now, nextDue) = (reading.world, world.nextDue)
    }
}

package final class ClockShape: Shape {
    package enum Mode: String, CaseIterable, Sendable {
        /// It runs with the system's clock, with an offset.
        case real
        case frozen
    }
    package typealias Source = ShownClock
    package static let definition = Definition(ClockShape(), "Clock")
    package let mode = Member<String>(.words(Mode.allCases.map(\.rawValue))) { $0.mode.rawValue }
    package let nextDue = Member<String?>(.time, "The time of the next event that is due by itself.") {
        $0.nextDue?.rfc3339
    }
    package let now = Member<String>(.time) { $0.now.rfc3339 }
    package let offsetSeconds = Member<Double>("How far the clock is ahead of the system's.") {
        Double($0.offset) / 1_000_000
    }
}

package final class ClockSetShape: Shape {
    package typealias Source = (clock: ShownClock, deliveries: DeliveriesShape.Source)
    package static let definition = Definition(ClockSetShape(), "ClockSet")
    package let clock = Part<ClockShape> { $0.clock }
    package let deliveries = Part<DeliveriesShape> { $0.deliveries }
}

package final class ClockAdvancedShape: Shape {
    package typealias Source = ClockSetShape.Source
    package static let definition = Definition(ClockAdvancedShape(), "ClockAdvanced")
    package let change = Part<ClockSetShape> { $0 }
    package let namespacesExpired = Member<[String]> { _ in [] }
}

package final class MarkShape: Shape {
    package typealias Source = Mark
    package static let definition = Definition(MarkShape(), "Mark")
    package let at = Member<String>(.time) { $0.at.rfc3339 }
    package let id = Member<String>(.text("^mrk_[0-9]+$")) { "mrk_\($0.number)" }
    package let seq = Member<UInt64>("The number of the newest event when the mark was set.") { $0.seq }
    package let text = Member<String> { $0.text }
}

package final class MarkListShape: Shape {
    package typealias Source = [Mark]
    package static let definition = Definition(MarkListShape(), "MarkList")
    package let marks = Member<[APIObject<MarkShape>]> { $0.map { APIObject($0) } }
}

package final class ClockShape: Shape {
    package enum Mode: String, CaseIterable, Sendable {
        /// It runs with the system's clock, with an offset.
        case real
        case frozen
    }
    package static let definition = Definition(ClockShape(), "Clock")
    package let mode = Member<String>(.words(Mode.allCases.map(\.rawValue)))
    package let nextDue = Member<String?>(.time, "The time of the next event that is due by itself.")
    package let now = Member<String>(.time)
    package let offsetSeconds = Member<Double>("How far the clock is ahead of the system's.")
}

package final class ClockSetShape: Shape {
    package static let definition = Definition(ClockSetShape(), "ClockSet")
    package let clock = Part<ClockShape>()
    package let deliveries = Part<DeliveriesShape>()
}

package final class ClockAdvancedShape: Shape {
    package static let definition = Definition(ClockAdvancedShape(), "ClockAdvanced")
    package let change = Part<ClockSetShape>()
    package let namespacesExpired = Member<[String]>()
}

package final class MarkShape: Shape {
    package static let definition = Definition(MarkShape(), "Mark")
    package let at = Member<String>(.time)
    package let id = Member<String>(.text("^mrk_[0-9]+$"))
    package let seq = Member<UInt64>("The number of the newest event when the mark was set.")
    package let text = Member<String>()
}

package final class MarkListShape: Shape {
    package static let definition = Definition(MarkListShape(), "MarkList")
    package let marks = Member<[APIObject<MarkShape>]>()
}

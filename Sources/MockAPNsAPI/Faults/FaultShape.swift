package import MockAPNsFormats

/// A fault: its description, as it may be sent back, and what it has done.
package final class FaultShape: Shape {
    package static let definition = Definition(FaultShape(), "Fault")
    package let description = Member<APIObject<Description>>("The fault in words.")
    package let `do` = Member<APIObject<FaultActionShape>>()
    package let enabled = Member<Bool>()
    package let id = Member<String>(.faultID)
    package let match = Member<JSONValue>(.named("FaultMatch"))
    package let name = Member<String?>("1 to 100 bytes.")
    package let position = Member<Int>("The position in the list, from 1.")
    package let preset = Member<String?>(.word(.faultPreset), "The preset it was made from.")
    package let stats = Member<APIObject<Stats>>()
    package let when = Member<APIObject<FaultTriggerShape>>()

    package final class Description: Shape {
        package static let definition = Definition(Description())
        package let action = Member<String>("What it does.")
        package let pushes = Member<String>("Which pushes or connections it is for.")
        package let when = Member<String>("When it fires.")
    }

    package final class Stats: Shape {
        package static let definition = Definition(Stats())
        package let draws = Member<[APIObject<Draw>]>("The latest random numbers.")
        package let evaluated = Member<UInt64>("How often its conditions were evaluated.")
        package let fired = Member<UInt64>()
        package let firedFor = Member<[String]>(.pushID, "The latest pushes it fired for.")
        package let lastFiredAt = Member<String?>(.time)
        package let tooCostly = Member<UInt64>(
            "How many pushes didn't match because the conditions took too many steps, on this server.")
    }

    package final class Draw: Shape {
        package static let definition = Definition(Draw())
        package let fired = Member<Bool>()
        package let `for` = Member<String>(.word(.drawUse))
        package let number = Member<UInt64>()
        package let value = Member<Double>()
    }
}

/// When a fault fires; without limits, always.
package final class FaultTriggerShape: Shape {
    package static let definition = Definition(FaultTriggerShape(), "FaultTrigger", use: .request)
    package let afterIdle = OptionalMember<String>(.duration, "Only after this pause on the connection.")
    package let afterRequests = OptionalMember<Int>(.many, "Only after this many requests on the connection.")
    package let every = OptionalMember<Int>(.some, "Fires for every nth push.")
    package let from = OptionalMember<String>(.time, "Not before this time.")
    package let probability = OptionalMember<Double>(.fraction, "The probability of firing.")
    package let skip = OptionalMember<Int>(.many, "The number of pushes to skip first.")
    package let times = OptionalMember<Int>(.some, "The most times it fires.")
    package let until = OptionalMember<String>(.time, "Not from this time on.")
}

extension Schema {
    /// A number from 0 on.
    fileprivate static let many = Schema.integer(0...Int(Int32.max))
    /// A number from 1 on.
    fileprivate static let some = Schema.integer(1...Int(Int32.max))
}

package final class FaultListShape: Shape {
    package static let definition = Definition(FaultListShape(), "FaultList")
    package let faults = Member<[APIObject<FaultShape>]>()
}

package final class FaultPresetShape: Shape {
    package static let definition = Definition(FaultPresetShape(), "FaultPreset")
    package let meaning = Member<String>()
    package let name = Member<String>(.word(.faultPreset))
    package let parameters = Member<[APIObject<Parameter>]>()
    package let source = Member<String>("Where this was observed or documented.")

    package final class Parameter: Shape {
        package static let definition = Definition(Parameter())
        package let `default` = Member<JSONValue>(.either(.count, .duration, .fraction))
        package let meaning = Member<String>()
        package let name = Member<String>()
    }
}

package final class FaultPresetListShape: Shape {
    package static let definition = Definition(FaultPresetListShape(), "FaultPresetList")
    package let presets = Member<[APIObject<FaultPresetShape>]>()
}

package final class FaultDryRunShape: Shape {
    package static let definition = Definition(FaultDryRunShape(), "FaultDryRun")
    package let hits = Member<Int>("The number of pushes it would have fired for.")
    package let journal = Member<APIObject<JournalShape>>()
    package let matched = Member<Int>("The number of pushes that match its conditions.")
    package let note = Member<String?>()
    package let pushes = Member<[String]>(.pushID, "The latest 50 pushes it would have fired for.")
}

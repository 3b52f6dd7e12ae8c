package import MockAPNs
package import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// A fault: its description, as it may be sent back, and what it has done.
package final class FaultShape: Shape {
    package typealias Source = (fault: Fault, subject: ShownNamespace)
    package static let definition = Definition(FaultShape(), "Fault")
    package let description = Member<APIObject<Description>>("The fault in words.") { APIObject(FaultWords($0.fault)) }
    package let `do` = Member<JSONValue>(Form<[FaultAction?]>.faultActions.schema(.request)) {
        Form<[FaultAction?]>.faultActions.json([$0.fault.draft.action])
    }
    package let enabled = Member<Bool> { $0.fault.draft.isEnabled }
    package let id = Member<String>(.faultID) { FaultIDText.text($0.fault.id) }
    package let match = Member<JSONValue>(.named("FaultMatch")) { $0.fault.draft.matchJSON }
    package let name = Member<String?>("1 to 100 bytes.") { $0.fault.draft.name }
    package let position = Member<Int>("The position in the list, from 1.") { $0.fault.position }
    package let preset = Member<String?>(.word(.faultPreset), "The preset it was made from.") { $0.fault.draft.preset }
    package let stats = Member<APIObject<Stats>> { APIObject($0) }
    package let when = Member<JSONValue>(Form<FaultTrigger>.faultTrigger.schema(.request)) {
        Form<FaultTrigger>.faultTrigger.json($0.fault.draft.when)
    }

    package final class Description: Shape {
        package typealias Source = FaultWords
        package static let definition = Definition(Description())
        package let action = Member<String>("What it does.") { $0.action }
        package let pushes = Member<String>("Which pushes or connections it is for.") { $0.pushes }
        package let when = Member<String>("When it fires.") { $0.when }
    }

    package final class Stats: Shape {
        package typealias Source = FaultShape.Source
        package static let definition = Definition(Stats())
        package let draws = Member<[APIObject<Draw>]>("The latest random numbers.") {
            $0.fault.draws.map { APIObject($0) }
        }
        package let evaluated = Member<UInt64>("How often its conditions were evaluated.") { $0.fault.evaluated }
        package let fired = Member<UInt64> { $0.fault.fired }
        package let firedFor = Member<[String]>(.pushID, "The latest pushes it fired for.") {
            $0.fault.firedFor.map($0.subject.pushID)
        }
        package let lastFiredAt = Member<String?>(.time) { $0.fault.lastFiredAt?.rfc3339 }
        package let tooCostly = Member<UInt64>(
            "How many pushes didn't match because the conditions took too many steps, on this server."
        ) { $0.fault.draft.match?.tooCostly() ?? 0 }
    }

    package final class Draw: Shape {
        package typealias Source = FaultDraw
        package static let definition = Definition(Draw())
        package let fired = Member<Bool> { $0.fired }
        package let `for` = Member<String>(.word(.drawUse)) { $0.use.rawValue }
        package let number = Member<UInt64> { $0.number }
        package let value = Member<Double> { $0.value }
    }
}

package final class FaultListShape: Shape {
    package typealias Source = (faults: [Fault], subject: ShownNamespace)
    package static let definition = Definition(FaultListShape(), "FaultList")
    package let faults = Member<[APIObject<FaultShape>]> { list in list.faults.map { APIObject(($0, list.subject)) } }
}

package final class FaultPresetShape: Shape {
    package typealias Source = FaultPreset
    package static let definition = Definition(FaultPresetShape(), "FaultPreset")
    package let meaning = Member<String> { $0.meaning }
    package let name = Member<String>(.word(.faultPreset)) { $0.name }
    package let parameters = Member<[APIObject<Parameter>]> { $0.parameters.map { APIObject($0) } }
    package let source = Member<String>("Where this was observed or documented.") { $0.source }

    package final class Parameter: Shape {
        package typealias Source = FaultPreset.Parameter
        package static let definition = Definition(Parameter())
        package let `default` = Member<JSONValue>(.either(.count, .duration, .fraction)) { parameter in
            switch parameter.standard {
            case .count(let count): count.json
            case .duration(let time): .string(DurationText.text(time))
            case .fraction(let fraction): fraction.json
            }
        }
        package let meaning = Member<String> { $0.meaning }
        package let name = Member<String> { $0.name }
    }
}

package final class FaultPresetListShape: Shape {
    package typealias Source = [FaultPreset]
    package static let definition = Definition(FaultPresetListShape(), "FaultPresetList")
    package let presets = Member<[APIObject<FaultPresetShape>]> { $0.map { APIObject($0) } }
}

package final class FaultDryRunShape: Shape {
    package typealias Source = (hits: [UInt64], matched: Int, extent: Journal.Extent)
    package static let definition = Definition(FaultDryRunShape(), "FaultDryRun")
    package let hits = Member<Int>("The number of pushes it would have fired for.") { $0.hits.count }
    package let journal = Member<APIObject<JournalShape>> { APIObject($0.extent) }
    package let matched = Member<Int>("The number of pushes that match its conditions.") { $0.matched }
    package let note = Member<String?> { run in
        let evicted = run.extent.evicted
        return evicted > 0 ? "\(evicted) pushes were evicted from the journal and not examined." : nil
    }
    package let pushes = Member<[String]>(.pushID, "The latest 50 pushes it would have fired for.") {
        $0.extent.ids($0.hits.suffix(50))
    }
}

internal import MockAPNsFormats
package import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

package final class PushSummaryShape: Shape {
    package typealias Source = PushLine
    package static let definition = Definition(PushSummaryShape(), "PushSummary")
    package let body = Member<String?> { $0.push.facts.reading.alert.body }
    package let bundleId = Member<String?>("The app in the path; null for a push to a device.") { $0.record.bundleID }
    package let channel = Member<String?>("The channel of a broadcast or of a channel request.") { $0.record.channel }
    package let connection = Member<String>("The connection that it came over.") {
        ConnectionID($0.record.connectionID).text
    }
    package let delivery = Member<String>(.word(.deliveryState)) { PushOutline($0.record).delivery }
    package let device = Member<String?>("The label of the device.") { line in
        line.imported?["delivery"]?["device"]?.plainText ?? line.record.delivery?.deviceLabel
    }
    package let durationMs = Member<Double>("From the complete request to the response.") {
        Double($0.record.answer.microseconds) / 1_000
    }
    package let faults = Member<[String]>(.faultID) { $0.record.faults.map(FaultIDText.text) }
    package let forward = OptionalMember<String>(
        .words(ForwardRecord.Outcome.allCases.map(\.rawValue)),
        "Whether the service that it was forwarded to gave the same answer; absent if it was not forwarded."
    ) { $0.push.subject.context.world.forwards[$0.record.seq]?.outcome.rawValue }
    package let id = Member<String>(.pushID) { $0.push.facts.id }
    package let ignored = Member<String?>(.word(.activityRefusal), "Why the device ignored a push to a Live Activity.")
    { $0.record.delivery?.refusal?.code }
    package let imported = Member<Bool> { $0.imported != nil }
    package let lintCount = Member<Int>("The number of warnings, including notes and those about its connection.") {
        $0.lints.count
    }
    package let outcome = Member<String>(.word(.outcome)) {
        (($0.record.isAccepted ? .accepted : .rejected) as PushQuery.Outcome).rawValue
    }
    package let pinned = Member<Bool> { $0.record.isPinned }
    package let priority = Member<UInt64?> { $0.push.facts.number(.apnsPriority) }
    package let pushType = Member<String> { $0.push.facts.pushType.name }
    package let reason = Member<String?> { $0.record.verdict.reason?.name }
    package let receivedAt = Member<String>(.time) { $0.record.receivedAt.rfc3339 }
    package let seq = Member<UInt64> { $0.record.seq }
    package let service = Member<String>(.service) { $0.record.service.rawValue }
    package let status = Member<Int> { Int($0.record.answer.status) }
    package let title = Member<String?> { $0.push.facts.reading.alert.title }
    package let token = Member<String?>(.token) { $0.push.facts.token?.hex }
    package let topic = Member<String?> { $0.record.request[.apnsTopic] }
    package let worstLint = Member<APIObject<WorstLint>?>(
        "The most severe error or warning about the push itself; null if there are only notes."
    ) { Lint.worst(of: $0.lints.compactMap(\.self)).map { APIObject($0) } }

    package final class WorstLint: Shape {
        package typealias Source = Lint
        package static let definition = Definition(WorstLint())
        package let id = Member<String> { $0.id }
        package let severity = Member<String>(.word(.severity)) { $0.severity.rawValue }
    }
}

internal import MockAPNsFormats
package import MockAPNsWorld

/// What another push service answered to a push, beside the mock's response.
package final class ForwardShape: Shape {
    package typealias Source = ForwardRecord
    package static let definition = Definition(ForwardShape(), "Forward")
    package let body = Member<String>("The first 1,024 bytes of its body.") { String(decoding: $0.body, as: UTF8.self) }
    package let differs = Member<Bool>("Whether its status or its reason is not that of the mock.") {
        $0.outcome == .differs
    }
    package let durationMs = Member<Double>("From sending the push to the end of the response, or to the failure.") {
        Double($0.microseconds) / 1_000
    }
    package let error = Member<String?>("Why there is no response.") { $0.error }
    package let headers = Member<[[String]]>("Pairs of name and value; the first 16.") {
        $0.headers.map { [$0.name, $0.value] }
    }
    package let outcome = Member<String>(
        .words(ForwardRecord.Outcome.allCases.map(\.rawValue)),
        "Whether the answer is the mock's, another one, missing, or the push was not sent."
    ) { $0.outcome.rawValue }
    package let reason = Member<String?>("The reason in its body.") { $0.reason }
    package let status = Member<Int?>("Its status; null without a response.") { $0.status }
}

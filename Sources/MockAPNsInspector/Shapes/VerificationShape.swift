internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The results of verifications in the API.
enum VerificationShape {
    private static let mostListed = 1_000

    /// Returns the ids of pushes.
    static func ids(_ seqs: [UInt64], _ extent: Journal.Extent) -> JSONValue {
        .array(seqs.prefix(mostListed).map { .string(extent.id(of: $0)) })
    }

    /// Returns the members that the problem of a failed verification has in addition to the usual ones.
    static func members(_ failure: VerificationFailure) -> [String: JSONValue] {
        let finding = failure.finding
        return [
            "count": JSONValue(finding.matched.count),
            "matched": ids(finding.matched, finding.extent),
            "considered": JSONValue(finding.considered),
            "notConsidered": [
                "beforeAfter": JSONValue(finding.tooEarly),
                "otherNamespaces": .object(
                    failure.elsewhere.reduce(into: [:]) { $0[$1.name] = JSONValue($1.count) }
                ),
                "evicted": JSONValue(failure.evicted),
            ],
            "nearMisses": .array(
                finding.nearMisses.map { miss in
                    [
                        "id": .string(finding.extent.id(of: miss.seq)),
                        "seq": JSONValue(miss.seq),
                        "score": .string("\(miss.met)/\(miss.results.count)"),
                        "ageMs": failure.milliseconds(since: miss.seq).map { JSONValue($0) } ?? .null,
                        "mismatches": .array(miss.results.filter { !$0.isMet }.map(json)),
                    ]
                }
            ),
            "hints": .array(failure.hints.map { .string($0) }),
        ]
    }

    /// Returns how a push meets one requirement.
    static func json(_ result: Verification.Result) -> JSONValue {
        [
            "field": .string(result.name),
            "operator": .string(result.operators.joined(separator: ", ")),
            "expected": result.expected,
            "actual": result.actual ?? .null,
            "ok": .bool(result.isMet),
        ]
    }
}

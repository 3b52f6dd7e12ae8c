internal import MockAPNsFormats
internal import MockAPNsQuery
package import MockAPNsVerifying
package import MockAPNsWorld

extension Journal.Extent {
    package func ids(_ seqs: [UInt64]) -> [String] { seqs.prefix(DeliveriesShape.mostListed).map(id) }
}

extension APIObject<ProblemShape> {
    package mutating func add(_ failure: VerificationFailure) {
        self.considered = failure.considered
        self.count = failure.matched.count
        self.hints = failure.hints
        self.matched = failure.extent.ids(failure.matched)
        self.nearMisses = failure.nearMisses.map { miss in
            APIObject<NearMissShape> {
                $0.ageMs = failure.age(of: miss.seq).map { $0 / 1_000 }
                $0.id = failure.extent.id(of: miss.seq)
                $0.mismatches = miss.results.filter { !$0.isMet }.map(APIObject<ConditionShape>.init)
                $0.score = miss.results.score
                $0.seq = miss.seq
            }
        }
        self.notConsidered = APIObject<ProblemShape.NotConsidered> {
            $0.beforeAfter = failure.tooEarly
            $0.evicted = failure.evicted
            $0.otherNamespaces = failure.elsewhere.reduce(into: [:]) { $0[$1.name] = $1.count }
        }
    }
}

extension APIObject<ConditionShape> {
    package init(_ result: RequirementResult) {
        self.init()
        self.actual = result.actual ?? .null
        self.expected = result.expected
        self.field = result.name
        self.ok = result.isMet
        self.operator = result.operators.joined(separator: ", ")
    }
}

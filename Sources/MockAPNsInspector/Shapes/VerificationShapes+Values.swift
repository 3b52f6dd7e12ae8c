internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld

extension Journal.Extent {
    private static let mostListed = 1_000

    func ids(_ seqs: [UInt64]) -> [String] { seqs.prefix(Self.mostListed).map(id) }
}

extension APIObject<ProblemShape> {
    mutating func add(_ failure: VerificationFailure) {
        let finding = failure.finding
        self.considered = finding.considered
        self.count = finding.matched.count
        self.hints = failure.hints
        self.matched = finding.extent.ids(finding.matched)
        self.nearMisses = finding.nearMisses.map { miss in
            APIObject<NearMissShape> {
                $0.ageMs = failure.milliseconds(since: miss.seq)
                $0.id = failure.finding.extent.id(of: miss.seq)
                $0.mismatches = miss.results.filter { !$0.isMet }.map(APIObject<ConditionShape>.init)
                $0.score = "\(miss.met)/\(miss.results.count)"
                $0.seq = miss.seq
            }
        }
        self.notConsidered = APIObject<ProblemShape.NotConsidered> {
            $0.beforeAfter = finding.tooEarly
            $0.evicted = failure.evicted
            $0.otherNamespaces = failure.elsewhere.reduce(into: [:]) { $0[$1.name] = $1.count }
        }
    }
}

extension APIObject<ConditionShape> {
    init(_ result: Verification.Result) {
        self.init()
        self.actual = result.actual ?? .null
        self.expected = result.expected
        self.field = result.name
        self.ok = result.isMet
        self.operator = result.operators.joined(separator: ", ")
    }
}

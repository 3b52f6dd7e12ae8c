internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsVerifying
internal import MockAPNsWorld

extension Journal.Extent {
    /// The most pushes that a response lists.
    private static let mostListed = 1_000

    /// The ids of pushes.
    func ids(_ seqs: [UInt64]) -> [String] { seqs.prefix(Self.mostListed).map(id) }
}

extension APIObject<ProblemShape> {
    /// The members of a failed verification.
    mutating func add(_ failure: VerificationFailure) {
        let finding = failure.finding
        self.considered = finding.considered
        self.count = finding.matched.count
        self.hints = failure.hints
        self.matched = finding.extent.ids(finding.matched)
        self.nearMisses = finding.nearMisses.map { APIObject<NearMissShape>($0, of: failure) }
        self.notConsidered = APIObject<ProblemShape.NotConsidered> {
            $0.beforeAfter = finding.tooEarly
            $0.evicted = failure.evicted
            $0.otherNamespaces = failure.elsewhere.reduce(into: [:]) { $0[$1.name] = $1.count }
        }
    }
}

extension APIObject<NearMissShape> {
    fileprivate init(_ miss: Verification.NearMiss, of failure: VerificationFailure) {
        self.init()
        self.ageMs = failure.milliseconds(since: miss.seq)
        self.id = failure.finding.extent.id(of: miss.seq)
        self.mismatches = miss.results.filter { !$0.isMet }.map(APIObject<ConditionShape>.init)
        self.score = "\(miss.met)/\(miss.results.count)"
        self.seq = miss.seq
    }
}

extension APIObject<ConditionShape> {
    /// How a push meets one condition.
    init(_ result: Verification.Result) {
        self.init()
        self.actual = result.actual ?? .null
        self.expected = result.expected
        self.field = result.name
        self.ok = result.isMet
        self.operator = result.operators.joined(separator: ", ")
    }
}

package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// A push to evaluate conditions on, which parses each part at most once.
///
/// Valid only during the call that provides the request, because it points into the request's bytes.
package final class Candidate {
    package let outline: PushOutline
    /// The data of the inspector, or `nil` when a fault looks at a push that has no response yet.
    package let context: PushContext?
    package let budget: StepBudget
    private let request: RequestView

    package private(set) lazy var payload: JSONValue? = JSONParser.value(of: Array(request.body.bytes))
    package private(set) lazy var alert = AlertText(payload?["aps"]?["alert"])
    package private(set) lazy var token: DeviceToken? = request.devicePart.flatMap { DeviceToken(hex: $0) }

    package init(
        _ request: borrowing RequestView,
        _ outline: PushOutline,
        in context: PushContext?,
        _ budget: StepBudget
    ) {
        self.outline = outline
        self.context = context
        self.budget = budget
        // A borrowed view cannot be stored, so create another view of the same bytes.
        self.request = RequestView(
            bytes: request.headerBytes.start.unsafelyUnwrapped,
            fields: request.fields,
            index: request.headerIndex,
            body: request.body,
            bodyLength: request.bodyLength,
            headerBlockLength: request.headerBlockLength
        )
    }

    package static func with<Result>(
        _ push: PushRecord,
        in context: PushContext,
        _ budget: StepBudget = StepBudget(largestAlone),
        _ use: (Candidate) -> Result
    ) -> Result {
        push.withRequest { use(Candidate($0, PushOutline(push), in: context, budget)) }
    }

    package func header(_ name: HeaderName) -> String? { request[name]?.text }

    package func header(named name: String) -> String? {
        request.fields.first { request.name(of: $0).text == name }.map { request.value(of: $0).text }
    }

    /// The push type in the header, or the derived one if the header is missing.
    package var pushType: String {
        if let given = header(.apnsPushType) { return given }
        return PushFacts.derivedPushType(topic: header(.apnsTopic), payload: payload).name
    }

    var answerID: String? {
        if let known = outline.apnsID { return known }
        if outline.echoesID { return header(.apnsID) }
        return outline.ownID?.text(upperCase: true)
    }

    /// The label of the device that the token is registered to.
    ///
    /// It is looked up in the rules in force, so no lock is taken for each candidate.
    package var deviceLabel: String? {
        let registrations = outline.registrations ?? context?.world.ruleset.registrations
        return token.flatMap { registrations?.label(of: $0) }
    }

    func hasLint(_ lints: Set<Lint>) -> Bool {
        let looksAtHistory = lints.contains(where: \.looksAtHistory)
        if looksAtHistory, earlierFindings.contains(where: { lints.contains($0.lint) }) { return true }
        let own = Lint.ofOnePush.filter(lints.contains)
        return !own.isEmpty && linted?.has(own) ?? false
    }

    package private(set) lazy var lints: [Lint] = {
        let found = Set(((linted?.findings() ?? []) + earlierFindings).map(\.lint))
        return Lint.allCases.filter(found.contains)
    }()

    private var linted: LintedPush? {
        outline.hasProblem ? nil : LintedPush(request, payload: payload, at: outline.clockTime)
    }

    private var earlierFindings: [LintFinding] { context?.earlierFindings(of: outline.seq) ?? [] }

    private(set) lazy var lowercasedBody = Array(request.body.text.lowercased().utf8)

    var bodySteps: Int { request.body.count / 4 }

    package static let largestAlone = 10_000_000
    /// Small because the push waits for the result.
    static let largestOfFault = 50_000
}

extension PushRecord {
    func withRequest<Result>(_ use: (borrowing RequestView) -> Result) -> Result {
        RequestView.withRequest(
            headers: request.headers,
            body: request.body,
            bodyLength: request.bodyLength,
            use
        )
    }
}

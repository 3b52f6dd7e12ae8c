package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// A push that conditions look at, with what they ask of it read at most once.
///
/// Valid only during the call that lends the request: it points into the request's bytes.
package final class Candidate {
    package let outline: PushOutline
    package let context: PushContext
    /// The steps that conditions may still take.
    package let budget: StepBudget
    private let request: RequestView

    /// The body as JSON; `nil` when it is not JSON, or was too large to keep.
    package private(set) lazy var payload: JSONValue? = PushFacts.payload(of: Array(request.body.bytes))
    /// What the alert says; a bare text is the body.
    package private(set) lazy var alert = AlertText(payload?["aps"]?["alert"])
    /// The device token of the path.
    package private(set) lazy var token: DeviceToken? = request.devicePart.flatMap { DeviceToken(hex: $0) }

    package init(
        _ request: borrowing RequestView,
        _ outline: PushOutline,
        in context: PushContext,
        _ budget: StepBudget
    ) {
        self.outline = outline
        self.context = context
        self.budget = budget
        // Another view of the same bytes: a borrowed one cannot be kept.
        self.request = RequestView(
            bytes: request.headerBytes.start.unsafelyUnwrapped,
            fields: request.fields,
            index: request.headerIndex,
            body: request.body,
            bodyLength: request.bodyLength,
            headerBlockLength: request.headerBlockLength
        )
    }

    /// Lends a push that was taken out of the journal.
    package static func with<Result>(
        _ push: PushRecord,
        in context: PushContext,
        _ budget: StepBudget = StepBudget(largestAlone),
        _ use: (Candidate) -> Result
    ) -> Result {
        RequestView.withRequest(
            headers: push.request.headers,
            body: push.request.body,
            bodyLength: push.request.bodyLength
        ) { request in
            use(Candidate(request, PushOutline(push), in: context, budget))
        }
    }

    /// The first value of a header that the rules know.
    package func header(_ name: HeaderName) -> String? { request[name]?.text }

    /// The first value of any header, by its name in lower case.
    package func header(named name: String) -> String? {
        for field in request.fields where request.name(of: field).text == name {
            return request.value(of: field).text
        }
        return nil
    }

    /// The push type that the record shows: that of the header, or the one derived without it.
    package var pushType: String {
        if let given = header(.apnsPushType) { return given }
        return PushFacts.derivedPushType(topic: header(.apnsTopic), payload: payload).name
    }

    /// The `apns-id` of the answer.
    func hasID(_ id: String) -> Bool { outline.hasID(id, of: request) }

    /// The `apns-id` that the answer carried.
    var answerID: String? {
        if let known = outline.apnsID { return known }
        if outline.echoesID { return header(.apnsID) }
        guard let own = outline.ownID else { return nil }
        return String(unsafeUninitializedCapacity: UniqueID.textLength) { text in
            guard let start = text.baseAddress else { return 0 }
            own.write(to: start, upperCase: true)
            return UniqueID.textLength
        }
    }

    /// The label of the device that has the token now.
    package var deviceLabel: String? {
        token.flatMap { context.world.devices.registration($0)?.device.label }
    }

    /// Whether one of these lints finds something in the push.
    func hasLint(_ lints: Set<Lint>) -> Bool {
        context.hasLint(lints, in: request, outline, payload: payload)
    }

    /// The lints that find something in the push, in their order.
    package var lints: [Lint] {
        let found = context.lintIDs(of: request, outline, payload: payload)
        return Lint.allCases.filter(found.contains)
    }

    /// The body as text in lower case, for people who look for words.
    private(set) lazy var lowercasedBody = Array(request.body.text.lowercased().utf8)

    /// The steps that looking through the body takes.
    var bodySteps: Int { request.body.count / 4 }

    /// The steps of a search that looks at one push.
    package static let largestAlone = 10_000_000
    /// The steps of a fault's condition for one push, which waits for it.
    static let largestOfFault = 50_000
}

package import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// A push for lints and conditions to examine, which parses each part at most once.
///
/// Valid only during the call that provides the request, because it points into the request's bytes.
package final class Candidate {
    package let outline: PushOutline
    /// The data of the inspector, or `nil` when a fault looks at a push that has no response yet.
    let context: PushContext?
    let budget: StepBudget
    let request: RequestView

    lazy var payload: JSONValue? = JSONParser.value(of: body)
    /// What a device reads from the payload.
    private(set) lazy var reading = PayloadReading(
        payload, type: request.deliveredType, special: request[.apnsTopic].flatMap { SpecialTopic($0) },
        isBroadcast: isBroadcast, pushMagic: pushMagic, at: outline.clockTime)
    private(set) lazy var alert = reading.alert
    private(set) lazy var strangers = APSKeys.strangers(in: self)
    private(set) lazy var token: DeviceToken? = request.devicePart.flatMap { DeviceToken(hex: $0) }
    /// The push type, derived if the header is missing, or `nil` if the header's value is unknown.
    private(set) lazy var type: PushType? = {
        // The reading has the type, too, but needs the payload.
        if request[.apnsTopic].flatMap({ SpecialTopic($0) }) == .deviceManagement { return .mdm }
        let isUnknown = request[.apnsPushType].map { PushType($0) == nil } ?? false
        return isUnknown && !isBroadcast ? nil : request.deliveredType
    }()
    /// The provider token without its signature, or why it could not be parsed.
    private(set) lazy var providerToken = ProviderToken.bearer(request[.authorization]).map { text in
        context?.lintHistory.providerToken(text) ?? ProviderToken.parse(text)
    }
    private(set) lazy var lowercasedBody = Array(request.body.text.lowercased().utf8)
    /// What texts without a key are looked for in besides the body, once it was made: the same for any number of texts.
    var searchedValues: [SearchedValue]?
    /// The schemas to check with instead of those of the world.
    var givenSchemas: AppSchemas?
    /// The results of checking its parts with the schemas of its app.
    private(set) lazy var schemaChecks: [AppSchemas.Check] = {
        // Looked up in the rules in force, as the label of the device is.
        guard let schemas = givenSchemas ?? context?.world.ruleset.schemas, !schemas.isEmpty, hasBody, let payload,
            let bundleID
        else { return [] }
        return schemas.checks(of: payload, isActivity: type == .liveactivity, topic: bundleID) { budget.take($0) }
    }()
    private(set) lazy var lints: [Lint] = {
        let found = Set(findings.map(\.lint))
        return Lint.allCases.filter(found.contains)
    }()

    package init(
        _ request: borrowing RequestView, _ outline: PushOutline, in context: PushContext?, _ budget: StepBudget
    ) {
        self.outline = outline
        self.context = context
        self.budget = budget
        // A borrowed view cannot be stored, so create another view of the same bytes.
        self.request = RequestView(
            bytes: request.headerBytes.start.unsafelyUnwrapped, fields: request.fields, index: request.headerIndex,
            body: request.body, bodyLength: request.bodyLength, headerBlockLength: request.headerBlockLength)
    }

    package static func with<Result>(
        _ push: PushRecord, in context: PushContext, _ budget: StepBudget = StepBudget(largestAlone),
        _ use: (Candidate) -> Result
    ) -> Result {
        let request = push.request
        return RequestView.withRequest(
            headers: request.judgedHeaders, body: request.body, bodyLength: Int(push.head.bodyLength)
        ) { use(Candidate($0, PushOutline(push), in: context, budget)) }
    }

    /// What became of the push if it was forwarded to another push service.
    var forward: ForwardRecord? { context?.world.forwards[outline.seq] }

    package var topic: String? { header(.apnsTopic) }

    func spelling(of topic: String) -> TopicSpelling {
        context?.topics.spelling(of: topic, for: type) ?? TopicSpelling(topic, for: type)
    }

    func header(_ name: HeaderName) -> String? { request[name]?.text }

    func header(named name: String) -> String? {
        request.fields.first { request.name(of: $0).text == name }.map { request.value(of: $0).text }
    }

    /// In UNIX seconds.
    var expiration: Int64? { request[.apnsExpiration].flatMap { Expiration($0)?.seconds } }

    /// The push type in the header, or the derived one if the header is missing.
    package var pushType: String? { header(.apnsPushType) ?? type?.name }

    /// The stored part of the body.
    var body: [UInt8] { Array(request.body.bytes) }

    /// Whether there is a body, and it was stored as a whole.
    var hasBody: Bool { !request.body.isEmpty && request.body.count == request.bodyLength }

    var bodySteps: Int { request.body.count / 4 }

    var aps: [String: JSONValue]? { reading.aps }

    var isBroadcast: Bool { request.service == .broadcast }

    var answerID: String? { outline.echoesID ? header(.apnsID) : outline.ownID?.text(upperCase: true) }

    /// The label of the device that the token is registered to.
    ///
    /// It is looked up in the rules in force, so no lock is taken for each candidate.
    var deviceLabel: String? {
        let registrations = outline.registrations ?? context?.world.ruleset.registrations
        return token.flatMap { registrations?.label(of: $0) }
    }

    /// The PushMagic with which the device of the token is enrolled.
    private var pushMagic: String? {
        let registrations = outline.registrations ?? context?.world.ruleset.registrations
        return token.flatMap { registrations?.pushMagic(of: $0) }
    }

    /// The topic that the device token is registered for.
    var topicOfToken: String? {
        let registrations = outline.registrations ?? context?.world.ruleset.registrations
        return token.flatMap { registrations?.topic(of: $0) }
    }

    /// The name of the app, if it was described; it is looked up as the label of the device is.
    var appName: String? {
        guard let names = context?.world.ruleset.appNames, !names.isEmpty else { return nil }
        return bundleID.flatMap { names[$0] }
    }

    /// The app, by the topic or the path.
    private var bundleID: String? {
        topic.map(Topic.bundleID) ?? header(.path).flatMap { outline.head.service.bundleID(inPath: $0) }
    }

    /// The schemas of the push's app, as those of all apps.
    func schemas(_ own: [AppSchemaName: JSONSchema]) -> AppSchemas? {
        guard let bundleID, !own.isEmpty else { return nil }
        return AppSchemas(Dictionary(uniqueKeysWithValues: own.map { (AppKey(app: bundleID, key: $0), $1) }))
    }

    /// Returns the part of the push that a schema of an app describes, if the push is accepted, and has it.
    ///
    /// A push that updates a Live Activity does not name the type of its attributes, and may be of any type.
    package func part(describedBy name: AppSchemaName, of app: String) -> JSONValue? {
        guard outline.isAccepted, bundleID == app, hasBody, budget.take(bodySteps), let payload else { return nil }
        let isActivity = type == .liveactivity
        if name.subject == .payload { return isActivity ? nil : payload }
        guard isActivity else { return nil }
        let attributesType = payload["aps"]?["attributes-type"]?.string
        guard attributesType == name.attributesType || attributesType == nil else { return nil }
        return payload["aps"]?[name.subject.rawValue]
    }

    /// All findings, in the order of `Lint.allCases`.
    var findings: [LintFinding] {
        (isLinted ? Lint.ofOnePush.flatMap { LintNotes($0, on: self).findings } : []) + earlierFindings
    }

    func hasLint(_ lints: Set<Lint>) -> Bool {
        let looksAtHistory = lints.contains(where: \.looksAtHistory)
        if looksAtHistory, earlierFindings.contains(where: { lints.contains($0.lint) }) { return true }
        return isLinted && Lint.ofOnePush.contains { lints.contains($0) && !LintNotes($0, on: self).findings.isEmpty }
    }

    /// Whether this is a POST request to the path of a device or of a broadcast that reached the rules.
    private var isLinted: Bool {
        !outline.hasProblem && request[.method]?.equals("POST") == true
            && (request.devicePart != nil
                || isBroadcast && header(.path).flatMap { Service.broadcast.bundleID(inPath: $0) } != nil)
    }

    private var earlierFindings: [LintFinding] {
        context.map { $0.lintHistory.findings(of: outline.seq, in: $0.world.journal) } ?? []
    }

    package static let largestAlone = 10_000_000
    /// Small because the push waits for the result.
    package static let largestOfFault = 20_000
}

internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The state of the lints that depend on earlier pushes.
///
/// Receives each push in journal order. Every entry belongs to a push and is removed after that push leaves the
/// journal, so memory use is bounded by the size of the journal.
struct LintMemory {
    /// The number of consecutive connections with one push each that counts as a pattern.
    static let pushesOfOneEach = 5
    /// The number of open connections that is still acceptable.
    static let manyConnections = 20
    private static let second: Int64 = 1_000_000
    /// The window in which an identical push counts as a duplicate.
    private static let sameAgain = 60 * second
    /// The shortest delay that makes a difference (inferred).
    private static let delayAfter429 = second
    private static let delayAfter503 = 15 * 60 * second
    private static let tokenUpdateInterval = 20 * 60 * second

    private struct Earlier {
        let seq: UInt64
        let status: UInt16
        let reason: Reason?
        let receivedAt: Timestamp
        let clockTime: Timestamp

        var answer: String { "\(status)" + (reason.map { " \($0.name)" } ?? "") }
    }

    private struct App: Hashable {
        let token: DeviceToken
        let topic: String
    }

    /// The scope includes the connection because short-lived processes, such as test suites, each create a token and
    /// use their own connection.
    private struct Signer: Hashable {
        let connection: UInt64
        let keyID: String
    }

    /// The last accepted token of a signer.
    private struct TokenInUse {
        var seq: UInt64
        let issuedAt: Double
        let since: Timestamp
        let previous: Double?
        /// The last other token that was rejected, so that it is found once.
        var refused: Double?
    }

    /// The reasons that say that a provider token was not accepted.
    private static let refusals: Set<Reason> = [
        .invalidProviderToken, .expiredProviderToken, .badEnvironmentKeyInToken, .badEnvironmentKeyIDInToken,
        .unrelatedKeyIDInToken, .tooManyProviderTokenUpdates,
    ]

    private(set) var findings: [UInt64: [LintFinding]] = [:]
    /// The findings about connections, each once, with the number of the push that led to it.
    private(set) var findingsOfConnections: [UInt64: [(finding: LintFinding, seq: UInt64)]] = [:]
    private var contents: [Int: Earlier] = [:]
    private var named: [String: (push: Earlier, content: Int)] = [:]
    private var dead: [App: Earlier] = [:]
    private var tokens: [Signer: TokenInUse] = [:]
    private var budgets = BudgetUse()
    private var lastToken: (text: [UInt8], parsed: Result<ProviderToken, ProviderToken.Refusal>)?
    private var latestConnections: [(id: UInt64, pushes: Int)] = []
    /// Whether the latest connections had one push each.
    ///
    /// While it holds, each push that opens a connection gets a finding; of the connections, only the first one does.
    private var areSingle = false
    private var connections = 0
    private var weightOfLiving = 0

    var weight: Int {
        findings.count + findingsOfConnections.count + contents.count + named.count + dead.count + tokens.count
            + budgets.count
    }

    /// Calls `times` for the connection times only if they are needed.
    mutating func note(_ request: borrowing RequestView, _ outline: PushOutline, times: () -> ConnectionTimes) {
        noteConnection(outline, times)
        guard !outline.hasProblem, request.devicePart != nil || request.broadcastApp != nil else { return }
        let push = Earlier(
            seq: outline.seq, status: outline.status, reason: outline.reason, receivedAt: outline.receivedAt,
            clockTime: outline.clockTime)
        let content = Self.content(of: request)
        if let earlier = contents.updateValue(push, forKey: content) { compare(push, with: earlier) }
        noteID(request, push, content)
        noteDeviceToken(request, push)
        noteProviderToken(request, outline)
        if push.status == 200, let excess = budgets.note(request, seq: push.seq, at: push.clockTime) {
            find(.budgetExceeded, in: push.seq, excess.message, at: excess.header)
        }
    }

    /// Visits every entry, so it does nothing until the number of entries has about doubled since the last time.
    mutating func forget(before first: UInt64) {
        guard weight > 2 * weightOfLiving + 1_000 else { return }
        findings = findings.filter { $0.key >= first }
        findingsOfConnections = findingsOfConnections.filter { $0.value.contains { $0.seq >= first } }
        contents = contents.filter { $0.value.seq >= first }
        named = named.filter { $0.value.push.seq >= first }
        dead = dead.filter { $0.value.seq >= first }
        tokens = tokens.filter { $0.value.seq >= first }
        budgets.forget(before: first)
        weightOfLiving = weight
    }

    /// Caches the last one, because consecutive pushes usually have the same token.
    mutating func providerToken(_ text: ByteSpan) -> Result<ProviderToken, ProviderToken.Refusal> {
        if let lastToken, lastToken.text.elementsEqual(text.bytes) { return lastToken.parsed }
        let parsed = ProviderToken.parse(text)
        lastToken = (Array(text.bytes), parsed)
        return parsed
    }

    /// Adds a finding to a push, and to its `connection` unless that has one of this lint.
    private mutating func find(
        _ lint: Lint, in seq: UInt64, _ message: String, at header: HeaderName? = nil, on connection: UInt64? = nil
    ) {
        let pointer = header.map { "headers/\($0.text)" }
        let finding = LintFinding(lint: lint, pointer: pointer, message: message, fix: lint.fix)
        findings[seq, default: []].append(finding)
        guard let connection else { return }
        let known = findingsOfConnections[connection, default: []]
        if known.contains(where: { $0.finding.lint == lint }) { return }
        findingsOfConnections[connection] = known + [(finding, seq)]
    }

    /// Returns a hash of the receiver, push type and body, to recognize identical pushes.
    ///
    /// The receiver is a device token and a topic, or an app and a channel.
    private static func content(of request: borrowing RequestView) -> Int {
        var hasher = Hasher()
        if let part = request.devicePart {
            if let token = DeviceToken(hex: part) { hasher.combine(token) } else { hasher.combine(part.text) }
        }
        if let app = request.broadcastApp {
            hasher.combine(app.text)
            hasher.combine(request[.apnsChannelID]?.text)
        }
        hasher.combine(request[.apnsTopic]?.text)
        hasher.combine(request[.apnsPushType]?.text)
        hasher.combine(request.bodyLength)
        hasher.combine(bytes: UnsafeRawBufferPointer(request.body.bytes))
        return hasher.finalize()
    }

    private mutating func compare(_ push: Earlier, with earlier: Earlier) {
        // The world's clock can be advanced or frozen, so use whichever clock shows more elapsed time.
        let elapsed = max(
            push.receivedAt.microseconds(since: earlier.receivedAt),
            push.clockTime.microseconds(since: earlier.clockTime))
        let ago = "\(Self.words(elapsed)) before (seq:\(earlier.seq))"
        switch earlier.status {
        case 200 where push.status == 200 && elapsed < Self.sameAgain:
            find(.samePushTwice, in: push.seq, "the same push was accepted \(ago)")
        case 429 where elapsed < Self.delayAfter429:
            find(.retryTooFastAfter429, in: push.seq, "the same push was answered \(earlier.answer) \(ago)")
        // Shutdown tells the provider to retry on another connection, so an immediate retry is fine.
        case 503 where earlier.reason != .shutdown && elapsed < Self.delayAfter503:
            find(.retryTooFastAfter503, in: push.seq, "the same push was answered 503 \(ago)")
        default: return
        }
    }

    private mutating func noteID(_ request: borrowing RequestView, _ push: Earlier, _ content: Int) {
        let name = request.broadcastApp == nil ? HeaderName.apnsID : .apnsRequestID
        guard let id = request[name]?.text.lowercased(), !id.isEmpty else { return }
        guard let earlier = named.updateValue((push, content), forKey: id) else { return }
        guard earlier.push.status == 200 || earlier.content != content else { return }
        let which = earlier.content == content ? "was accepted" : "is another push"
        let message = "the \(name.text) is that of seq:\(earlier.push.seq), which \(which)"
        find(.apnsIDReused, in: push.seq, message, at: name)
    }

    private mutating func noteDeviceToken(_ request: borrowing RequestView, _ push: Earlier) {
        guard let token = request.devicePart.flatMap({ DeviceToken(hex: $0) }), let topic = request[.apnsTopic]?.text
        else { return }
        let app = App(token: token, topic: topic)
        if push.status == 200 {
            dead[app] = nil
            return
        }
        if let earlier = dead[app] {
            let message = "this device token was answered \(earlier.answer) before (seq:\(earlier.seq))"
            find(.pushToDeadToken, in: push.seq, message, at: .path)
        }
        // Keep the newest 410, so that the entry is not removed along with the first one.
        if push.status == 410 { dead[app] = push }
    }

    private mutating func noteProviderToken(_ request: borrowing RequestView, _ outline: PushOutline) {
        guard let text = ProviderToken.bearer(request[.authorization]), case .success(let token) = providerToken(text)
        else { return }
        let signer = Signer(connection: outline.connectionID, keyID: token.keyID)
        let current = tokens[signer]
        // Requests in flight may still carry the previous token.
        if let current, token.issuedAt == current.issuedAt || token.issuedAt == current.previous {
            tokens[signer]?.seq = outline.seq
            return
        }
        if outline.reason.map(Self.refusals.contains) == true {
            tokens[signer]?.seq = outline.seq
            tokens[signer]?.refused = token.issuedAt
        } else {
            tokens[signer] = TokenInUse(
                seq: outline.seq, issuedAt: token.issuedAt, since: outline.clockTime, previous: current?.issuedAt)
        }
        guard let current, current.refused != token.issuedAt else { return }
        let elapsed = outline.clockTime.microseconds(since: current.since)
        guard elapsed >= 0, elapsed < Self.tokenUpdateInterval else { return }
        let message =
            "the connection has another token of key \(JSONValue.shortened(token.keyID)) \(Self.words(elapsed))"
            + " after the last one that was accepted, which stays valid for requests in flight;"
            + " at least 20 minutes are expected"
        find(.tokenRefreshedTooOften, in: outline.seq, message, at: .authorization, on: outline.connectionID)
    }

    private mutating func noteConnection(_ outline: PushOutline, _ times: () -> ConnectionTimes) {
        if let position = latestConnections.firstIndex(where: { $0.id == outline.connectionID }) {
            latestConnections[position].pushes += 1
            return
        }
        guard outline.requestOnConnection == 1 else { return }
        connections += 1
        latestConnections.append((outline.connectionID, 1))
        if latestConnections.count > Self.pushesOfOneEach { latestConnections.removeFirst() }
        let wereSingle = areSingle
        areSingle =
            latestConnections.count == Self.pushesOfOneEach && latestConnections.allSatisfy { $0.pushes == 1 }
            && times().areOneAfterTheOther(latestConnections.map(\.id))
        if areSingle {
            let message =
                "the last \(Self.pushesOfOneEach - 1) connections were closed after one push each,"
                + " and this is the first on another one"
            let connection = wereSingle ? nil : outline.connectionID
            find(.connectionPerPush, in: outline.seq, message, on: connection)
        }
        guard connections > Self.manyConnections else { return }
        let open = times().open(at: outline.receivedAt)
        if open > Self.manyConnections {
            let message = "\(open) connections are open"
            find(.manyConnections, in: outline.seq, message, on: outline.connectionID)
        }
    }

    private static func words(_ microseconds: Int64) -> String {
        switch max(0, microseconds) {
        case ..<second: "\(max(0, microseconds) / 1_000) ms"
        case ..<(120 * second): "\(microseconds / second) s"
        default: "\(microseconds / (60 * second)) minutes"
        }
    }
}

extension RequestView {
    /// The bundle identifier in the path of a broadcast; `nil` for any other request.
    fileprivate var broadcastApp: ByteSpan? { appParts(for: .broadcast)?.bundleID }
}

package import MockAPNsFormats

/// What a device reads from the payload of a push.
///
/// Warnings, previews, reactions, deliveries, lists and the command line have their values from here, so they cannot
/// disagree about one. Nothing is read before it is asked for. Source: Apple, "Generating a remote notification"
/// (documented), unless a type or a member names another.
package struct PayloadReading: Sendable {
    package let payload: JSONValue?
    /// The type as which the push is delivered.
    package let type: PushType
    /// `nil` for a topic of an app.
    package let special: SpecialTopic?
    package let isBroadcast: Bool
    /// The PushMagic with which the device is enrolled; `nil` if it is not, or not known to be.
    package let pushMagic: String?
    /// When the push came.
    package let now: Timestamp
    /// The members of `aps`, if it is an object.
    package let aps: [String: JSONValue]?

    package init(
        _ payload: JSONValue?, type: PushType, special: SpecialTopic? = nil, isBroadcast: Bool = false,
        pushMagic: String? = nil, at now: Timestamp
    ) {
        self.payload = payload
        self.type = special == .deviceManagement ? .mdm : type
        self.special = special
        self.isBroadcast = isBroadcast
        self.pushMagic = pushMagic
        self.now = now
        aps = if case .object(let members)? = payload?["aps"] { members } else { nil }
    }

    package var alert: AlertText { AlertText(aps?["alert"], of: type) }
    /// Only a notification of an app sets a badge.
    package var badge: PayloadBadge { PayloadBadge(isNotification ? aps?["badge"] : nil) }
    package var sound: PayloadSound { PayloadSound(soundValue) }
    /// Documented: a Live Activity has its sound inside the alert; other pushes that are no notifications have none.
    private var soundValue: JSONValue? {
        if type == .liveactivity { return aps?["alert"]?["sound"] }
        return isNotification ? aps?["sound"] : nil
    }
    private var soundWay: [String] { type == .liveactivity ? ["aps", "alert", "sound"] : ["aps", "sound"] }
    /// Whether the system itself shows the push for an app.
    package var isNotification: Bool { type == .alert && special == nil }
    package var isContentAvailable: Bool { aps?["content-available"]?.isOn == true }
    package var isAlertObject: Bool { aps?["alert"]?.isObject == true }
    package var isContentMutable: Bool { aps?["mutable-content"]?.isOn == true }
    package var category: String? { aps?["category"]?.string }
    package var threadID: String? { aps?["thread-id"]?.string }
    package var targetContentID: String? { aps?["target-content-id"]?.string }
    package var launchImage: String? { aps?["alert"]?["launch-image"]?.string }

    /// The level, or `nil` if there is none that iOS knows, which it takes as `active` (inferred).
    package var interruptionLevel: InterruptionLevel? {
        aps?["interruption-level"]?.string.flatMap { InterruptionLevel(rawValue: $0) }
    }

    /// The score as it is written, if it is valid: from 0 to 1, or any number for a Live Activity.
    package var relevanceScore: JSONValue? {
        aps?["relevance-score"].flatMap { score in
            score.double.map { type == .liveactivity || (0...1).contains($0) } == true ? score : nil
        }
    }

    /// The Live Activity's part, for a push to one.
    package var activity: ActivityReading? {
        type == .liveactivity ? aps.map { ActivityReading($0, isBroadcast: isBroadcast, at: now) } : nil
    }

    /// Whether this is the second kind of push to talk, which names no speaker.
    ///
    /// Staff (https://developer.apple.com/forums/thread/787878): the string is exactly this one.
    package var isServiceUpdate: Bool {
        type == .pushtotalk && aps?["ptt-push-type"]?.string == PayloadMember.serviceUpdate
    }

    /// What receives the push, and so what it does.
    package var kind: PushKind {
        switch special {
        case .deviceManagement: return .deviceManagement
        case .wallet: return .wallet
        case .website: return .website
        case nil: break
        }
        return switch type {
        case .accessory: .accessory
        case .alert: .alert
        case .background: .background
        case .complication: .complication
        case .controls: .controls
        case .fileprovider: .fileProvider
        case .liveactivity where isBroadcast: .broadcast
        case .liveactivity:
            aps?["event"]?.string == ActivityReading.Event.start.rawValue ? .activityStart : .activityUpdate
        case .location: .location
        case .mdm: .deviceManagement
        case .pushtotalk: isServiceUpdate ? .serviceUpdate : .pushToTalk
        case .voip: .voip
        case .widgets: .widgets
        }
    }

    /// Whether the device does nothing with the push, although APNs accepts it.
    ///
    /// An alert that shows nothing is not ignored: it may wake the app.
    package var isIgnored: Bool {
        switch special {
        case .wallet: false
        case .website: !hasURLArguments
        case .deviceManagement, nil:
            type == .liveactivity ? activity?.isIgnored ?? true : !unmetNeeds.isEmpty || foreignMagic != nil
        }
    }

    /// What a push of this type needs and does not have.
    package var unmetNeeds: [PayloadProblem] {
        kind.row.needs.compactMap { need in
            let seen = need.way.reduce(payload) { $0?[$1] }
            guard seen.map(need.isMet) != true else { return nil }
            return PayloadProblem(need.way, invalid: seen, need.expected)
        }
    }
}

// MARK: Problems

extension PayloadReading {
    package var badgeProblems: [PayloadProblem] {
        guard case .ignored(let value) = badge else { return [] }
        return [PayloadProblem(["aps", "badge"], invalid: value, "a whole number of at least 0 is expected")]
    }

    package var soundProblems: [PayloadProblem] {
        let way = soundWay
        switch soundValue {
        case nil, .string?: return []
        case .object(let members)?:
            let keys: [(name: String, expected: String, isValid: (JSONValue) -> Bool)] = [
                ("critical", "0 or 1", { $0.isOn || $0 == false || $0.double == 0 }),
                ("name", "the name of a sound", \.isReadable),
                ("volume", "a number from 0 to 1", { (0...1).contains($0.double ?? -1) }),
            ]
            var problems = keys.compactMap { name, expected, isValid -> PayloadProblem? in
                guard let value = members[name], !isValid(value) else { return nil }
                return PayloadProblem(way + [name], invalid: value, "\(expected) is expected")
            }
            for name in members.keys.sorted() where !keys.contains(where: { $0.name == name }) {
                let shown = JSONValue.shortened(name)
                let message = "'\(shown)' is not a key of sound; critical, name and volume are"
                problems.append(PayloadProblem(way + [name], message))
            }
            if problems.isEmpty, sound.kind == .ignored {
                problems.append(PayloadProblem(way, "sound has no name, so nothing is played"))
            }
            return problems
        case let other?: return [PayloadProblem(way, invalid: other, "a string or an object is expected")]
        }
    }

    package var soundFileProblems: [PayloadProblem] {
        guard let name = sound.name else { return [] }
        let way = soundWay + (soundValue?.isObject == true ? ["name"] : [])
        if sound.isPath {
            let message =
                "the sound '\(JSONValue.shortened(name))' is a path; the name of a file in the app is expected"
            return [PayloadProblem(way, message, fix: "Add the file to the app, and send its name.")]
        }
        guard let ending = sound.wrongExtension else { return [] }
        let message =
            "the sound '\(JSONValue.shortened(name))' is \(ending); iOS plays aiff, wav and caf files, and the system's"
            + " sound instead of others"
        return [PayloadProblem(way, message)]
    }

    package var levelProblems: [PayloadProblem] {
        guard let level = aps?["interruption-level"], interruptionLevel == nil else { return [] }
        let levels = InterruptionLevel.allCases.map(\.rawValue)
        let meant = level.string.flatMap { Suggestion.nearest(to: $0, among: levels) }
        let expected = levels.joined(separator: ", ") + " are the levels"
        let fix = meant.map { "Did you mean '\($0)'?" }
        return [PayloadProblem(["aps", "interruption-level"], invalid: level, expected, fix: fix)]
    }

    package var relevanceProblems: [PayloadProblem] {
        guard let score = aps?["relevance-score"], relevanceScore == nil else { return [] }
        let range = type == .liveactivity ? "" : " from 0 to 1"
        return [
            PayloadProblem(
                ["aps", "relevance-score"], invalid: score, "a number\(range) is expected",
                fix: "Send a number\(range).")
        ]
    }

    /// Members whose value has the wrong form, in the order of their table.
    package var memberProblems: [PayloadProblem] {
        guard let aps else { return [] }
        // A push without what it needs has an error that says more.
        let needed = kind.row.needs.map { $0.way.last }
        let ofAPS = PayloadMember.problems(with: aps, PayloadMember.ofAPS(of: type), at: ["aps"]).filter { problem in
            !needed.contains(problem.way.last)
        }
        guard type != .liveactivity else { return ofAPS }
        guard case .object(let alert)? = aps["alert"] else { return ofAPS + jsonInText }
        return ofAPS + PayloadMember.problems(with: alert, PayloadMember.ofAlert, at: ["aps", "alert"])
    }
}

extension PayloadReading {
    /// An alert that is JSON once more encoded: it is shown as it is.
    private var jsonInText: [PayloadProblem] {
        guard let text = aps?["alert"]?.string, text.first == "{",
            JSONParser.value(of: Array(text.utf8))?.isObject == true
        else { return [] }
        let message = "alert is JSON in a string, which is shown as it is; an object is expected"
        return [PayloadProblem(["aps", "alert"], message, fix: "Send the object itself, not its text.")]
    }
}

// MARK: Topics that are not an app's

extension PayloadReading {
    /// Documented: `url-args` is required, and may be empty.
    private var hasURLArguments: Bool {
        guard case .array(let values)? = aps?["url-args"] else { return false }
        return values.allSatisfy { $0.string != nil }
    }

    /// A PushMagic that is not the one with which the device is enrolled (inferred: the device ignores the push).
    private var foreignMagic: PayloadProblem? {
        guard type == .mdm, let pushMagic, let seen = payload?["mdm"], seen.isReadable, seen.string != pushMagic else {
            return nil
        }
        return PayloadProblem(
            ["mdm"], invalid: seen,
            "the device is enrolled with the PushMagic '\(JSONValue.shortened(pushMagic))', and ignores others",
            fix: "Send the PushMagic of the device's latest TokenUpdate.")
    }

    /// What is wrong with a payload for a topic that is not an app's, or with an MDM push to any topic.
    package var specialProblems: [PayloadProblem] {
        guard case .object(let members)? = payload else { return [] }
        if type == .mdm {
            return unmetNeeds + [foreignMagic].compactMap(\.self)
                + members.keys.sorted().filter { $0 != "mdm" }.map { name in
                    PayloadProblem(
                        [name], "'\(JSONValue.shortened(name))' is beside mdm; an MDM push has nothing but mdm",
                        fix: "Send {\"mdm\":\"<PushMagic>\"}.")
                }
        }
        switch special {
        case .wallet:
            return ["alert", "badge", "sound"].filter { aps?[$0] != nil }.prefix(1).map { name in
                PayloadProblem(
                    ["aps", name],
                    "\(name) is in a push to Wallet, which shows nothing of it: it only asks for the new pass",
                    fix: "Send {}, and change the pass: its changeMessage is what the user sees.")
            }
        case .website:
            guard let aps else { return [] }
            var problems: [PayloadProblem] = []
            if !hasURLArguments {
                let fix = "Send a string for each placeholder of urlFormatString in website.json, or []."
                if let position = aps["url-args"].entries.firstIndex(where: { $0.string == nil }) {
                    let way = ["aps", "url-args", "\(position)"]
                    let message = "url-args has \(aps["url-args"].entries[position].words); strings are expected"
                    problems.append(PayloadProblem(way, message, fix: fix))
                } else {
                    let expected = "an array of strings is expected of a push to a website, which may be empty"
                    problems.append(PayloadProblem(["aps", "url-args"], invalid: aps["url-args"], expected, fix: fix))
                }
            }
            let fix = "Send alert as an object with title and body."
            guard case .object(let alert)? = aps["alert"] else {
                let expected = "an object with title and body is expected of a push to a website"
                return problems + [PayloadProblem(["aps", "alert"], invalid: aps["alert"], expected, fix: fix)]
            }
            for name in ["title", "body"] where alert[name]?.isReadable != true {
                let expected = "a text is expected in the alert of a push to a website"
                problems.append(PayloadProblem(["aps", "alert", name], invalid: alert[name], expected, fix: fix))
            }
            return problems
        case .deviceManagement, nil: return []
        }
    }
}

package import MockAPNsFormats

/// What a Live Activity reads from the `aps` of a push.
///
/// Documented: Apple, "Starting and updating Live Activities with ActivityKit push notifications", unless a rule names
/// another source. What makes a device ignore the push is one list, so a warning and the reaction of the device agree.
package struct ActivityReading: Sendable {
    package enum Event: String, CaseIterable, Sendable {
        case start
        case update
        case end
    }

    package let event: Event?
    /// The channel that a start names, which the activity follows instead of a token.
    package let inputChannel: String?
    /// Why the activity ignores the push.
    package private(set) var faults: [PayloadProblem] = []
    /// The same as names, in the same order.
    package private(set) var refusals: [ActivityRefusal] = []
    /// The time of the push as it claims, in UNIX seconds; `nil` if it is not a number of at least 0.
    package private(set) var timestamp: Double?
    /// What is wrong with the alert; the rest of the push has its effect.
    package private(set) var alertProblems: [PayloadProblem] = []
    package private(set) var dateProblems: [PayloadProblem] = []
    /// Members that are on the wrong event, in the wrong place or exclude each other.
    package private(set) var memberProblems: [PayloadProblem] = []

    private let aps: [String: JSONValue]
    private let now: Double

    /// Claimed (mfaani.com): a timestamp that is 10 seconds old is good, and one that is 200 seconds old is not.
    private static let oldest = 200.0
    /// Staff (https://developer.apple.com/forums/thread/776165).
    private static let farthest = 28_800.0

    /// The members that are read for one event only, each with that event.
    private static let events: [(name: String, event: Event)] = [
        ("attributes", .start), ("attributes-type", .start), ("dismissal-date", .end), ("input-push-channel", .start),
        ("input-push-token", .start),
    ]

    package init(_ aps: [String: JSONValue], isBroadcast: Bool, at now: Timestamp) {
        self.aps = aps
        self.now = now.seconds
        event = aps["event"]?.string.flatMap { Event(rawValue: $0) }
        inputChannel = aps["input-push-channel"]?.string
        readEvent(isBroadcast)
        readTimestamp()
        if let event { readContent(of: event) }
        readAlert()
        readDates()
        readMembers()
    }

    package var isIgnored: Bool { !faults.isEmpty }

    /// The first reason why the activity ignores the push.
    package var refusal: ActivityRefusal? { refusals.first }

    /// Returns what this push has to do with a refusal: what was seen and expected.
    package func problem(of refusal: ActivityRefusal) -> PayloadProblem? {
        refusals.firstIndex(of: refusal).map { faults[$0] }
    }

    /// The state that the push sets, if it is an object.
    package var contentState: JSONValue? { aps["content-state"].flatMap { $0.isObject ? $0 : nil } }
    /// What a start says about the activity for its whole life, if it is an object.
    package var attributes: JSONValue? { aps["attributes"].flatMap { $0.isObject ? $0 : nil } }
    /// The name of the structure of the attributes.
    package var attributesType: String? { aps["attributes-type"]?.string }
    /// When the content becomes stale, in UNIX seconds as written.
    package var staleDate: Double? { date("stale-date") }
    /// When an ended activity leaves the lock screen, in UNIX seconds as written.
    package var dismissalDate: Double? { date("dismissal-date") }
    /// Whether a start asks for an update token.
    package var wantsToken: Bool { aps["input-push-token"]?.isOn == true }

    private func date(_ name: String) -> Double? { aps[name]?.double.flatMap { $0 >= 0 ? $0 : nil } }

    private mutating func refuse(_ refusal: ActivityRefusal, _ problem: PayloadProblem) {
        refusals.append(refusal)
        faults.append(problem)
    }

    /// Whether the activity ends and goes at once.
    package var isDismissedAtOnce: Bool { event == .end && aps["dismissal-date"]?.double.map { $0 <= now } == true }

    private mutating func readEvent(_ isBroadcast: Bool) {
        let events = Event.allCases.map(\.rawValue)
        if event == nil {
            let seen = aps["event"]
            let meant = seen?.string.flatMap { Suggestion.nearest(to: $0, among: events) }
            let fix = meant.map { "Did you mean '\($0)'?" }
            refuse(
                .unknownEvent,
                PayloadProblem(["aps", "event"], invalid: seen, "start, update or end is expected", fix: fix))
        }
        // Inferred: Apple names update and end for broadcasts, and a start needs a push-to-start token.
        if isBroadcast, event == .start {
            let fix = "Send event start to the push-to-start token of each device, with input-push-channel."
            refuse(
                .broadcastStart,
                PayloadProblem(["aps", "event"], "event is start; a broadcast only updates and ends", fix: fix))
        }
    }

    private mutating func readTimestamp() {
        let way = ["aps", "timestamp"]
        guard let value = aps["timestamp"], let seconds = value.double, seconds >= 0 else {
            let expected = "a number of UNIX seconds is expected"
            refuse(.timestampMissing, PayloadProblem(way, invalid: aps["timestamp"], expected))
            return
        }
        timestamp = seconds
        if let problem = unit(of: seconds, value, "timestamp") {
            // Staff: only an update is ignored for its age. Milliseconds are no time at all.
            if event == .update || WrittenTime.of(seconds) != nil {
                refuse(.timestampUnit, problem)
            } else {
                dateProblems.append(problem)
            }
            return
        }
        guard event == .update else { return }
        if seconds < now - Self.oldest {
            let age = counted(Int(min(now - seconds, 1e15)), "second", "seconds")
            let message = "timestamp is \(value.words), \(age) ago; a device drops an update from the past"
            refuse(.timestampPast, PayloadProblem(way, message, fix: "Send the time at which the push is sent."))
        } else if seconds > now + Self.farthest {
            let message = "timestamp is \(value.words), more than 8 hours ahead; a device drops such an update"
            refuse(.timestampAhead, PayloadProblem(way, message, fix: "Send the time at which the push is sent."))
        }
    }

    /// Returns a problem if a date is in a smaller unit or counts from 2001.
    private func unit(of seconds: Double, _ value: JSONValue, _ name: String) -> PayloadProblem? {
        if let unit = WrittenTime.of(seconds) {
            let message = "\(name) is \(value.words), which looks like \(unit.name); UNIX seconds are expected"
            return PayloadProblem(["aps", name], message, fix: "Divide by \(unit.perSecond).")
        }
        return WrittenTime.since2001(seconds, at: now).map { meant in
            PayloadProblem(
                ["aps", name],
                "\(name) is \(value.words), which looks like seconds since 2001; seconds since 1970 are expected",
                fix: "Send \(meant): timeIntervalSince1970 instead of timeIntervalSinceReferenceDate.")
        }
    }

    private mutating func readContent(of event: Event) {
        var wanted: [(name: String, expected: String, refusal: ActivityRefusal, isValid: (JSONValue) -> Bool)] = []
        // Documented as recommended for end, where it is the last state that is shown.
        if event != .end || aps["content-state"] != nil {
            let refusal: ActivityRefusal = aps["content-state"] == nil ? .contentStateMissing : .contentStateForm
            wanted.append(("content-state", "an object", refusal, \.isObject))
        } else {
            let message = "content-state is absent; with event end, the state before stays on the screen"
            memberProblems.append(PayloadProblem(["aps"], message, fix: "Send the last state with event end."))
        }
        if event == .start {
            wanted += [
                ("attributes-type", "a string", .attributesTypeMissing, \.isReadable),
                ("attributes", "an object", .attributesMissing, \.isObject),
            ]
            if !hasAlert { for (refusal, problem) in alertFaults { refuse(refusal, problem) } }
            // Documented: an invalid id makes the start fail.
            if let channel = aps["input-push-channel"], channel.string.map(ChannelID.isWellFormed) != true {
                refuse(
                    .channelForm,
                    PayloadProblem(
                        ["aps", "input-push-channel"], invalid: channel,
                        "the id of a channel, in Base64, is expected of event start"))
            }
        }
        for (name, expected, refusal, isValid) in wanted where aps[name].map(isValid) != true {
            let expected = "\(expected) is expected of event \(event.rawValue)"
            refuse(refusal, PayloadProblem(["aps", name], invalid: aps[name], expected))
        }
    }

    /// Why the alert of a start has neither a title nor a body.
    private var alertFaults: [(ActivityRefusal, PayloadProblem)] {
        let expected = "an object with title and body is expected of event start"
        guard case .object(let members)? = aps["alert"] else {
            let refusal: ActivityRefusal = aps["alert"] == nil ? .alertMissing : .alertForm
            return [(refusal, PayloadProblem(["aps", "alert"], invalid: aps["alert"], expected))]
        }
        let texts = ["title", "body"].filter { members[$0] != nil }
        guard texts.isEmpty else {
            return texts.map { name in
                let expected = "a string, or an object with loc-key and loc-args, is expected of event start"
                return (.alertWithoutText, PayloadProblem(["aps", "alert", name], invalid: members[name], expected))
            }
        }
        let names = members.keys.sorted()
        let shown = names.prefix(4).map(JSONValue.shortened).joined(separator: ", ")
        let message = "alert has \(names.isEmpty ? "no member" : shown); title and body are expected of event start"
        let fix = names.lazy.compactMap(Self.place).first
        return [(.alertWithoutText, PayloadProblem(["aps", "alert"], message, fix: fix))]
    }

    /// How to write the localization key of a notification for a Live Activity.
    private static func place(of name: String) -> String? {
        guard name.hasSuffix("loc-key") || name.hasSuffix("loc-args") else { return nil }
        let text = name.hasPrefix("title") ? "title" : "body"
        return "Put it into \(text): {\"\(text)\":{\"loc-key\":…,\"loc-args\":[…]}}."
    }

    /// Whether there is a text of the alert in one of its forms, which may be empty.
    private var hasAlert: Bool { ["title", "body"].contains { name in aps["alert"]?[name].map(Self.isText) == true } }

    private static func isText(_ value: JSONValue) -> Bool { value.string != nil || value["loc-key"]?.string != nil }

    private mutating func readAlert() {
        guard let alert = aps["alert"], event != .start || hasAlert else { return }
        guard case .object(let members) = alert else {
            let expected = "an object with title and body is expected of a Live Activity"
            alertProblems = [
                PayloadProblem(["aps", "alert"], invalid: alert, expected, fix: "Send {\"title\":…,\"body\":…}.")
            ]
            return
        }
        for name in ["title", "body"] {
            guard members[name].map(Self.isText) != true, members[name] != nil || !hasAlert else { continue }
            let expected = "a string, or an object with loc-key and loc-args, is expected of a Live Activity"
            alertProblems.append(PayloadProblem(["aps", "alert", name], invalid: members[name], expected))
        }
        let strangers = PayloadMember.ofAlert.map(\.name).filter {
            members[$0] != nil && !PayloadMember.ofActivityAlert.contains($0)
        }
        for name in strangers {
            let message = "\(name) is a key of notifications; the alert of a Live Activity has title, body and sound"
            alertProblems.append(PayloadProblem(["aps", "alert", name], message, fix: Self.place(of: name)))
        }
        if hasAlert, !AlertText(alert, of: .liveactivity).hasText {
            alertProblems.append(
                PayloadProblem(["aps", "alert"], "alert has no text; a title and a body are expected"))
        }
    }

    private mutating func readDates() {
        for name in ["stale-date", "dismissal-date"] {
            guard let value = aps[name] else { continue }
            guard let seconds = value.double, seconds >= 0 else {
                let expected = "a number of UNIX seconds is expected"
                dateProblems.append(PayloadProblem(["aps", name], invalid: value, expected))
                continue
            }
            if let problem = unit(of: seconds, value, name) {
                dateProblems.append(problem)
            } else if name == "stale-date", event != .end, seconds < now {
                let message = "stale-date is \(value.words), which is in the past: the content is stale at once"
                dateProblems.append(PayloadProblem(["aps", name], message, fix: "Send a future time."))
            }
        }
    }

    private mutating func readMembers() {
        for (name, owner) in Self.events where aps[name] != nil && event != nil && event != owner {
            let message = "\(name) is only for event \(owner.rawValue); event \(event?.rawValue ?? "") ignores it"
            let fix = "Omit it, or send event \(owner.rawValue)."
            memberProblems.append(PayloadProblem(["aps", name], message, fix: fix))
        }
        if aps["sound"] != nil {
            let message = "sound is beside the alert; the sound of a Live Activity is in it"
            memberProblems.append(
                PayloadProblem(["aps", "sound"], message, fix: "Put sound into alert: {\"alert\":{\"sound\":…}}."))
        }
        if let token = aps["input-push-token"], !token.isOn {
            memberProblems.append(
                PayloadProblem(["aps", "input-push-token"], invalid: token, "the number 1 is expected"))
        }
        if aps["input-push-token"] != nil, aps["input-push-channel"] != nil {
            let message = "input-push-channel and input-push-token exclude each other"
            let fix = "Send input-push-token for updates by token, or input-push-channel for broadcasts."
            memberProblems.append(PayloadProblem(["aps", "input-push-channel"], message, fix: fix))
        }
    }
}

internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld
internal import NIOConcurrencyHelpers

/// Finds the header that a provider meant by a name that APNs does not know.
///
/// Documented: APNs ignores unknown headers, so what a misspelt one was meant to do does not happen.
enum HeaderSpelling {
    /// What was meant by a name.
    enum Meaning: Equatable {
        case header(HeaderName)
        /// A member of `aps`, which is not a header.
        case member(String)
    }

    /// Names that are not spelt like the header that they stand for.
    ///
    /// To add one, add a row.
    static let aliases: [String: HeaderName] = [
        "expiry": .apnsExpiration, "expire": .apnsExpiration, "expires": .apnsExpiration, "exp": .apnsExpiration,
        "expirationdate": .apnsExpiration, "expirationtime": .apnsExpiration, "expirydate": .apnsExpiration,
        "expiresat": .apnsExpiration, "timetolive": .apnsExpiration, "ttl": .apnsExpiration, "prio": .apnsPriority,
        "prioritylevel": .apnsPriority, "type": .apnsPushType, "notificationtype": .apnsPushType,
        "bundleid": .apnsTopic, "bundle": .apnsTopic, "bundleidentifier": .apnsTopic, "appid": .apnsTopic,
        "messageid": .apnsID, "notificationid": .apnsID, "uuid": .apnsID, "collapsekey": .apnsCollapseID,
        "collapse": .apnsCollapseID, "collapseidentifier": .apnsCollapseID, "channel": .apnsChannelID,
        "jwt": .authorization, "bearer": .authorization, "bearertoken": .authorization, "providertoken": .authorization,
        "authtoken": .authorization,
    ]

    /// The headers of APNs with their names, which are compared with those of every push that is shown.
    private static let headers = HeaderName.allCases.filter { $0 != .other && !$0.isPseudoHeader }.map {
        (header: $0, text: $0.text.description)
    }
    /// The headers by their letters without `apns`, and the members of `aps` by theirs.
    private static let cores = Dictionary(
        headers.map { (core(of: $0.text), $0.header) }, uniquingKeysWith: { first, _ in first })
    private static let members = Dictionary(
        PayloadMember.ofAPS.map { (PayloadMember.letters(of: $0.name), $0) }, uniquingKeysWith: { first, _ in first })
    /// Headers whose names no other service has, so that they are meant without `apns`, too; `x-request-id` may be for any.
    ///
    /// Of `authorization`, only one that is absent is reported.
    static let distinct: Set<HeaderName> = [
        .apnsCollapseID, .apnsExpiration, .apnsPriority, .apnsPushType, .apnsTopic, .authorization,
    ]
    /// Names of other headers, also after `x-`: `priority` is one of HTTP itself (RFC 9218), the rest is in wide use.
    static let foreign: Set<String> = [
        "appid", "bundle", "channel", "exp", "expire", "expires", "expiresat", "priority", "timetolive", "ttl", "type",
    ]
    /// The number of wrong letters up to which a name is a misspelt one.
    private static let mostEdits = 2
    private static let longest = 40

    /// Returns what a name stands for; `nil` for one that is not meant for APNs.
    static func meaning(of name: String, isBroadcast: Bool) -> Meaning? {
        guard name.utf8.count <= longest else { return nil }
        let isOfAPNs = name.lowercased().contains("apns")
        var letters = PayloadMember.letters(of: name)
        if letters.hasPrefix("x") { letters.removeFirst() }
        for prefix in ["apns", "apple"] where letters.hasPrefix(prefix) { letters.removeFirst(prefix.count) }
        guard isOfAPNs || !foreign.contains(letters) else { return nil }
        if let same = cores[letters] ?? aliases[letters] {
            let isMeant = isOfAPNs || distinct.contains(same) || isBroadcast && same == .apnsChannelID
            return isMeant ? .header(same) : nil
        }
        if let member = members[letters] {
            // Without a prefix, only names of two words: `sound` and `badge` may be anything.
            let isMeant = isOfAPNs || member.isUnmistakable && member.name.contains("-")
            return isMeant ? .member(member.name) : nil
        }
        let wanted = name.lowercased()
        let allowed = wanted.utf8.count < 9 ? 1 : mostEdits
        // The distance is at least the difference of the lengths, and takes longer to compute.
        let alike = headers.filter { abs($0.text.utf8.count - wanted.utf8.count) <= allowed }
        let near = alike.map { ($0.header, Suggestion.distance(wanted, $0.text)) }.min { $0.1 < $1.1 }
        guard let near, near.1 <= allowed else { return nil }
        return .header(near.0)
    }

    private struct Question: Hashable {
        let name: String
        let isBroadcast: Bool
    }
    private static let meanings = NIOLockedValueBox<[Question: Meaning?]>([:])
    private static let mostRemembered = 500

    /// The same, without a comparison for a name that was asked for before: a provider sends the same with each push.
    private static func remembered(_ name: String, isBroadcast: Bool) -> Meaning? {
        guard name.utf8.count <= longest else { return nil }
        let question = Question(name: name, isBroadcast: isBroadcast)
        if let known = meanings.withLockedValue({ $0[question] }) { return known }
        let meaning = meaning(of: name, isBroadcast: isBroadcast)
        meanings.withLockedValue { meanings in
            if meanings.count >= mostRemembered { meanings = [:] }
            meanings[question] = .some(meaning)
        }
        return meaning
    }

    /// The letters of a header without `apns`.
    private static func core(of header: String) -> String {
        let letters = PayloadMember.letters(of: header)
        return letters.hasPrefix("apns") ? String(letters.dropFirst(4)) : letters
    }

    static func check(_ push: Candidate, _ notes: inout LintNotes) {
        guard !push.outline.isBinary else { return }
        for field in push.request.fields where field.name == .other {
            let name = push.request.name(of: field).text
            guard let meaning = remembered(name, isBroadcast: push.isBroadcast) else { continue }
            let seen = JSONValue.shortened(name)
            switch meaning {
            case .header(let header):
                // A provider that sends the right one, too, loses nothing.
                guard push.request[header] == nil else { continue }
                // A certificate authenticates the push without it.
                guard header != .authorization || push.outline.certificate.isEmpty else { continue }
                notes.add(
                    header: name, "'\(seen)' is not a header of APNs, which ignores it",
                    fix: "Did you mean \(header.text)?")
            case .member(let member):
                guard push.aps?[member] == nil else { continue }
                notes.add(
                    header: name, "'\(seen)' is not a header of APNs, but a key of the payload",
                    fix: "Put \(member) into aps: {\"aps\":{\"\(member)\":…}}.")
            }
        }
    }
}

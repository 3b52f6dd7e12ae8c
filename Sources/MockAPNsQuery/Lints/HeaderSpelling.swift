internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

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
    private static let aliases: [String: HeaderName] = [
        "expiry": .apnsExpiration, "expire": .apnsExpiration, "expires": .apnsExpiration,
        "exp": .apnsExpiration,
        "expirationdate": .apnsExpiration, "expirationtime": .apnsExpiration, "expirydate": .apnsExpiration,
        "expiresat": .apnsExpiration, "timetolive": .apnsExpiration, "ttl": .apnsExpiration,
        "prio": .apnsPriority, "prioritylevel": .apnsPriority,
        "type": .apnsPushType, "notificationtype": .apnsPushType,
        "bundleid": .apnsTopic, "bundle": .apnsTopic, "bundleidentifier": .apnsTopic, "appid": .apnsTopic,
        "messageid": .apnsID, "notificationid": .apnsID, "uuid": .apnsID,
        "collapsekey": .apnsCollapseID, "collapse": .apnsCollapseID, "collapseidentifier": .apnsCollapseID,
        "channel": .apnsChannelID,
        "jwt": .authorization, "bearer": .authorization, "bearertoken": .authorization,
        "providertoken": .authorization, "authtoken": .authorization,
    ]

    private static let headers = HeaderName.allCases.filter { $0 != .other && !$0.isPseudoHeader }
    /// Headers whose names no other service has, so that they are meant without `apns`, too; `x-request-id` may be for any.
    ///
    /// Of `authorization`, only one that is absent is reported.
    private static let distinct: Set<HeaderName> = [
        .apnsCollapseID, .apnsExpiration, .apnsPriority, .apnsPushType, .apnsTopic, .authorization,
    ]
    /// Names of other headers, also after `x-`: `priority` is one of HTTP itself (RFC 9218), the rest is in wide use.
    private static let foreign: Set<String> = [
        "appid", "bundle", "channel", "exp", "expire", "expires", "expiresat", "priority", "timetolive",
        "ttl",
        "type", "uuid",
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
        if let same = headers.first(where: { core(of: $0) == letters }) ?? aliases[letters] {
            let isMeant = isOfAPNs || distinct.contains(same) || isBroadcast && same == .apnsChannelID
            return isMeant ? .header(same) : nil
        }
        if let member = PayloadMember.ofAPS.first(where: { PayloadMember.letters(of: $0.name) == letters }) {
            // Without a prefix, only names of two words: `sound` and `badge` may be anything.
            let isMeant = isOfAPNs || member.isUnmistakable && member.name.contains("-")
            return isMeant ? .member(member.name) : nil
        }
        let wanted = name.lowercased()
        let near = headers.map { ($0, Suggestion.distance(wanted, $0.text.description)) }
            .min { $0.1 < $1.1 }
        guard let near, near.1 <= (wanted.utf8.count < 9 ? 1 : mostEdits) else { return nil }
        return .header(near.0)
    }

    /// The letters of a header without `apns`.
    private static func core(of header: HeaderName) -> String {
        let letters = PayloadMember.letters(of: header.text.description)
        return letters.hasPrefix("apns") ? String(letters.dropFirst(4)) : letters
    }

    static func check(_ push: Candidate, _ notes: inout LintNotes) {
        guard !push.outline.isBinary else { return }
        for field in push.request.fields where field.name == .other {
            let name = push.request.name(of: field).text
            guard let meaning = meaning(of: name, isBroadcast: push.isBroadcast) else { continue }
            let seen = JSONValue.shortened(name)
            switch meaning {
            case .header(let header):
                // A provider that sends the right one, too, loses nothing.
                guard push.request[header] == nil else { continue }
                // A certificate authenticates the push without it.
                guard header != .authorization || push.outline.certificate.isEmpty else { continue }
                notes.add(
                    header: name,
                    "'\(seen)' is not a header of APNs, which ignores it",
                    fix: "Did you mean \(header.text)?"
                )
            case .member(let member):
                guard push.aps?[member] == nil else { continue }
                notes.add(
                    header: name,
                    "'\(seen)' is not a header of APNs, but a key of the payload",
                    fix: "Put \(member) into aps: {\"aps\":{\"\(member)\":…}}."
                )
            }
        }
    }
}

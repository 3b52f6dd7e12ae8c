import MockAPNsRules
import Testing

@testable import MockAPNsQuery

/// The table of misspelt headers: each row has an effect, and none is misspelt itself.
///
/// The rows are written here once more, so that a changed or removed one fails; a new row is added in both places.
@Suite struct HeaderSpellingTests {
    private static let aliases: [HeaderName: [String]] = [
        .apnsExpiration: [
            "expiry", "expire", "expires", "exp", "expirationdate", "expirationtime", "expirydate", "expiresat",
            "timetolive", "ttl",
        ], .apnsPriority: ["prio", "prioritylevel"], .apnsPushType: ["type", "notificationtype"],
        .apnsTopic: ["bundleid", "bundle", "bundleidentifier", "appid"],
        .apnsID: ["messageid", "notificationid", "uuid"],
        .apnsCollapseID: ["collapsekey", "collapse", "collapseidentifier"], .apnsChannelID: ["channel"],
        .authorization: ["jwt", "bearer", "bearertoken", "providertoken", "authtoken"],
    ]
    /// The headers that are meant without `apns`, too, each by a name that no other service has.
    private static let distinct: [HeaderName: String] = [
        .apnsCollapseID: "collapse-id", .apnsExpiration: "expiration", .apnsPriority: "prio",
        .apnsPushType: "push-type", .apnsTopic: "topic", .authorization: "x-authorization",
    ]
    private static let foreign: Set = [
        "appid", "bundle", "channel", "exp", "expire", "expires", "expiresat", "priority", "timetolive", "ttl", "type",
    ]

    private func meaning(_ name: String, isBroadcast: Bool = false) -> HeaderSpelling.Meaning? {
        HeaderSpelling.meaning(of: name, isBroadcast: isBroadcast)
    }

    @Test func `a header name with another spelling is recognized`() {
        #expect(Self.aliases.values.map(\.count).reduce(0, +) == HeaderSpelling.aliases.count)
        for (header, names) in Self.aliases {
            for name in names {
                for text in ["apns-\(name)", "X-APNS-\(name)", "apns_\(name)"] {
                    #expect(meaning(text) == .header(header), "\(text)")
                }
                // Without apns, only where no other service has the name.
                let isMeant = Self.distinct[header] != nil && !Self.foreign.contains(name)
                #expect(meaning(name) == (isMeant ? .header(header) : nil), "\(name)")
            }
        }
    }

    @Test func `a header name without apns- is recognized`() {
        #expect(Set(Self.distinct.keys) == HeaderSpelling.distinct)
        for (header, name) in Self.distinct { #expect(meaning(name) == .header(header), "\(name)") }
        #expect(meaning("channel-id", isBroadcast: true) == .header(.apnsChannelID))
        #expect(meaning("channel-id") == nil && meaning("request-id") == nil)
    }

    /// A name is only in the list if it would be taken for a header of APNs without.
    @Test func `names of other headers are not taken for misspelled ones`() {
        #expect(Self.foreign == HeaderSpelling.foreign)
        for name in Self.foreign {
            for text in [name, "x-\(name)"] { #expect(meaning(text, isBroadcast: true) == nil, "\(text)") }
            guard case .header(let header)? = meaning("apns-\(name)", isBroadcast: true) ?? own(name) else {
                Issue.record("\(name) is not taken for a header")
                continue
            }
            #expect(Self.distinct[header] != nil || header == .apnsChannelID, "\(name)")
        }
    }

    /// The header with this name after `apns-`.
    private func own(_ name: String) -> HeaderSpelling.Meaning? {
        HeaderName.allCases.first { $0.text.description == "apns-\(name)" }.map { .header($0) }
    }
}

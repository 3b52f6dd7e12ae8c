internal import MockAPNsFormats

extension Check {
    static let singleHeaders = Check(
        "single-headers", .headers, [.duplicateHeaders], isStable: true,
        expects: "authorization and every apns- header at most once", cause: { request, _ in request.repeatedHeader }
    ) { request, _ in request.hasDuplicateHeaders ? .duplicateHeaders : nil }

    static let messageID = Check(
        "apns-id", .headers, [.badMessageID], .header(.apnsID), expects: "a canonical UUID, 8-4-4-4-12 hex digits",
        cause: { request, _ in .messageID(request[.apnsID], in: .apnsID) }
    ) { request, situation in
        guard let value = request[.apnsID] else { return nil }
        let lowerCaseOnly = situation.options.requiresLowerCaseID
        return UniqueID.isCanonical(value, lowerCaseOnly: lowerCaseOnly) ? nil : .badMessageID
    }

    /// Observed: a fraction is rejected, and a time far in the past is accepted.
    ///
    /// Inferred: sign, space and overflow are rejected.
    static let expiration = Check(
        "apns-expiration", .headers, [.badExpirationDate], .header(.apnsExpiration), isStable: true,
        expects: "a whole number of UNIX seconds, or 0",
        cause: { request, _ in
            let seen = request[.apnsExpiration]?.text ?? ""
            return .header(.expiration(seen: seen, ExpirationFlaw(seen)))
        }
    ) { request, _ in
        guard let value = request[.apnsExpiration] else { return nil }
        return Expiration(value) == nil ? .badExpirationDate : nil
    }

    static let priority = Check(
        "apns-priority", .headers, [.badPriority], .header(.apnsPriority), isStable: true, expects: "10, 5 or 1",
        cause: { request, _ in .header(.priority(seen: request[.apnsPriority]?.text ?? "")) }
    ) { request, _ in
        guard let value = request[.apnsPriority] else { return nil }
        return Priority(value) == nil ? .badPriority : nil
    }

    static let collapseID = Check(
        "apns-collapse-id", .headers, [.badCollapseID], .header(.apnsCollapseID), isStable: true,
        expects: "at most 64 bytes",
        cause: { request, _ in
            let seen = request[.apnsCollapseID]?.text ?? ""
            return .header(.collapseID(bytes: seen.utf8.count, characters: seen.count))
        }
    ) { request, _ in
        guard let value = request[.apnsCollapseID] else { return nil }
        return value.count <= 64 ? nil : .badCollapseID
    }

    static let pushType = Check(
        "apns-push-type", .headers, [.invalidPushType], .header(.apnsPushType), isStable: true,
        expects: "a documented push type in lower case, or no header",
        cause: { request, _ in
            let seen = request[.apnsPushType]?.text ?? ""
            let likely = Suggestion.nearest(to: seen, among: PushType.allCases.map(\.name))
            return .header(.pushType(seen: seen, likely: likely))
        }
    ) { request, _ in
        guard let value = request[.apnsPushType] else { return nil }
        return PushType(value) == nil ? .invalidPushType : nil
    }

    /// Documented as an error without a reason; BadPriority is claimed by several clients.
    ///
    /// Documented also for the binary interface, where only the payload shows that a push is a background
    /// push.
    static let priorityForPushType = Check(
        "priority-for-push-type", .headers, [.badPriority], .header(.apnsPriority), isStable: true,
        expects: "5 for a background push",
        cause: { _, evidence in .header(.backgroundPriority(isBinary: evidence.isBinary)) }
    ) { request, situation in
        guard !situation.options.allowsImmediateBackground, let priority = request[.apnsPriority],
            Priority(priority) == .immediate
        else { return nil }
        let type = situation.isBinary ? request.deliveredType : request[.apnsPushType].flatMap { PushType($0) }
        return type?.row.refusesImmediate == true ? .badPriority : nil
    }
}

/// The value of `apns-expiration`: the time until which a push may be stored.
///
/// Documented: 0 means one attempt, which differs from an absent header.
public struct Expiration: Equatable, Sendable {
    /// The time in UNIX seconds.
    public let seconds: Int64

    /// Parses the header's value: digits only, within 63 bits.
    public init?(_ value: ByteSpan) {
        // Nineteen digits always fit into 64 bits; leading zeros do not count.
        var rest = value
        while rest.count > 19, rest[0] == UInt8(ascii: "0") { rest = rest.dropFirst(1) }
        guard (1...19).contains(rest.count) else { return nil }
        var seconds: UInt64 = 0
        for byte in rest.bytes {
            let digit = byte &- 0x30
            guard digit < 10 else { return nil }
            seconds = seconds &* 10 &+ UInt64(digit)
        }
        guard let seconds = Int64(exactly: seconds) else { return nil }
        self.seconds = seconds
    }
}

extension Cause {
    /// The cause of a BadMessageId: letter case, if the value is a UUID otherwise.
    static func messageID(_ value: ByteSpan?, in header: HeaderName) -> Cause {
        let isUpperCase = value.map { UniqueID.isCanonical($0, lowerCaseOnly: false) } ?? false
        return .header(.messageID(header: header.text.description, seen: value?.text ?? "", isUpperCase: isUpperCase))
    }
}

extension RequestView {
    /// The cause of DuplicateHeaders: the first header that is there again.
    fileprivate var repeatedHeader: Cause {
        var values: [String: [String]] = [:]
        var repeated = ""
        for field in fields where !field.name.isPseudoHeader {
            let name = name(of: field).text
            let isSingle = field.name == .authorization || name.hasPrefix("apns-")
            guard isSingle else { continue }
            if values[name] != nil, repeated.isEmpty { repeated = name }
            // The value of an authorization is a secret, or too long to be read.
            values[name, default: []].append(field.name == .authorization ? "…" : value(of: field).text)
        }
        return .repeatedHeader(name: repeated, values: values[repeated] ?? [])
    }
}

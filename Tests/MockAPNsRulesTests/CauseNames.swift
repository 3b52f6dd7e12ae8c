@testable import MockAPNsRules

/// An enumeration of causes whose cases can be walked through: each names the next, so that a new case does not compile
/// until it is in the chain.
protocol Chained: Sendable {
    /// The case after another one; the first after `nil`, and `nil` after the last.
    static func next(after value: Self?) -> Self?
}

extension Chained {
    fileprivate static var all: [Self] {
        sequence(state: Self?.none) { last in
            last = next(after: last)
            return last
        }.map { $0 }
    }

    /// The names of all causes of its type.
    fileprivate var names: [String] { CauseNames.names(of: Self.self) }
}

/// The names of all causes, such as `token.malformed.keyContent`.
enum CauseNames {
    static let all = names(of: Cause.self)

    static func name(of cause: Cause) -> String { parts(of: cause).joined(separator: ".") }

    fileprivate static func names<Kind: Chained>(of kind: Kind.Type) -> [String] {
        Kind.all.flatMap { value -> [String] in
            let label = label(of: value)
            guard let inner = inner(of: value) else { return [label] }
            // The inner one may be absent.
            return [label] + inner.names.map { "\(label).\($0)" }
        }
    }

    private static func parts(of value: any Chained) -> [String] {
        [label(of: value)] + (inner(of: value).map(parts) ?? [])
    }

    private static func label(of value: any Chained) -> String {
        Mirror(reflecting: value).children.first?.label ?? "\(value)"
    }

    /// The enumeration in the values of a case, alone or beside others.
    private static func inner(of value: any Chained) -> (any Chained)? {
        guard let content = Mirror(reflecting: value).children.first?.value else { return nil }
        return content as? any Chained
            ?? Mirror(reflecting: content).children.lazy.compactMap { $0.value as? any Chained }.first
    }
}

extension Cause: Chained {
    static func next(after value: Self?) -> Self? {
        let certificate = HintScenario.certificate
        return switch value {
        case nil: .requested(.badTopic)
        case .requested: .fault(.badTopic)
        case .fault: .unknown(.badTopic)
        case .unknown: .stopping
        case .stopping: .cannotKeep
        case .cannotKeep: .certificate(certificate, at: Scenario.start)
        case .certificate: .certificateEnvironment(certificate, address: .sandbox)
        case .certificateEnvironment: .method(seen: "", expected: "")
        case .method: .path(.empty, seen: "", expected: "")
        case .path: .repeatedHeader(name: "", values: [])
        case .repeatedHeader: .deviceTokenMissing(channel: nil)
        case .deviceTokenMissing: .token(.issuerMissing(isInHeader: false))
        case .token: .header(.typeNeedsToken(.location))
        case .header: .device(.payloadEmpty)
        case .device: .channel(.body)
        case .channel: nil
        }
    }
}

extension PathFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .empty
        case .empty: .wholeURL
        case .wholeURL: .channelID("")
        case .channelID: .nearly
        case .nearly: .version("", .push)
        case .version: .trailingSlash
        case .trailingSlash: .bundleID("")
        case .bundleID: .onlyChannels
        case .onlyChannels: .other
        case .other: nil
        }
    }
}

extension TokenCause: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .missing(.noHeader)
        case .missing: .malformed(.keyContent)
        case .malformed: .algorithm(seen: nil)
        case .algorithm: .es512
        case .es512: .keyIDMissing(isInClaims: true)
        case .keyIDMissing: .keyUnknown(seen: "", registered: [])
        case .keyUnknown: .keyAndTeamSwapped(keyID: "", teamID: "")
        case .keyAndTeamSwapped: .issuerMissing(isInHeader: false)
        case .issuerMissing: .team(seen: "", key: "", expected: "")
        case .team: .issuedAt(.missing(hasExpiry: true))
        case .issuedAt: .signature(key: "", algorithm: "")
        case .signature: .signatureCut(key: "", length: 0)
        case .signatureCut: .subject(seen: nil, expected: "")
        case .subject: .expired(issuedAt: 0, age: 0, limit: 0)
        case .expired: .fromFuture(issuedAt: 0, ahead: 0, limit: 0)
        case .fromFuture: .issuedAtUnit(.milliseconds, seen: 0)
        case .issuedAtUnit: .keyEnvironment(key: "", seen: .sandbox, address: .production)
        case .keyEnvironment: .otherTeam(seen: HintScenario.key, bound: nil)
        case .otherTeam: .unrelatedKey(seen: HintScenario.key, bound: nil)
        case .unrelatedKey: .update(issuedAt: 0, previous: nil, interval: 0)
        case .update: .verifierFailed
        case .verifierFailed: nil
        }
    }
}

extension TokenAbsence: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .noHeader
        case .noHeader: .certificate(subject: "", problem: "")
        case .certificate: .empty
        case .empty: .noScheme
        case .noScheme: .separator(":")
        case .separator: .placeholder("")
        case .placeholder: .fcmKey
        case .fcmKey: .otherScheme("")
        case .otherScheme: nil
        }
    }
}

extension TokenFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .tooLong(0)
        case .tooLong: .keyContent
        case .keyContent: .keyPath
        case .keyPath: .repeatedScheme
        case .repeatedScheme: .quoted
        case .quoted: .placeholder("")
        case .placeholder: .google
        case .google: .parts(1)
        case .parts: .character(.header, "=")
        case .character: .padded(.header)
        case .padded: .cut(.header)
        case .cut: .notJSON(.header)
        case .notJSON: nil
        }
    }
}

extension IssuedAtFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .missing(hasExpiry: false)
        case .missing: .inHeader
        case .inHeader: .negative("")
        case .negative: .text("")
        case .text: .otherType("")
        case .otherType: nil
        }
    }
}

extension TimeUnit: Chained {
    static func next(after value: Self?) -> Self? {
        guard let value else { return allCases.first }
        return allCases.drop { $0 != value }.dropFirst().first
    }
}

extension HeaderCause: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .messageID(header: "", seen: "", isUpperCase: false)
        case .messageID: .expiration(seen: "", .empty)
        case .expiration: .expirationForChannel(seen: "")
        case .expirationForChannel: .priority(seen: "")
        case .priority: .backgroundPriority(isBinary: false)
        case .backgroundPriority: .collapseID(bytes: 0, characters: 0)
        case .collapseID: .pushType(seen: "", likely: nil)
        case .pushType: .pushTypeForTopic(.alert, topic: "", expected: "")
        case .pushTypeForTopic: .topicMissing(certificate: [])
        case .topicMissing: .topicForm(.empty, seen: "")
        case .topicForm: .topicForKey(seen: "", key: "", topics: [])
        case .topicForKey: .topicForCertificate(seen: "", topics: [])
        case .topicForCertificate: .typeNeedsToken(.location)
        case .typeNeedsToken: .topicInBrackets(seen: "", likely: nil)
        case .topicInBrackets: nil
        }
    }
}

extension ExpirationFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .empty
        case .empty: .negative
        case .negative: .fraction
        case .fraction: .date
        case .date: .tooLarge
        case .tooLarge: .other
        case .other: nil
        }
    }
}

extension TopicFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .empty
        case .empty: .tooLong(0)
        case .tooLong: .character(" ", at: 0)
        case .character: nil
        }
    }
}

extension DeviceCause: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .payloadEmpty
        case .payloadEmpty: .payloadTooLarge(size: 0, limit: 0, nil)
        case .payloadTooLarge: .payloadNotJSON(offset: 0, expected: "")
        case .payloadNotJSON: .token(.fcm)
        case .token: .unknown(.sandbox)
        case .unknown: .environment(seen: .sandbox, address: .production)
        case .environment: .topic(seen: "", registered: nil)
        case .topic: .unregistered(since: nil)
        case .unregistered: .expired(since: nil)
        case .expired: .rate(count: 0, interval: 0)
        case .rate: nil
        }
    }
}

extension DeviceTokenFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .channelID
        case .channelID: .fcm
        case .fcm: .expo
        case .expo: .webPush
        case .webPush: .placeholder("")
        case .placeholder: .dataDescription
        case .dataDescription: .decorated(hex: "")
        case .decorated: .several(2)
        case .several: .base64(hex: "")
        case .base64: .uuid
        case .uuid: .trailing("")
        case .trailing: .length(0, isOdd: false)
        case .length: .character("g", at: 1)
        case .character: .binarySize(0)
        case .binarySize: nil
        }
    }
}

extension ChannelCause: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .appForKey(seen: "", key: "", topics: [])
        case .appForKey: .appForCertificate(seen: "", topics: [])
        case .appForCertificate: .broadcastsOff(app: "")
        case .broadcastsOff: .suffixInApp(seen: "", expected: "")
        case .suffixInApp: .broadcastTypeMissing
        case .broadcastTypeMissing: .broadcastType(seen: "")
        case .broadcastType: .idMissing
        case .idMissing: .id(.empty, seen: "")
        case .id: .unknown(seen: "", app: "", .sandbox, likely: nil)
        case .unknown: .ofAnother(ChannelApp(bundleID: "", environment: .sandbox), seen: "", app: "", .sandbox)
        case .ofAnother: .body
        case .body: .members(unknown: [])
        case .members: .storageMissing
        case .storageMissing: .storage(seen: "")
        case .storage: .typeMissing(header: nil)
        case .typeMissing: .type(seen: "")
        case .type: .tooMany(app: "", .sandbox)
        case .tooMany: .rate(count: 0, interval: 0)
        case .rate: nil
        }
    }
}

extension ChannelIDFlaw: Chained {
    static func next(after value: Self?) -> Self? {
        switch value {
        case nil: .empty
        case .empty: .placeholder
        case .placeholder: .deviceToken
        case .deviceToken: .uuid
        case .uuid: .decorated(id: "")
        case .decorated: .tooLong(0)
        case .tooLong: .base64URL
        case .base64URL: .noPadding(id: nil)
        case .noPadding: .other
        case .other: nil
        }
    }
}

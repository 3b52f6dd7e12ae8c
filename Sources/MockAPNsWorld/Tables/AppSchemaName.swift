package import MockAPNsFormats

/// What a schema of an app describes: `payload`, `content-state:OrderAttributes` or `attributes:OrderAttributes`.
public struct AppSchemaName: Hashable, Sendable, CustomStringConvertible {
    /// The part of a push that is described.
    public enum Subject: String, CaseIterable, Sendable {
        /// The whole payload, of every push except those of Live Activities.
        case payload
        /// The member `content-state` of a Live Activity's push.
        case contentState = "content-state"
        /// The member `attributes` of a push that starts a Live Activity.
        case attributes
    }

    /// The maximum length of the name of a type, in characters.
    public static let longestType = 128
    /// The expected format, for error messages.
    public static let expected =
        "payload, content-state:TYPE or attributes:TYPE, where TYPE is the value of attributes-type, such as"
        + " OrderAttributes"

    /// The part of a push.
    public let subject: Subject
    /// The Swift type of the Live Activity's attributes; `nil` for payloads.
    public let attributesType: String?

    /// Parses a name; `nil` if it is invalid.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        guard let subject = Subject(rawValue: String(Substring(parts[0]))) else { return nil }
        let type = parts.count > 1 ? String(Substring(parts[1])) : nil
        guard (subject == .payload) == (type == nil), type.map(Self.isType) ?? true else { return nil }
        (self.subject, attributesType) = (subject, type)
    }

    /// The schema of payloads.
    public static let payload = AppSchemaName(subject: .payload, attributesType: nil)

    private init(subject: Subject, attributesType: String?) {
        (self.subject, self.attributesType) = (subject, attributesType)
    }

    private static func isType(_ text: String) -> Bool {
        (1...longestType).contains(text.utf8.count)
            && text.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || "_.".utf8.contains($0) }
    }

    /// The name as text.
    public var description: String { subject.rawValue + (attributesType.map { ":" + $0 } ?? "") }
}

extension AppSchemaName: Comparable {
    /// Orders by name.
    public static func < (left: AppSchemaName, right: AppSchemaName) -> Bool { left.description < right.description }
}

extension AppSchemaName: MemberwiseArchived {
    package static let format = ArchiveFormat<AppSchemaName>(checking: { AppSchemaName($0) }, \.description)
}

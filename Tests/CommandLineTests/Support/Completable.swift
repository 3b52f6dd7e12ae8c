@testable import MockAPNsAPI
@testable import MockAPNsFormats

/// A value of the API that tests may write down in part.
protocol Completable {
    /// The JSON with a neutral value for each required member that it leaves out.
    static func completed(_ json: JSONValue?) -> JSONValue
}

extension String: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? "" } }

extension Bool: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? false } }

extension Int: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? 0 } }

extension Int64: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? 0 } }

extension UInt64: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? 0 } }

extension Double: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? 0 } }

extension JSONValue: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? .null } }

extension Base64Bytes: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? "" } }

extension Optional: Completable {
    static func completed(_ json: JSONValue?) -> JSONValue {
        guard let json, json != .null else { return .null }
        return (Wrapped.self as? any Completable.Type)?.completed(json) ?? json
    }
}

extension Array: Completable {
    static func completed(_ json: JSONValue?) -> JSONValue {
        guard case .array(let values)? = json, let element = Element.self as? any Completable.Type else {
            return json ?? []
        }
        return .array(values.map { element.completed($0) })
    }
}

extension Dictionary: Completable { static func completed(_ json: JSONValue?) -> JSONValue { json ?? [:] } }

extension APIObject: Completable {
    static func completed(_ json: JSONValue?) -> JSONValue {
        guard case .object(var members) = json ?? [:] else { return json ?? .null }
        for entry in Content.definition.entries {
            if entry.member.isOptional, members[entry.name] == nil { continue }
            members[entry.name] = (entry.member.type as? any Completable.Type)?.completed(members[entry.name])
        }
        return .object(members)
    }
}

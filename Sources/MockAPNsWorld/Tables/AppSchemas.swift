package import MockAPNsFormats
internal import MockAPNsRules

/// The schemas of all apps, as one immutable value that checks pushes without a lock.
package struct AppSchemas: Equatable, Sendable {
    /// The result of checking one part of a push.
    package struct Check: Equatable, Sendable {
        /// The schema.
        package let name: AppSchemaName
        /// The names that lead from the payload to the part.
        package let way: [String]
        package let outcome: JSONSchema.Outcome
    }

    private let schemas: [AppKey<AppSchemaName>: JSONSchema]

    /// Creates the value of a table.
    package init(_ schemas: [AppKey<AppSchemaName>: JSONSchema] = [:]) { self.schemas = schemas }

    package var isEmpty: Bool { schemas.isEmpty }

    /// Checks all parts of a push that have a schema.
    ///
    /// Of a push for a Live Activity, `content-state` and `attributes` are checked; of other pushes, the whole payload.
    /// `topic` is that of the push, or the bundle identifier of the app. `spent` is called with the number of steps that
    /// each check took.
    package func checks(
        of payload: JSONValue, isActivity: Bool, topic: String, spent: (Int) -> Void = { _ in }
    ) -> [Check] {
        guard !schemas.isEmpty else { return [] }
        let app = Topic.bundleID(of: topic)
        guard isActivity else {
            let schema = schemas[AppKey(app: app, key: .payload)]
            return schema.map { [Check(name: .payload, way: [], outcome: $0.check(payload, spent: spent))] } ?? []
        }
        let aps = payload["aps"]
        let type = aps?["attributes-type"]?.string
        return [AppSchemaName.Subject.contentState, .attributes].compactMap { subject in
            guard let value = aps?[subject.rawValue], let (name, schema) = find(subject, of: type, in: app) else {
                return nil
            }
            return Check(name: name, way: ["aps", subject.rawValue], outcome: schema.check(value, spent: spent))
        }
    }

    /// Checks the content state of a Live Activity; `nil` without a schema for it.
    ///
    /// `attributesType` is the value of `attributes-type` with which the activity was started. Without it, the app's only
    /// schema of a content state is used, if it has exactly one.
    package func check(contentState value: JSONValue, of attributesType: String?, topic: String) -> JSONSchema.Outcome?
    { find(.contentState, of: attributesType, in: Topic.bundleID(of: topic))?.schema.check(value) }

    /// Checks the attributes of a Live Activity; `nil` without a schema for them.
    package func check(attributes value: JSONValue, of attributesType: String?, topic: String) -> JSONSchema.Outcome? {
        find(.attributes, of: attributesType, in: Topic.bundleID(of: topic))?.schema.check(value)
    }

    private func find(
        _ subject: AppSchemaName.Subject, of type: String?, in app: String
    ) -> (name: AppSchemaName, schema: JSONSchema)? {
        if let type {
            guard let name = AppSchemaName("\(subject.rawValue):\(type)") else { return nil }
            return schemas[AppKey(app: app, key: name)].map { (name, $0) }
        }
        let all = schemas.filter { $0.key.app == app && $0.key.key.subject == subject }
        return all.count == 1 ? all.first.map { ($0.key.key, $0.value) } : nil
    }
}

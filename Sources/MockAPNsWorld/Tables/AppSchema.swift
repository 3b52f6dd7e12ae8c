internal import MockAPNsFormats

/// A schema that an app's pushes, or the data of its Live Activities, have to fit.
package enum AppSchema: TableKind {
    static let change = "set-app-schema"
    static let noun = "schemas"
    /// The maximum number of schemas of all apps together; `JSONSchema` limits the size of each.
    package static let most = 100
    static var values: WritableKeyPath<WorldTables, [AppKey<AppSchemaName>: JSONSchema]> { \.schemas }

    static func check(_ schema: JSONSchema, as name: AppKey<AppSchemaName>) throws(TableRefusal) {}
}

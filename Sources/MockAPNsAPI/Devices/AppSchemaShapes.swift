package import MockAPNsFormats
package import MockAPNsWorld

package final class AppSchemaSummaryShape: Shape {
    package typealias Source = (name: AppKey<AppSchemaName>, schema: JSONSchema)
    package static let definition = Definition(AppSchemaSummaryShape(), "AppSchemaSummary")
    package let name = Member<String>(.appSchemaName, "What it describes.") { $0.name.key.description }
    package let size = Member<Int>("The size of the document, in bytes.") { $0.schema.text.utf8.count }
    package let topic = Member<String>(.topic, "The bundle identifier.") { $0.name.app }
}

package final class AppSchemaShape: Shape {
    package typealias Source = AppSchemaSummaryShape.Source
    package static let definition = Definition(AppSchemaShape(), "AppSchema")
    package let schema = Member<JSONValue>("The document, as it was stored.") { .written(Array($0.schema.text.utf8)) }
    package let summary = Part<AppSchemaSummaryShape> { $0 }
}

package final class AppSchemaListShape: Shape {
    package typealias Source = [AppSchemaSummaryShape.Source]
    package static let definition = Definition(AppSchemaListShape(), "AppSchemaList")
    package let schemas = Member<[APIObject<AppSchemaSummaryShape>]> { $0.map { APIObject($0) } }
}

package final class InferredSchemaShape: Shape {
    package typealias Source = (name: AppKey<AppSchemaName>, schema: JSONSchema, pushes: Int)
    package static let definition = Definition(InferredSchemaShape(), "InferredSchema")
    package let name = Member<String>(.appSchemaName, "What it describes.") { $0.name.key.description }
    package let pushes = Member<Int>("The number of pushes that it was made from.") { $0.pushes }
    package let schema = Member<JSONValue>("A schema that all these pushes fit; it is not stored.") {
        .written(Array($0.schema.text.utf8))
    }
    package let topic = Member<String>(.topic, "The bundle identifier.") { $0.name.app }
}

import MockAPNsAPI

@testable import MockAPNsInspector

extension SchemaCheck {
    private static let schemas = OpenAPIDocument(groups: RouteGroup.all, version: "1").schemas

    /// The document's schemas with their patterns; a text in angle brackets stands for any value, as in golden files.
    static var strict: SchemaCheck {
        var check = SchemaCheck(schemas)
        check.fits = { pattern, text in (try? Regex(pattern).firstMatch(in: text)) != nil }
        check.isPlaceholder = { $0.hasPrefix("<") && $0.hasSuffix(">") }
        return check
    }
}

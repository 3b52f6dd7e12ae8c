/// A keyword of JSON Schema 2020-12 that schemas may have.
///
/// To add a keyword, add a case and its row, and what it does in `JSONSchemaReader` and `JSONSchemaCheck`.
package enum JSONSchemaKeyword: String, CaseIterable, Sendable {
    case type
    case `enum`
    case const
    case anyOf
    case reference = "$ref"
    case properties
    case required
    case additionalProperties
    case items
    case minItems
    case maxItems
    case minLength
    case maxLength
    case pattern
    case format
    case minimum
    case maximum
    case exclusiveMinimum
    case exclusiveMaximum
    case multipleOf
    case definitions = "$defs"
    case dialect = "$schema"
    case identifier = "$id"
    case comment = "$comment"
    case title
    case description
    case `default`
    case examples

    package struct Row: Sendable {
        /// What the keyword's value has to be.
        package let form: String
        /// What it requires of a payload.
        package let meaning: String
    }

    package var row: Row {
        switch self {
        case .type: Row(form: "a type or a list of types", meaning: "The value has one of the types.")
        case .enum: Row(form: "a list of values", meaning: "The value is one of them.")
        case .const: Row(form: "a value", meaning: "The value is this one.")
        case .anyOf: Row(form: "a list of schemas", meaning: "The value fits at least one of them.")
        case .reference:
            Row(form: "'#', or '#/' and the pointer of a schema in the document", meaning: "The value fits it.")
        case .properties: Row(form: "an object of schemas", meaning: "The object's members fit theirs.")
        case .required: Row(form: "a list of different names", meaning: "The object has these members.")
        case .additionalProperties:
            Row(form: "a schema", meaning: "The object's other members fit it; `false` allows none.")
        case .items: Row(form: "a schema", meaning: "The array's items fit it.")
        case .minItems: Row(form: "a whole number from 0", meaning: "The array has at least as many items.")
        case .maxItems: Row(form: "a whole number from 0", meaning: "The array has at most as many items.")
        case .minLength: Row(form: "a whole number from 0", meaning: "The string has at least as many characters.")
        case .maxLength: Row(form: "a whole number from 0", meaning: "The string has at most as many characters.")
        case .pattern: Row(form: "a regular expression", meaning: "A part of the string matches.")
        case .format: Row(form: "date-time or uri", meaning: "The string is a date and time, or a URI.")
        case .minimum: Row(form: "a number", meaning: "The number is not less.")
        case .maximum: Row(form: "a number", meaning: "The number is not greater.")
        case .exclusiveMinimum: Row(form: "a number", meaning: "The number is greater.")
        case .exclusiveMaximum: Row(form: "a number", meaning: "The number is less.")
        case .multipleOf: Row(form: "a positive number of up to 18 digits", meaning: "The number is a multiple of it.")
        case .definitions: Row(form: "an object of schemas", meaning: "Nothing: `$ref` refers to them.")
        case .dialect, .identifier, .comment, .title, .description: Row(form: "a string", meaning: "Nothing.")
        case .default: Row(form: "a value", meaning: "Nothing.")
        case .examples: Row(form: "a list of values", meaning: "Nothing.")
        }
    }
}

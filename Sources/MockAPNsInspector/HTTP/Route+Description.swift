internal import MockAPNsAPI
internal import MockAPNsFormats

extension Route {
    /// A parameter of the query or the path.
    struct Parameter: Sendable {
        let name: String
        let schema: Schema
        let description: String
        /// Whether it may be given more than once, which means any of the values.
        var isRepeatable = false

        init(_ name: String, _ schema: Schema, _ description: String, isRepeatable: Bool = false) {
            self.name = name
            self.schema = schema
            self.description = description
            self.isRepeatable = isRepeatable
        }
    }

    /// What a request carries.
    struct Body: Sendable {
        let schema: Schema
        let example: JSONValue
        /// Whether a request without one is refused.
        var isRequired = true
        /// Anything but JSON.
        var contentType = APIResponse.json
        /// Other media types that the operation takes as well.
        var alternatives: [String: Schema] = [:]
    }

    /// One answer that is not a problem.
    struct Answer: Sendable {
        var status = 200
        let description: String
        /// What it carries, by media type.
        var content: [String: Schema] = [:]
        /// The shapes that the content refers to.
        var shapes: [any ShapeValue.Type] = []

        /// An answer of one object.
        static func json<Content: Shape>(
            _ shape: Content.Type,
            _ description: String,
            status: Int = 200
        ) -> Answer {
            var answer = json(APIObject<Content>.schema(nil, .response), description, status: status)
            answer.shapes = [APIObject<Content>.self]
            return answer
        }

        /// An answer of one JSON value.
        static func json(_ schema: Schema, _ description: String, status: Int = 200) -> Answer {
            Answer(status: status, description: description, content: [APIResponse.json: schema])
        }

        /// An answer that is a list, as one value or as one value per line.
        static func list<Page: Shape>(_ page: Page.Type, _ description: String) -> Answer {
            var answer = json(page, description)
            answer.content[APIResponse.lines] = Schema.text.described(
                "One JSON value per line: the entries of the list."
            )
            return answer
        }

        /// An answer of another media type, whose bytes no schema describes.
        static func other(_ contentType: String, _ description: String, status: Int = 200) -> Answer {
            Answer(status: status, description: description, content: [contentType: .text])
        }

        /// An answer without a body.
        static func nothing(_ description: String) -> Answer { Answer(status: 204, description: description) }
    }
}

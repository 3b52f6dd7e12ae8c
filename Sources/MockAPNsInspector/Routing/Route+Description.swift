internal import MockAPNsAPI
internal import MockAPNsFormats

extension Route {
    /// What the document says of the body of a request.
    struct Body: Sendable {
        let schema: Schema
        /// The schemas to which this one refers, by name.
        var schemas: [String: Schema] = [:]
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
        /// The schemas to which the content refers, by name.
        var schemas: [String: Schema] = [:]

        /// An answer of one object.
        static func json<Content: Shape>(
            _ shape: Content.Type,
            _ description: String,
            status: Int = 200
        ) -> Answer {
            var answer = json(APIObject<Content>.schema(nil, .response), description, status: status)
            APIObject<Content>.collectSchemas(into: &answer.schemas)
            return answer
        }

        /// An answer of one object of two shapes.
        static func either<First: Shape, Second: Shape>(
            _ first: First.Type,
            _ second: Second.Type,
            _ description: String
        ) -> Answer {
            var answer = json(first, description)
            let schemas = (APIObject<First>.schema(nil, .response), APIObject<Second>.schema(nil, .response))
            answer.content[APIResponse.json] = .either(schemas.0, schemas.1)
            APIObject<Second>.collectSchemas(into: &answer.schemas)
            return answer
        }

        /// The answer, which may be of another media type, whose bytes no schema describes.
        func or(_ contentType: String) -> Answer {
            var answer = self
            answer.content[contentType] = .text
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

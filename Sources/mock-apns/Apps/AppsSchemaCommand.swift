internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsWorld

struct AppsSchemaCommand: AsyncParsableCommand {
    static let configuration = command(
        "JSON Schemas of an app's payloads and Live Activities.",
        discussion: """
            A push that does not fit gets the warning app-schema. The name of a schema is payload, \
            content-state:TYPE or attributes:TYPE, where TYPE is the value of attributes-type.
            """, examples: "mock-apns apps schema put com.example.app payload order.schema.json",
        "mock-apns apps schema infer com.example.app payload > order.schema.json",
        subcommands: [Client<Put>.self, Client<List>.self, Client<Show>.self, Client<Remove>.self, Client<Infer>.self])

    /// The arguments that name a schema.
    struct Name: ParsableArguments {
        @Argument(help: "The app: its bundle identifier, or a topic of it.") var topic: String

        @Argument(help: "payload, content-state:TYPE or attributes:TYPE.") var name: String

        func request(_ method: String, _ more: String...) -> APIRequest {
            APIRequest(
                method, ["apps", topic, "schemas", name] + more,
                hint: "mock-apns apps schema list \(TerminalText.plain(topic)) shows the schemas")
        }
    }

    struct Put: ClientTask {
        static let configuration = command(
            "Store a schema, or replace it.",
            discussion: "docs/api.md lists the keywords of JSON Schema that are checked; others are refused.",
            examples: "mock-apns apps schema put com.example.app content-state:OrderAttributes state.json")

        @OptionGroup var name: Name

        @Argument(help: .value("file", "The schema; - is standard input."), completion: .json) var file: String

        func run(_ client: ClientOptions) async throws {
            let request = name.request("PUT").sending(try AtomicFile.input(file, option: "file"), from: file)
            try await client.show(request, as: AppSchemaSummaryShape.self) { schema in
                "\(schema.topic) \(schema.name), \(schema.size) bytes"
            }
        }
    }

    struct List: ClientTask {
        static let configuration = command(
            "List the schemas of an app.", examples: "mock-apns apps schema list com.example.app")

        @Argument(help: "The app: its bundle identifier, or a topic of it.") var topic: String

        func run(_ client: ClientOptions) async throws {
            let none = "No schemas. mock-apns apps schema put \(TerminalText.plain(topic)) payload FILE stores one."
            try await client.show(APIRequest("GET", ["apps", topic, "schemas"]), as: AppSchemaListShape.self) {
                $0.schemas.isEmpty
                    ? Console.none(none)
                    : Table.text([.text("SCHEMA"), .number("BYTES")], of: $0.schemas) { [$0.name, "\($0.size)"] }
            }
        }
    }

    struct Show: ClientTask {
        /// A document on several lines.
        static func lines(of schema: JSONValue) -> String {
            JSONLayout.lines(of: String(decoding: schema.text, as: UTF8.self)).joined(separator: "\n")
        }

        static let configuration = command(
            "Print a schema.", examples: "mock-apns apps schema show com.example.app payload")

        @OptionGroup var name: Name

        func run(_ client: ClientOptions) async throws {
            try await client.show(name.request("GET"), as: AppSchemaShape.self) { Self.lines(of: $0.schema) }
        }
    }

    struct Remove: ClientTask {
        static let configuration = command(
            "Remove a schema.", examples: "mock-apns apps schema remove com.example.app payload")

        @OptionGroup var name: Name

        func run(_ client: ClientOptions) async throws {
            try await client.remove(name.request("DELETE"), name: name.name)
        }
    }

    struct Infer: ClientTask {
        static let configuration = command(
            "Make a schema from recorded pushes, and print it.",
            discussion: """
                The accepted pushes in memory give types, members, and which members all of them have; every one of \
                them fits the schema. It is not stored: look at it, and put it.
                """, examples: "mock-apns apps schema infer com.example.app payload > order.schema.json",
            "mock-apns apps schema infer --from pushes com.example.app attributes:OrderAttributes")

        enum Source: String, CaseIterable, ExpressibleByArgument { case pushes }

        @OptionGroup var name: Name

        @Option(help: .value("source", "What it is made from: pushes.")) var from = Source.pushes

        func run(_ client: ClientOptions) async throws {
            let response = try await client.ask(name.request("GET", "inferred"))
            try response.decoded(as: InferredSchemaShape.self) { inferred in
                let absence =
                    "no accepted push of \(TerminalText.plain(name.topic)) has \(TerminalText.plain(name.name))"
                try CommandFailure.check(inferred.pushes > 0, .unmet, absence)
                Console.answer(Show.lines(of: inferred.schema))
                Console.note("made from \(counted(inferred.pushes, "push", "pushes"))")
            }
        }
    }
}

/// An argument that names a file with a schema, as `payload=order.schema.json`.
struct AppSchemaArgument {
    /// The expected format, for error messages.
    static let form = "payload=FILE, content-state:TYPE=FILE or attributes:TYPE=FILE"

    let name: AppSchemaName
    let schema: JSONSchema

    /// Parses the argument, and reads its file; a file without a name is that of payloads, if `allowsPlainFile`.
    init(parsing text: String, option: String, allowsPlainFile: Bool) throws {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let file: String
        if parts.count == 2, !parts[1].isEmpty, let name = AppSchemaName(parts[0]) {
            (self.name, file) = (name, parts[1])
        } else {
            try OptionReader.check(allowsPlainFile && !text.isEmpty, Self.form)
            (name, file) = (.payload, text)
        }
        let document = try AtomicFile.input(file, option: option)
        do throws(JSONSchema.Refusal) { schema = try JSONSchema(document) } catch {
            throw CommandFailure(
                .badConfiguration,
                "invalid \(option) '\(TerminalText.plain(file))': \(TerminalText.plain(error.message))")
        }
    }
}

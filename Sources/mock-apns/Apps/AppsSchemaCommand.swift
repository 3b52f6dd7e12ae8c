internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

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
        static let configuration = command(
            "Print a schema.", examples: "mock-apns apps schema show com.example.app payload")

        @OptionGroup var name: Name

        func run(_ client: ClientOptions) async throws {
            let response = try await client.ask(name.request("GET"))
            client.print(response)
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
                client.print(response)
                Console.note("made from \(counted(inferred.pushes, "push", "pushes"))")
            }
        }
    }
}

extension ClientOptions {
    /// Prints the schema of a response, to be written to a file; with `--json`, the response.
    fileprivate func print(_ response: APIResponse) {
        if json == true { return response.print() }
        // The text, in which the members have their order.
        let text = JSONParser.parts(of: response.body[...]).first { $0.name == "schema" }?.text ?? []
        Console.answer(JSONLayout.lines(of: String(decoding: text, as: UTF8.self)).joined(separator: "\n"))
    }
}

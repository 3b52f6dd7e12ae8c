internal import ArgumentParser

struct AppsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Apps: what the server knows of them.",
        examples: "mock-apns apps schema put com.example.app payload order.schema.json",
        subcommands: [AppsSchemaCommand.self])
}

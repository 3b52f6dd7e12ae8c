internal import ArgumentParser

struct AppsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Apps: their texts and the shapes of their payloads.",
        examples: "mock-apns apps strings com.example.app Resources/",
        "mock-apns apps schema put com.example.app payload order.schema.json",
        subcommands: [Client<AppsStringsCommand>.self, AppsSchemaCommand.self])
}

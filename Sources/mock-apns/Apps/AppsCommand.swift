internal import ArgumentParser

struct AppsCommand: AsyncParsableCommand {
    static let configuration = command(
        "Apps: what the server knows of them.", examples: "mock-apns apps strings com.example.app Resources/",
        subcommands: [Client<AppsStringsCommand>.self])
}

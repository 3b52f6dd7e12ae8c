internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats
internal import MockAPNsWorld

struct AppsStringsCommand: ClientTask {
    static let configuration = command(
        "Upload the localized texts of an app, for previews.",
        discussion: """
            Takes a string catalog (.xcstrings), an .lproj folder, or a folder with them, such as a built app. Only \
            the table Localizable is read, because a push refers to it. The app's other tables are replaced.
            """, examples: "mock-apns apps strings com.example.app Resources/",
        "mock-apns apps strings com.example.app Localizable.xcstrings")

    @Argument(help: "The app: its bundle identifier, or a topic of it.") var topic: String

    @Argument(help: .value("path", "A folder, or a file.")) var path: String

    @Option("language", "The language of a .strings or .stringsdict file outside of an .lproj folder.") var language:
        String?

    func run(_ client: ClientOptions) async throws {
        let catalog = try LocalizedFiles.catalog(at: path, language: language)
        let request = APIRequest("PUT", ["strings", topic]).sending(catalog.json.text, from: path)
        try await client.show(request, as: StringsListShape.self) {
            Table.text([.text("LANGUAGE"), .number("TEXTS")], of: $0.tables) { [$0.language, "\($0.count)"] }
        }
    }
}

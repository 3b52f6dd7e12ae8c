internal import ArgumentParser

/// `mock-apns version`: prints the version.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "version", abstract: "Print the version.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() {
        Console.standard.answer(json ? "{\"version\":\(ReadyNotice.quoted(Version.text))}" : Version.text)
    }
}

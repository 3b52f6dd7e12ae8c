internal import ArgumentParser
internal import MockAPNsFormats

/// Prints the version.
struct VersionCommand: ParsableCommand {
    static let configuration = CommandConfiguration("version", "Print the version.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() {
        let object = JSONValue.members(["version": Version.text]).text
        Console.standard.answer(json ? String(decoding: object, as: UTF8.self) : Version.text)
    }
}

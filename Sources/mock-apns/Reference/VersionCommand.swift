internal import ArgumentParser
internal import MockAPNsFormats

struct VersionCommand: ParsableCommand {
    static let configuration = command("Print the version.")

    @Flag(help: "Print JSON.")
    var json = false

    func run() {
        let object = JSONValue.members(["version": Version.text]).text
        Console.standard.answer(json ? String(decoding: object, as: UTF8.self) : Version.text)
    }
}

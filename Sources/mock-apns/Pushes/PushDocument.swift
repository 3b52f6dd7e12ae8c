/// A push in a form that other tools take; it goes to standard output byte for byte, unless that is a terminal.
struct PushDocument {
    let push: PushArgument
    /// The last part of the path.
    let form: String

    /// Fetches and prints it.
    ///
    /// - Throws: `CommandFailure` when there is no such push, or it has no such form.
    func print(_ api: APIOptions) async throws {
        let client = try api.client()
        let id = try await push.id(api)
        let response = try await client.send(APIRequest("GET", ["pushes", id, form]))
        guard response.status == 200 else { return try ClientOptions.check(response, of: client.address) }
        guard SystemFacts.printsToTerminal else {
            Console.standard.write(response.body, to: 1)
            return
        }
        let text = Self.harmless(response.body)
        Console.standard.answer(text)
        if !response.body.elementsEqual(text.utf8), !response.body.elementsEqual((text + "\n").utf8) {
            Console.standard.note("shown without what moves the cursor; > FILE keeps every byte")
        }
    }

    /// The text with nothing in it that a terminal would take for a command.
    static func harmless(_ bytes: [UInt8]) -> String {
        let lines = String(decoding: bytes, as: UTF8.self).split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
        let text = lines.map { TerminalText.plain(String($0)) }.joined(separator: "\n")
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

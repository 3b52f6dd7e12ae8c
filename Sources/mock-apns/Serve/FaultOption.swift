internal import MockAPNsInspector
internal import MockAPNsWorld

/// The value of `--fault`: a preset with its parameters.
struct FaultOption {
    let draft: FaultDraft

    /// Reads `preset[:name=value,...]`.
    ///
    /// - Throws: `CommandFailure` that says what is wrong with it.
    init(parsing text: String) throws {
        do {
            draft = try FaultArgument.draft(text)
        } catch {
            throw CommandFailure(.badConfiguration, "--fault: \(TerminalText.plain(error.description))")
        }
    }
}

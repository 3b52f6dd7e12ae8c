internal import MockAPNsInspector
internal import MockAPNsWorld

/// The value of `--devices`: a file that describes devices.
struct DevicesFile {
    let path: String
    let drafts: [DeviceDraft]

    /// Reads the file.
    ///
    /// - Throws: `CommandFailure` that names the file, the place in it, and what is expected there.
    init(path: String) throws {
        self.path = path
        guard let text = try AtomicFile.read(path, limit: DevicesAddCommand.largestFile) else {
            throw CommandFailure(.badConfiguration, "--devices: there is no file \(path)")
        }
        do {
            drafts = try DeviceFile.drafts(fromJSON: Array(text.utf8))
        } catch {
            throw CommandFailure(.badConfiguration, "--devices: \(path): \(TerminalText.plain("\(error)"))")
        }
    }
}

internal import Synchronization

/// The terminal: results on standard output, everything else on standard error.
final class Console: Sendable {
    static let standard = Console()

    private let isQuiet = Atomic<Bool>(false)
    /// The beginning of every line on standard error.
    private let name = Mutex("mock-apns")

    /// Sets whether only errors and results are printed, and a label that identifies this server in a shared log.
    func configure(isQuiet: Bool, label: String?) {
        self.isQuiet.store(isQuiet, ordering: .relaxed)
        if let label { name.withLock { $0 = "mock-apns[\(label)]" } }
    }

    func note(_ text: String) {
        if !isQuiet.load(ordering: .relaxed) { printMessage(text) }
    }

    func error(_ text: String) { printMessage("error: \(text)") }

    private func printMessage(_ text: String) {
        let name = name.withLock { $0 }
        write("\(name): \(text)\n", to: 2)
    }

    /// Prints a result.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    func answer(_ text: String) -> Bool { write("\(text)\n") }

    /// Writes a text unbuffered.
    ///
    /// - Returns: whether it could be written.
    @discardableResult
    func write(_ text: String, to descriptor: Int32 = 1) -> Bool { write(Array(text.utf8), to: descriptor) }

    /// Writes bytes unbuffered.
    ///
    /// - Returns: whether they could be written.
    @discardableResult
    func write(_ bytes: [UInt8], to descriptor: Int32 = 1) -> Bool {
        SystemFacts.writeAll(bytes, to: descriptor)
    }
}

internal import Synchronization

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The terminal: answers on standard output, everything else on standard error.
final class Console: Sendable {
    static let standard = Console()

    private let isQuiet = Atomic<Bool>(false)
    /// What every line begins with.
    private let name = Mutex("mock-apns")

    /// Leaves out everything but errors and answers.
    func beQuiet() { isQuiet.store(true, ordering: .relaxed) }

    /// Tells this program from others in the same log.
    func beCalled(_ label: String) { name.withLock { $0 = "mock-apns[\(label)]" } }

    /// Says what happens.
    func note(_ text: String) {
        if !isQuiet.load(ordering: .relaxed) { write("\(prefix)\(text)\n", to: STDERR_FILENO) }
    }

    /// Says what went wrong.
    func error(_ text: String) { write("\(prefix)error: \(text)\n", to: STDERR_FILENO) }

    private var prefix: String { name.withLock { $0 } + ": " }

    /// Prints an answer.
    ///
    /// - Returns: whether somebody was there to read it.
    @discardableResult
    func answer(_ text: String) -> Bool { write("\(text)\n", to: STDOUT_FILENO) }

    /// Writes a whole text, unbuffered, so that a line is there as soon as it is said.
    ///
    /// - Returns: whether somebody was there to read it.
    @discardableResult
    func write(_ text: String, to descriptor: Int32) -> Bool {
        var text = text
        return text.withUTF8 { write(UnsafeRawBufferPointer($0), to: descriptor) }
    }

    /// Writes bytes as they are.
    ///
    /// - Returns: whether somebody was there to read them.
    @discardableResult
    func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { write($0, to: descriptor) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            #if canImport(Glibc)
            let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
            #elseif canImport(Musl)
            let written = Musl.write(descriptor, rest.baseAddress, rest.count)
            #else
            let written = Darwin.write(descriptor, rest.baseAddress, rest.count)
            #endif
            // A terminal that is gone leaves nobody to tell.
            guard written > 0 || errno == EINTR else { return false }
            rest = UnsafeRawBufferPointer(rebasing: rest[max(0, written)...])
        }
        return true
    }
}

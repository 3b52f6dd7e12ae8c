internal import MockAPNsLog

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The lock of a directory, held until the process ends or this is released.
final class DirectoryLock: Sendable {
    private let path: String
    private let descriptor: CInt

    init(in directory: String) throws(StoreError) {
        path = "\(directory)/lock"
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError.system("open", path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            let failure = StoreError.system("lock", path)
            let holder = Self.text(descriptor)
            guard isHeld else { throw failure }
            let process = holder.isEmpty ? "another process" : "process \(holder)"
            let fix = "stop it, or choose another directory"
            throw StoreError(.inUse, "the directory \(directory) is in use by \(process); \(fix)")
        }
        // Used in the error message of a second server; failing to write it is harmless.
        let text = "\(getpid())\n"
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }

    /// Also closes it when `init` fails after opening it.
    deinit { close(descriptor) }

    /// Throws if the file was deleted or replaced: another server can then lock the directory as well.
    func check() throws(StoreError) {
        guard let own = FileIdentity(descriptor: descriptor), FileIdentity(path: path) != own else { return }
        let fix = "stop any other server of this directory, then restart mock-apns"
        throw StoreError(
            .lost, "\(path) was deleted or replaced, so another server may use the directory as well; \(fix)")
    }

    private static func text(_ descriptor: CInt) -> String {
        var bytes = [UInt8](repeating: 0, count: 20)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        let digits = bytes.prefix(max(0, count)).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        return String(decoding: digits, as: UTF8.self)
    }
}

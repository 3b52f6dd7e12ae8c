internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Reads and writes files; a file that is written appears whole or not at all.
///
/// `Data.write(options: .atomic)` cannot replace this: a private key would be readable by others for a moment.
enum AtomicFile {
    static let largest = 4 << 20

    enum Access: mode_t {
        case owner = 0o600
        case everyone = 0o644
    }

    static func save(_ bytes: some Sequence<UInt8>, to path: String, access: Access) throws {
        let bytes = Array(bytes)
        try save(to: path, access: access) { write in write(bytes) }
    }

    /// Calls `fill` with a function that writes the next part; it returns whether all parts could be written.
    static func save(to path: String, access: Access, _ fill: (_ write: ([UInt8]) -> Bool) throws -> Bool) throws {
        let temporary = "\(path).\(getpid()).tmp"
        func failure(_ action: String) -> CommandFailure {
            defer { unlink(temporary) }
            return Self.failure(.cannotWrite, "\(action) \(path)")
        }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, access.rawValue)
        guard descriptor >= 0 else { throw failure("create") }
        // The mode is set again: a umask may have reduced it, and an existing file may have another.
        do {
            let isWritten = try fill { SystemFacts.writeAll($0, to: descriptor) }
            guard isWritten, fchmod(descriptor, access.rawValue) == 0 else { throw failure("write") }
        } catch {
            close(descriptor)
            unlink(temporary)
            throw error
        }
        guard close(descriptor) == 0 else { throw failure("write") }
        guard rename(temporary, path) == 0 else { throw failure("replace") }
    }

    /// How to go on after an error of the system.
    private static let ways: [Int32: String] = [
        ENOENT: "create its directory first, or choose another path", ENOTDIR: "choose another path",
        EISDIR: "expected a file", EACCES: "change its permissions, or choose another path",
        EPERM: "change its permissions, or choose another path", EROFS: "choose another path",
        ENOSPC: "free some space, or choose another path",
    ]

    private static func failure(_ status: CommandFailure.Status, _ action: String) -> CommandFailure {
        let way = ways[errno].map { "; \($0)" } ?? ""
        return CommandFailure(status, "cannot \(action): \(SystemFacts.describe(errno: errno))\(way)")
    }

    /// Writes a file that must not exist yet.
    static func create(_ bytes: some Sequence<UInt8>, at path: String, access: Access) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, access.rawValue)
        guard descriptor >= 0 else {
            guard errno == EEXIST else { throw failure(.cannotWrite, "create \(path)") }
            let problem = "it exists already; remove it or choose another name"
            throw CommandFailure(.cannotWrite, "cannot create \(path): \(problem)")
        }
        close(descriptor)
        try save(bytes, to: path, access: access)
    }

    /// Runs `use` while no other process does so with the same directory, which is created if it is missing.
    static func withLock<Result>(in directory: String, _ use: () throws -> Result) throws -> Result {
        try makeDirectory(directory)
        let path = "\(directory)/.lock"
        let descriptor = open(path, O_RDWR | O_CREAT, Access.owner.rawValue)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else { throw failure(.cannotWrite, "lock \(path)") }
        // Closing releases the lock.
        defer { close(descriptor) }
        return try use()
    }

    /// The contents of a text file; `nil` when it does not exist.
    static func text(at path: String) throws -> String? {
        guard let bytes = try bytes(at: path) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badConfiguration, "\(path) is not a text file")
        }
        return text
    }

    /// The contents of a file; `nil` when it does not exist.
    ///
    /// The limit keeps a device or a wrong file from filling the memory.
    static func bytes(at path: String, limit: Int = largest) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        if descriptor < 0, errno == ENOENT { return nil }
        guard descriptor >= 0 else { throw failure(.badConfiguration, "read \(path)") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= limit {
            let count = read(descriptor, &chunk, chunk.count)
            guard count >= 0 else { throw failure(.badConfiguration, "read \(path)") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw CommandFailure(.badConfiguration, "\(path) is larger than \(limit >> 20) MiB")
    }

    /// The contents of a file named by an option; `-` is standard input.
    static func input(_ name: String, option: String, limit: Int = 1 << 20) throws -> [UInt8] {
        if let bytes = try bytes(at: name == "-" ? "/dev/stdin" : name, limit: limit) { return bytes }
        throw notFound(name, option: option)
    }

    /// The failure of an option that names a file that does not exist.
    static func notFound(_ name: String, option: String) -> CommandFailure {
        CommandFailure(.badConfiguration, "invalid \(option) '\(TerminalText.plain(name))': file not found")
    }

    /// The contents of a file with keys or certificates named by an option.
    static func pem(_ name: String, option: String) throws -> String {
        String(decoding: try input(name, option: option, limit: largest), as: UTF8.self)
    }

    static func remove(_ path: String) { unlink(path) }

    static func makeDirectory(_ path: String) throws {
        do { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) } catch {
            let code = ((error as? CocoaError)?.underlying as? POSIXError)?.code.rawValue
            let reason = code.map(SystemFacts.describe(errno:)) ?? "\(error)"
            throw CommandFailure(.cannotWrite, "cannot create the directory \(path): \(reason)")
        }
    }

    /// The names in a directory, sorted; empty when it does not exist.
    static func names(in path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}

/// A temporary directory that only this user may enter.
struct ScratchDirectory {
    let path: String

    /// Creates it with mode 0700 in `TMPDIR`.
    init(environment: [String: String]) throws {
        let parent = environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        let base = parent.hasSuffix("/") ? String(parent.dropLast()) : parent
        var name = Array("\(base)/mock-apns-XXXXXX".utf8CString)
        guard mkdtemp(&name) != nil else {
            let reason = "\(SystemFacts.describe(errno: errno)); set TMPDIR to another directory"
            throw CommandFailure(.cannotWrite, "cannot create a directory in \(base): \(reason)")
        }
        path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Files that appear whole or not at all.
enum AtomicFile {
    /// Who may read a file.
    enum Access: mode_t {
        case owner = 0o600
        case everyone = 0o644
    }

    /// Writes a file beside its place and moves it there.
    ///
    /// - Throws: `CommandFailure` that names the file and the system's reason.
    static func write(_ text: String, to path: String, access: Access) throws {
        try write(Array(text.utf8), to: path, access: access)
    }

    /// Writes a file of any kind beside its place and moves it there.
    ///
    /// - Throws: `CommandFailure` that names the file and the system's reason.
    static func write(_ bytes: [UInt8], to path: String, access: Access) throws {
        let temporary = "\(path).\(getpid()).tmp"
        func failure(_ action: String) -> CommandFailure {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            return CommandFailure(.cannotWrite, "cannot \(action) \(path): \(reason)")
        }
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, access.rawValue)
        guard descriptor >= 0 else { throw failure("create") }
        let written = bytes.withUnsafeBytes { bytes -> Bool in
            var rest = bytes
            while !rest.isEmpty {
                let count = systemWrite(descriptor, rest.baseAddress, rest.count)
                guard count > 0 else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
            return true
        }
        // The mode is set again because a umask may have taken from it, and an old file may have had another.
        guard written, fchmod(descriptor, access.rawValue) == 0 else {
            let problem = failure("write")
            _ = systemClose(descriptor)
            throw problem
        }
        guard systemClose(descriptor) == 0 else { throw failure("write") }
        guard rename(temporary, path) == 0 else { throw failure("put in place") }
    }

    /// Writes a file that must not be there yet.
    ///
    /// - Throws: `CommandFailure` when it is, or cannot be written.
    static func create(_ text: String, at path: String, access: Access) throws {
        try create(Array(text.utf8), at: path, access: access)
    }

    /// Writes a file of any kind that must not be there yet.
    ///
    /// - Throws: `CommandFailure` when it is, or cannot be written.
    static func create(_ bytes: [UInt8], at path: String, access: Access) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, access.rawValue)
        guard descriptor >= 0 else {
            let reason =
                errno == EEXIST
                ? "it exists; remove it, or choose another name" : String(cString: strerror(errno))
            throw CommandFailure(.cannotWrite, "cannot create \(path): \(reason)")
        }
        _ = systemClose(descriptor)
        try write(bytes, to: path, access: access)
    }

    /// Runs `use` while no other process does so with the same lock file.
    ///
    /// - Throws: `CommandFailure` when the file cannot be made, and whatever `use` throws.
    static func withLock<Result>(_ path: String, _ use: () throws -> Result) throws -> Result {
        let descriptor = open(path, O_RDWR | O_CREAT, Access.owner.rawValue)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw CommandFailure(.cannotWrite, "cannot lock \(path): \(String(cString: strerror(errno)))")
        }
        // Closing gives the lock back.
        defer { _ = systemClose(descriptor) }
        return try use()
    }

    /// Reads a text file; `nil` when it does not exist.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - limit: the most bytes; a device or a wrong file must not fill the memory.
    /// - Returns: what it holds.
    /// - Throws: `CommandFailure` when it exists and cannot be read, or is not UTF-8.
    static func read(_ path: String, limit: Int = 4 << 20) throws -> String? {
        guard let bytes = try readBytes(path, limit: limit) else { return nil }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw CommandFailure(.badConfiguration, "\(path) is not a text file")
        }
        return text
    }

    /// Reads a file of any kind; `nil` when it does not exist.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - limit: the most bytes; a device or a wrong file must not fill the memory.
    /// - Returns: what it holds.
    /// - Throws: `CommandFailure` when it exists and cannot be read.
    static func readBytes(_ path: String, limit: Int) throws -> [UInt8]? {
        let descriptor = open(path, O_RDONLY)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw CommandFailure(
                .badConfiguration,
                "cannot read \(path): \(String(cString: strerror(errno)))"
            )
        }
        defer { _ = systemClose(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= limit {
            let count = systemRead(descriptor, &chunk, chunk.count)
            guard count >= 0 else {
                throw CommandFailure(
                    .badConfiguration,
                    "cannot read \(path): \(String(cString: strerror(errno)))"
                )
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw CommandFailure(.badConfiguration, "\(path) is larger than \(limit >> 20) MiB")
    }

    /// Removes a file, if it is there.
    static func remove(_ path: String) { unlink(path) }

    /// Closes a file descriptor that was handed to this process.
    static func close(_ descriptor: Int32) { _ = systemClose(descriptor) }

    /// Makes a directory, and those above it, unless it is there.
    static func makeDirectory(_ path: String) throws {
        var partial = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            partial += partial.isEmpty || partial.hasSuffix("/") ? part : "/" + part
            guard mkdir(partial, 0o755) == 0 || errno == EEXIST else {
                throw CommandFailure(
                    .cannotWrite,
                    "cannot make the directory \(partial): \(String(cString: strerror(errno)))"
                )
            }
        }
    }

    /// Where a symbolic link points; `nil` when it is none.
    static func link(at path: String) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { target in
            guard let start = target.baseAddress else { return nil }
            target.initialize(repeating: 0)
            return readlink(path, start, target.count - 1) >= 0 ? String(cString: start) : nil
        }
    }

    /// The names in a directory, sorted; empty when there is none.
    static func names(in path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            // The name is read where it lies: the entry may be shorter than its type says.
            guard let offset = MemoryLayout<dirent>.offset(of: \dirent.d_name) else { continue }
            let name = UnsafeRawPointer(entry) + offset
            names.append(String(cString: name.assumingMemoryBound(to: CChar.self)))
        }
        return names.sorted()
    }
}

#if canImport(Glibc)
private let systemWrite = Glibc.write
private let systemRead = Glibc.read
private let systemClose = Glibc.close
#elseif canImport(Musl)
private let systemWrite = Musl.write
private let systemRead = Musl.read
private let systemClose = Musl.close
#else
private let systemWrite = Darwin.write
private let systemRead = Darwin.read
private let systemClose = Darwin.close
#endif

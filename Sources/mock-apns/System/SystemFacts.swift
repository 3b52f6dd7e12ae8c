internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// The operating system: this process, its limits and its file descriptors.
enum SystemFacts {
    static var processID: Int32 { getpid() }

    /// The name and the version of the kernel.
    static var kernel: String {
        var name = utsname()
        guard uname(&name) == 0 else { return "unknown" }
        func text(_ field: some Any) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        return "\(text(name.sysname)) \(text(name.release))"
    }

    /// The process that the result of `waitid` is about.
    static func process(of information: siginfo_t) -> pid_t {
        #if canImport(Darwin)
        information.si_pid
        #else
        information._sifields._kill.si_pid
        #endif
    }

    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    static var now: Int64 { Int64(time(nil)) }

    /// The host name; `nil` when a certificate cannot contain it.
    static var hostName: String? {
        let text = ProcessInfo.processInfo.hostName
        let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == ".") }
        return isPlain && text.contains(where: \.isLetter) && text.utf8.count <= 253 ? text : nil
    }

    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    static func absolutePath(_ path: String) -> String {
        path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// The open file descriptors that child processes inherit, each with its file, where the system tells it.
    static var inheritableDescriptors: [Int32: String] {
        var found: [Int32: String] = [:]
        for name in AtomicFile.names(in: "/dev/fd") {
            guard let descriptor = Int32(name), fcntl(descriptor, F_GETFD) == 0 else { continue }
            found[descriptor] = target(of: "/dev/fd/" + name) ?? ""
        }
        return found
    }

    static func target(of link: String) -> String? { try? FileManager.default.destinationOfSymbolicLink(atPath: link) }

    /// Keeps child processes from inheriting file descriptors, except the given ones and the standard streams.
    ///
    /// The number of a descriptor is not enough: another thread may have opened a file for a moment, and the number was
    /// used again.
    static func closeOnExecution(besides inherited: [Int32: String]) {
        for (number, file) in inheritableDescriptors where number > 2 && inherited[number] != file {
            _ = fcntl(number, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Writes all bytes, and returns whether that was possible.
    static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        bytes.withUnsafeBytes { bytes in
            var rest = bytes
            while !rest.isEmpty {
                let count = write(descriptor, rest.baseAddress, rest.count)
                guard count > 0 || errno == EINTR else { return false }
                rest = UnsafeRawBufferPointer(rebasing: rest[max(0, count)...])
            }
            return true
        }
    }

    static func closeDescriptor(_ descriptor: Int32) { close(descriptor) }

    static var readsFromTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    static var printsToTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// What the reader of standard output (1) or standard error (2) can see.
    static func terminal(_ descriptor: Int32) -> Terminal {
        Terminal(isTerminal: isatty(descriptor) == 1, columns: columns(of: descriptor), environment: environment)
    }

    /// The width that a terminal reports; `nil` for anything else.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        let result = ioctl(descriptor, UInt(TIOCGWINSZ), &size)
        return result == 0 && size.ws_col > 0 ? Int(size.ws_col) : nil
    }

    static var isOutputClosed: Bool {
        var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
        return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR | POLLNVAL) != 0
    }

    /// The system's description of an error, beginning in lower case.
    static func describe(errno number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Raises the limit of open files as far as the system allows: each connection is one.
    static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(fileLimit, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // If the system refuses, the old limit stays, and connections over it wait.
        _ = setrlimit(fileLimit, &limit)
    }

    static var openFileLimit: Int {
        var limit = rlimit()
        return getrlimit(fileLimit, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 1_024
    }
}

#if canImport(Glibc)
private let fileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
private let fileLimit = RLIMIT_NOFILE
#endif

enum PortHolder {
    /// The process that listens on a TCP port, as `name (pid 123)`; `nil` when it cannot be determined.
    static func describe(port: Int) -> String? {
        // /proc/net lists sockets by inode, and each process's descriptors name the inode.
        let tables = ["/proc/net/tcp", "/proc/net/tcp6"]
        let sockets = tables.compactMap { listeningInode(port: port, table: $0) }.map { "socket:[\($0)]" }
        guard !sockets.isEmpty else { return nil }
        for process in AtomicFile.names(in: "/proc") where Int(process) != nil {
            let descriptors = AtomicFile.names(in: "/proc/\(process)/fd")
            let isHolder = descriptors.contains { name in
                SystemFacts.target(of: "/proc/\(process)/fd/\(name)").map(sockets.contains) ?? false
            }
            guard isHolder else { continue }
            let name = try? AtomicFile.text(at: "/proc/\(process)/comm")
            return "\(name?.split(separator: "\n").first ?? "a process") (pid \(process))"
        }
        return nil
    }

    private static func listeningInode(port: Int, table: String) -> String? {
        let text = (try? AtomicFile.text(at: table)) ?? ""
        let lines = text.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
        let listener = lines.first { line in
            line.count > 9 && line[3] == "0A" && Int(line[1].suffix(4), radix: 16) == port
        }
        return listener.map { String($0[9]) }
    }
}

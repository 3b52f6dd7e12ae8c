internal import FoundationEssentials

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// What the operating system tells of this process and machine.
enum SystemFacts {
    /// The identifier of this process.
    static var processID: Int32 { getpid() }

    /// The number of processors in use.
    static var processors: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The time in UNIX seconds.
    static var now: Int64 { Int64(time(nil)) }

    /// The host name; `nil` when it has none, or one that no certificate may carry.
    static var hostName: String? {
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name -> String in
            guard let start = name.baseAddress else { return "" }
            // The last byte stays 0, because a name that is cut need not end with one.
            name.initialize(repeating: 0)
            return gethostname(start, name.count - 1) == 0 ? String(cString: start) : ""
        }
        let isPlain = text.utf8.allSatisfy {
            $0 == 0x2d || $0 == 0x2e || ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a) || $0 &- 0x30 < 10
        }
        let hasLetter = text.utf8.contains { $0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7a }
        return isPlain && hasLetter && text.utf8.count <= 253 ? text : nil
    }

    /// The environment variables.
    static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Whether a file descriptor is open.
    static func isOpen(_ descriptor: Int32) -> Bool { fcntl(descriptor, F_GETFD) >= 0 }

    /// The file descriptors that are open.
    static var openDescriptors: Set<Int32> {
        Set(AtomicFile.names(in: "/dev/fd").compactMap { Int32($0) }.filter(isOpen))
    }

    /// Keeps the programs that this process starts from having the file descriptors that it opened itself.
    static func closeOnExecution(besides inherited: Set<Int32>) {
        for descriptor in openDescriptors where descriptor > 2 && !inherited.contains(descriptor) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
    }

    /// Whether somebody reads standard output on a terminal.
    static var printsToTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// The system's words for an error, beginning in lower case.
    static func describe(errno number: Int32) -> String {
        let text = String(cString: strerror(number))
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    /// Allows this process as many open files as the system lets it have: each connection is one.
    static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(fileLimit, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        // Where the system refuses, the old limit stays, and connections over it wait.
        _ = setrlimit(fileLimit, &limit)
    }

    /// How many files this process may have open.
    static var openFileLimit: Int {
        var limit = rlimit()
        guard getrlimit(fileLimit, &limit) == 0 else { return 1_024 }
        return Int(clamping: limit.rlim_cur)
    }

    /// Ends this process at once.
    static func exitNow(_ status: Int32) -> Never { _exit(status) }
}

#if canImport(Glibc)
private let fileLimit = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
#else
private let fileLimit = RLIMIT_NOFILE
#endif

import Foundation

/// The two ends of a pipe.
struct Pipe {
    let reading: Int32
    let writing: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw RunningProgram.StartFailure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        (reading, writing) = (ends[0], ends[1])
    }
}

/// What a started program has of this process: no signal is blocked or ignored.
struct SpawnAttributes: ~Copyable {
    #if canImport(Darwin)
    var value: posix_spawnattr_t?
    #else
    var value = posix_spawnattr_t()
    #endif

    init() {
        posix_spawnattr_init(&value)
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&value, &signals)
        for signal in [SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaddset(&signals, signal) }
        posix_spawnattr_setsigdefault(&value, &signals)
        posix_spawnattr_setflags(&value, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    }

    deinit { withUnsafePointer(to: value) { _ = posix_spawnattr_destroy(UnsafeMutablePointer(mutating: $0)) } }
}

/// What happens in a program before it begins; it inherits its standard streams alone.
///
/// SwiftNIO's sockets would be inherited otherwise, and a socket that a test has closed stays open as long as any
/// program holds a copy.
struct SpawnActions: ~Copyable {
    #if canImport(Darwin)
    var value: posix_spawn_file_actions_t?
    #else
    var value = posix_spawn_file_actions_t()
    #endif

    init() { posix_spawn_file_actions_init(&value) }

    /// Closes everything else; call it after the standard streams are connected.
    mutating func closeRest() {
        // Swift does not see the function that closes all of them. One that is not open is no error.
        for descriptor in STDERR_FILENO + 1..<min(4_096, getdtablesize()) {
            posix_spawn_file_actions_addclose(&value, descriptor)
        }
    }

    deinit { withUnsafePointer(to: value) { _ = posix_spawn_file_actions_destroy(UnsafeMutablePointer(mutating: $0)) } }

    mutating func connect(_ descriptor: Int32, to standard: Int32) {
        posix_spawn_file_actions_adddup2(&value, descriptor, standard)
    }
}

/// Lends texts as C has them, followed by a null pointer.
func withCStrings<Result>(_ texts: [String], _ use: ([UnsafeMutablePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return use(copies + [nil])
}

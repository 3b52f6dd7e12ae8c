import Foundation

/// One program is started at a time, so that none inherits the pipes of another before they are marked.
let spawning = NSLock()

/// Two descriptors that no started program inherits.
struct Pipe {
    let reading: Int32
    let writing: Int32

    /// Makes them; call it under `spawning`.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw RunningProgram.StartFailure(description: "no pipe: \(String(cString: strerror(errno)))")
        }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
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

    deinit {
        withUnsafePointer(to: value) { _ = posix_spawnattr_destroy(UnsafeMutablePointer(mutating: $0)) }
    }
}

/// What happens in a program before it begins.
struct SpawnActions: ~Copyable {
    #if canImport(Darwin)
    var value: posix_spawn_file_actions_t?
    #else
    var value = posix_spawn_file_actions_t()
    #endif

    init() { posix_spawn_file_actions_init(&value) }

    deinit {
        withUnsafePointer(to: value) {
            _ = posix_spawn_file_actions_destroy(UnsafeMutablePointer(mutating: $0))
        }
    }

    mutating func connect(_ descriptor: Int32, to standard: Int32) {
        posix_spawn_file_actions_adddup2(&value, descriptor, standard)
    }
}

/// Lends texts as C has them, followed by a null pointer.
func withCStrings<Result>(
    _ texts: [String],
    _ use: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return use(copies + [nil])
}

internal import NIOConcurrencyHelpers

#if canImport(Glibc)
internal import Glibc
#elseif canImport(Musl)
internal import Musl
#elseif canImport(Darwin)
internal import Darwin
#endif

/// Limits how many worlds of a directory have open files.
///
/// A world opens its files when it uses them. If too many worlds have, the ones that were used least recently close theirs.
final class OpenWorlds: Sendable {
    /// The number of worlds that have open files, unless more are in use at the same time.
    private let most: Int
    private let state = NIOLockedValueBox(State())

    private struct State {
        var uses: UInt64 = 0
        var worlds: [ObjectIdentifier: World] = [:]
    }

    private struct World {
        weak var files: WorldFiles?
        var lastUse: UInt64
    }

    /// By default, worlds use at most about half of the open files that the process may have.
    init(most: Int = OpenWorlds.fitting(openFiles: OpenWorlds.openFileLimit)) { self.most = most }

    /// A world has a database, its log and the index of the log open, and more while it is searched.
    static func fitting(openFiles: Int) -> Int { min(max(openFiles / 12, 4), 64) }

    private static var openFileLimit: Int {
        var limit = rlimit()
        #if canImport(Glibc)
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let resource = RLIMIT_NOFILE
        #endif
        return getrlimit(resource, &limit) == 0 ? Int(clamping: limit.rlim_cur) : 1_024
    }

    /// The number of worlds with open files.
    var count: Int { state.withLockedValue { $0.worlds.count } }

    /// Notes that a world is in use and about to open its files, and closes those of others if there are too many.
    func willUse(_ files: WorldFiles) {
        let excess = state.withLockedValue { state -> [World] in
            state.uses += 1
            state.worlds[ObjectIdentifier(files)] = World(files: files, lastUse: state.uses)
            guard state.worlds.count > most else { return [] }
            let oldest = state.worlds.values.sorted { $0.lastUse < $1.lastUse }
            return Array(oldest.prefix(state.worlds.count - most))
        }
        for world in excess {
            guard let files = world.files, files.closeIfUnused() else { continue }
            forget(files, lastUsed: world.lastUse)
        }
    }

    /// Forgets a world that has closed its files, unless it was used since.
    func forget(_ files: WorldFiles, lastUsed: UInt64? = nil) {
        state.withLockedValue { state in
            let known = state.worlds[ObjectIdentifier(files)]
            guard let known, lastUsed == nil || known.lastUse == lastUsed else { return }
            state.worlds[ObjectIdentifier(files)] = nil
        }
    }
}

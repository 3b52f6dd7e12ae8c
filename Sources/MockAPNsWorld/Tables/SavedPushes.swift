/// Pushes that are kept under names, to be sent again and again.
public struct SavedPushes: Sendable {
    /// The reason why a push is not saved.
    public enum Refusal: Error, Equatable, Sendable {
        case tooMany
        /// The push has this many bytes.
        case tooLarge(Int)
    }

    /// The maximum number of saved pushes.
    public static let most = 100
    /// The maximum size of each, in bytes.
    public static let largest = 64 << 10
    /// The maximum length of a name, in Unicode scalars.
    public static let longestName = 100

    let world: World

    /// The pushes by name, as JSON.
    public var all: [String: String] { world.withState { state, _ in state.savedPushes } }

    /// The push with a name.
    public subscript(name: String) -> String? { world.withState { state, _ in state.savedPushes[name] } }

    /// Saves a push, replacing the one with this name, and returns whether it is new.
    public func put(_ push: String, as name: String) throws(Refusal) -> Bool {
        guard push.utf8.count <= Self.largest else { throw .tooLarge(push.utf8.count) }
        return try world.withLockedState { state, time throws(Refusal) in
            let isNew = state.savedPushes[name] == nil
            guard !isNew || state.savedPushes.count < Self.most else { throw .tooMany }
            state.perform(SetSavedPush(name: name, push: push), at: time)
            return isNew
        }
    }

    /// Replaces all saved pushes, or none of them.
    public func replaceAll(with pushes: [String: String]) throws(Refusal) {
        guard pushes.count <= Self.most else { throw .tooMany }
        let largest = pushes.values.map(\.utf8.count).max() ?? 0
        guard largest <= Self.largest else { throw .tooLarge(largest) }
        world.commit(SetSavedPushes(pushes: pushes))
    }

    /// Removes a push, and returns whether it existed.
    public func remove(_ name: String) -> Bool {
        world.withLockedState { state, time in
            guard state.savedPushes[name] != nil else { return false }
            state.perform(SetSavedPush(name: name, push: nil), at: time)
            return true
        }
    }
}

extension World {
    /// The pushes that are kept under names.
    public var savedPushes: SavedPushes { SavedPushes(world: self) }
}

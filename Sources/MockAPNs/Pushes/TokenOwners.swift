internal import HashTreeCollections
internal import MockAPNsRules
internal import MockAPNsWorld

/// The worlds in which each device token is registered; a value type whose copies share unchanged parts.
struct TokenOwners: Sendable {
    private struct Claims {
        /// The numbers of the worlds in which the device was configured or changed.
        var kept: Set<UInt64> = []
        /// The worlds in which the device was only created by a push.
        var madeByPush: Set<UInt64> = []
    }

    private var claims: TreeDictionary<DeviceToken, Claims> = [:]

    /// Creates an empty table.
    init() {}

    /// Returns the number of the world to which a token belongs; `nil` if none or several have it.
    ///
    /// A device that was only created by a push is ignored if another world has a configured one. `standard` is
    /// the token's registration in the default world, which has no number.
    func owner(of token: DeviceToken, besides standard: RegisteredToken?) -> UInt64? {
        guard let claims = claims[token], standard?.isKept != true else { return nil }
        if standard == nil, claims.kept.count + claims.madeByPush.count == 1 {
            return claims.kept.first ?? claims.madeByPush.first
        }
        return claims.kept.count == 1 ? claims.kept.first : nil
    }

    /// Records a change of a token in a world.
    mutating func note(_ change: TokenChange, in world: UInt64) {
        var changed = claims[change.token] ?? Claims()
        changed.kept.remove(world)
        changed.madeByPush.remove(world)
        switch change.isKept {
        case true?: changed.kept.insert(world)
        case false?: changed.madeByPush.insert(world)
        case nil: break
        }
        claims[change.token] = changed.kept.isEmpty && changed.madeByPush.isEmpty ? nil : changed
    }
}

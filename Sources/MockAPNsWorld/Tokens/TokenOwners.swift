internal import HashTreeCollections
package import MockAPNsRules

/// The worlds that know each device token, as a value whose copies share what is equal.
///
/// One lookup finds the owner, however many worlds there are.
package struct TokenOwners: Sendable {
    /// The numbers of the worlds that know one token.
    private struct Claims {
        /// Those where somebody described or changed the device.
        var kept: Set<UInt64> = []
        /// Those where only a push made the device.
        var madeByPush: Set<UInt64> = []
    }

    private var claims: TreeDictionary<DeviceToken, Claims> = [:]

    /// Owners of no tokens.
    package init() {}

    /// The number of the world that a token belongs to.
    ///
    /// A device that only a push made does not count if another world has a described one.
    ///
    /// - Parameters:
    ///   - token: The device token.
    ///   - standard: The token's registration in the standard world, which has no number.
    /// - Returns: The number, or `nil` if the token belongs to none or to several.
    package func owner(of token: DeviceToken, besides standard: RegisteredToken?) -> UInt64? {
        guard let claims = claims[token], standard?.isKept != true else { return nil }
        if standard == nil, claims.kept.count + claims.madeByPush.count == 1 {
            return claims.kept.first ?? claims.madeByPush.first
        }
        return claims.kept.count == 1 ? claims.kept.first : nil
    }

    /// Notes what a world knows of a token.
    package mutating func note(_ change: TokenChange, in world: UInt64) {
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

/// A change of what a world knows of a device token.
package struct TokenChange: Sendable {
    /// The device token.
    package let token: DeviceToken
    /// Whether somebody described or changed its device, or `nil` if the token is unknown now.
    package let isKept: Bool?
}

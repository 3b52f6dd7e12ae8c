package import MockAPNsWorld

/// A stored world after its last change, as another store takes it: its state and its pushes, without the changes before.
package struct WorldCopy {
    package let properties: [String: String]
    /// The state.
    package let snapshot: LogSnapshot
    /// The highest push number that a reset has cleared.
    package let cleared: UInt64
    private let store: any WorldStore

    /// Reads the state; servers may go on to change the world.
    package init(of store: any WorldStore, _ material: WorldKeeper.Material) throws(StoreError) {
        let (world, position) = try World.readNewest(store, like: .blank, material)
        var snapshot = LogSnapshot(of: world, material)
        snapshot.position = position
        self.snapshot = snapshot
        cleared = world.journal.epochStart - 1
        properties = try store.properties()
        self.store = store
    }

    /// Calls `use` with all pushes that were kept then, in order.
    package func visitPushes(_ use: (KeptPush) throws(StoreError) -> Void) throws(StoreError) {
        var all = snapshot
        all.firstPush = cleared + 1
        try store.visitJournal(of: all) { push throws(StoreError) in try use(push.whole(in: store.place)) }
    }
}

extension ReadPush {
    /// Returns the push, or throws if it cannot be read; `place` is where it is kept, for messages.
    package func whole(in place: String) throws(StoreError) -> KeptPush {
        do { return try get() } catch { throw StoreError(damaged: place, "\(error)") }
    }
}

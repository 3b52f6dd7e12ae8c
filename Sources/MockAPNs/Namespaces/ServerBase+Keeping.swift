internal import MockAPNsCrypto
package import MockAPNsLog
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOCore

extension ServerBase {
    /// Opens the store of a namespace, for which `world` is the initial state; returns `nil` without a store.
    static func keep(
        _ world: World,
        of name: String,
        by configuration: Configuration,
        as replica: Replica?
    ) throws(MockAPNsError) -> (any WorldKeeping)? {
        guard let keeping = configuration.keeping else { return nil }
        do throws(StoreError) {
            let store = try keeping.stores.open(name)
            let onReadFailure: @Sendable (StoreError) -> Void = {
                keeping.report(unread: $0, namespace: name)
            }
            if let replica {
                return try replica.turns.add(name, world, in: store, onReadFailure: onReadFailure)
            }
            return try WorldKeeper(
                world,
                in: store,
                name: name,
                isConfigured: name == Namespace.standardName,
                material: WorldKeeper.Material(condition: keeping.condition),
                options: keeping.options,
                onTrouble: { keeping.report($0, namespace: name) },
                onReadFailure: onReadFailure
            )
        } catch {
            throw MockAPNsError(.cannotKeep, "\(keeping.stores.place), namespace \(name): \(error)")
        }
    }

    /// Restores the namespaces in the store, and routes pushes to them from now on.
    func reopenNamespaces() async throws -> [Namespace] {
        guard let stores = configuration.keeping?.stores else { return [] }
        var namespaces: [Namespace] = []
        do {
            for name in try stores.names() where name != Namespace.standardName {
                guard let draft = try properties(of: name, in: stores)?.draft(named: name) else { continue }
                let number = UInt64(namespaces.count + 1)
                let made = try await namespace(draft, number: number)
                routes.insert(made.world, made.workers, number: number)
                namespaces.append(made)
            }
        } catch {
            for namespace in namespaces { await namespace.stop(grace: .zero) }
            throw MockAPNsError(.cannotKeep, "\(stores.place): \(error)")
        }
        return namespaces
    }

    /// Returns the stored properties of a namespace; `nil` while another replica is still creating it.
    func properties(of name: String, in stores: any WorldStores) throws(StoreError) -> NamespaceProperties? {
        let store = try stores.open(name)
        defer { store.close() }
        if replica != nil, try store.newestSnapshot() == nil { return nil }
        return NamespaceProperties(try store.properties())
    }

    /// Ends the keeping of a namespace that is removed: deletes its stored data, unless another replica has done so.
    ///
    /// From then on, no response waits for what is stored of it.
    func abandon(_ namespace: Namespace, isDeleted: Bool) async {
        guard let keeping = configuration.keeping, let keeper = namespace.keeper else { return }
        let name = namespace.name
        do throws(StoreError) {
            try await keeper.abandon { () throws(StoreError) in
                if !isDeleted { try keeping.stores.remove(name) }
            }
        } catch {
            keeping.onTrouble("\(keeping.stores.place), namespace \(name) was not deleted: \(error)")
        }
    }

    /// Deletes the stored data of a namespace that was not created.
    func forget(_ name: String) {
        guard let keeping = configuration.keeping else { return }
        do throws(StoreError) { try keeping.stores.remove(name) } catch {
            keeping.onTrouble("\(keeping.stores.place), namespace \(name) was not deleted: \(error)")
        }
    }
}

/// The stored properties of a namespace: its port, environment and `ttl`.
struct NamespaceProperties {
    private(set) var values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    init(of namespace: Namespace) {
        values = [:]
        if let listener = namespace.listeners.first, !namespace.isStandard {
            values["port"] = String(listener.address.port)
            values["environment"] = listener.address.environment.rawValue
        }
        if let ttl = namespace.ttl { values["ttl"] = String(Int64(ttl / .microseconds(1))) }
    }

    func draft(named name: String) -> Namespaces.Draft {
        var draft = Namespaces.Draft(name: name)
        draft.port = values["port"].flatMap { Int($0) }
        draft.hasListener = draft.port != nil
        draft.environment = values["environment"].flatMap { Environment(rawValue: $0) }
        draft.ttl = ttl
        draft.isKept = true
        return draft
    }

    var ttl: Duration? { values["ttl"].flatMap { Int64($0) }.map { .microseconds($0) } }
}

extension WorldKeeper.Material {
    /// Creates the material with this target's key verification and digests; `condition` parses a fault's condition.
    package init(condition: @escaping @Sendable (String) -> PushQuery.Condition?) {
        let replay = ReplayMaterial(condition: condition) { pem in
            (try? VerifyingKey(pem: pem)).map { KeyVerifier(key: $0) }
        }
        self.init(replay: replay) { bytes in
            // OpenSSL fails only when memory runs out. The wrong digest is then found by a check.
            (try? SHA256.hex(of: bytes)) ?? ""
        }
    }
}

extension Namespace {
    /// Returns the SHA-256 of the world's state and journal, and the newest sequence number.
    ///
    /// Replaying the log of a world gives the same digest.
    package func digest() -> (digest: String, lastSeq: UInt64) {
        let (bytes, lastSeq) = world.canonicalBytes()
        return ((try? SHA256.hex(of: bytes)) ?? "", lastSeq)
    }
}

internal import MockAPNsCrypto
package import MockAPNsLog
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOCore

extension ServerBase {
    /// Opens the world of a namespace's store, which begins with `world`; returns `nil` if nothing is kept.
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

    /// Creates the namespaces again that were there when the server ended; their pushes are routed to them from now on.
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

    /// What is kept of a namespace besides its world; `nil` if another server has not created it to the end.
    func properties(of name: String, in stores: any WorldStores) throws(StoreError) -> NamespaceProperties? {
        let store = try stores.open(name)
        defer { store.close() }
        if replica != nil, try store.newestSnapshot() == nil { return nil }
        return NamespaceProperties(try store.properties())
    }

    /// Deletes what is kept of a namespace that has ended.
    func forget(_ name: String) {
        guard let keeping = configuration.keeping else { return }
        do throws(StoreError) { try keeping.stores.remove(name) } catch {
            keeping.onTrouble("\(keeping.stores.place), namespace \(name) was not deleted: \(error)")
        }
    }
}

/// What is kept of a namespace besides its world.
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
    /// What this target knows, and how to make the condition of a fault from its text.
    package init(condition: @escaping @Sendable (String) -> PushQuery.Condition?) {
        let replay = ReplayMaterial(condition: condition) { pem in
            (try? VerifyingKey(pem: pem)).map { KeyVerifier(key: $0) }
        }
        self.init(replay: replay) { bytes in
            // OpenSSL only fails without memory, and then a digest that differs is found by a check.
            (try? SHA256.hex(of: bytes)) ?? ""
        }
    }
}

extension Namespace {
    /// The SHA-256 of everything that changes have made of the world, with its journal, and the newest number.
    ///
    /// It is the same for a world and for what its log makes of it.
    package func digest() -> (digest: String, lastSeq: UInt64) {
        let (bytes, lastSeq) = world.canonicalBytes()
        return ((try? SHA256.hex(of: bytes)) ?? "", lastSeq)
    }
}

internal import MockAPNsCrypto
package import MockAPNsLog
internal import MockAPNsRules
package import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore

extension ServerBase {
    /// Opens the stored world of a namespace, for which `world` is the initial state; returns `nil` without stores.
    ///
    /// Throws if there is none and `creates` is `false`. A store that is open already is passed as `opened`.
    static func keep(
        _ world: World, of name: String, in opened: KeptStores.Opened? = nil, creates: Bool,
        by configuration: Configuration, as replica: Replica?
    ) async throws(MockAPNsError) -> (any WorldKeeping)? {
        guard let keeping = configuration.keeping else { return nil }
        var settings = KeptStores.Settings(keeping.material)
        settings.turns = replica?.turns
        settings.isConfigured = name == Namespace.standardName
        settings.options = keeping.options
        settings.onTrouble = { keeping.report($0, namespace: name) }
        settings.onBackgroundChange = { keeping.report($0, $1, namespace: name) }
        settings.onReadFailure = { keeping.report(unread: $0, namespace: name) }
        do throws(StoreError) {
            return try await keeping.stores.keep(world, of: name, in: opened, creates: creates, settings)
        } catch { throw MockAPNsError(.cannotKeep, "\(keeping.stores.place), namespace \(name): \(error)") }
    }

    /// Restores the namespaces in the store, and routes pushes to them from now on.
    func reopenNamespaces() async throws -> [Namespace] {
        guard let stores = configuration.keeping?.stores else { return [] }
        var namespaces: [Namespace] = []
        do {
            for name in try await stores.names() where name != Namespace.standardName {
                guard let store = try await stores.open(name) else { continue }
                let properties = NamespaceProperties(store.properties)
                let number = UInt64(namespaces.count + 1)
                let made = try await namespace(properties.draft(named: name), number: number, in: store)
                routes.insert(made.world, made.workers, number: number)
                namespaces.append(made)
            }
        } catch {
            for namespace in namespaces { await namespace.stop(grace: .zero) }
            throw MockAPNsError(.cannotKeep, "\(stores.place): \(error)")
        }
        return namespaces
    }

    /// Ends the keeping of a namespace that is removed: deletes its stored data, unless another replica has done so.
    ///
    /// From then on, no response waits for what is stored of it.
    func abandon(_ namespace: Namespace, isDeleted: Bool) async {
        guard let keeping = configuration.keeping, let keeper = namespace.keeper else { return }
        let name = namespace.name
        do throws(StoreError) { try await keeping.stores.abandon(keeper, of: name, isDeleted: isDeleted) } catch {
            keeping.onTrouble("\(keeping.stores.place), namespace \(name) was not deleted: \(error)")
        }
    }

    /// Deletes the stored data of a namespace that was not created.
    func forget(_ name: String) async {
        guard let keeping = configuration.keeping else { return }
        do throws(StoreError) { try await keeping.stores.remove(name) } catch {
            keeping.onTrouble("\(keeping.stores.place), namespace \(name) was not deleted: \(error)")
        }
    }
}

/// The stored properties of a namespace: its port, environment and `ttl`.
struct NamespaceProperties {
    private(set) var values: [String: String]

    init(_ values: [String: String]) { self.values = values }

    init(of namespace: Namespace) { self.init(of: namespace, ttl: namespace.ttl) }

    init(of namespace: Namespace, ttl: Duration?) {
        values = [:]
        if let listener = namespace.listeners.first, !namespace.isStandard {
            values["port"] = String(listener.address.port)
            values["environment"] = listener.address.environment.rawValue
        }
        if let ttl { values["ttl"] = String(Int64(ttl / .microseconds(1))) }
    }

    func draft(named name: String) -> Namespaces.Draft {
        var draft = Namespaces.Draft(name: name)
        draft.port = values["port"].flatMap { Int($0) }
        draft.hasListener = draft.port != nil
        draft.environment = values["environment"].flatMap { Environment(rawValue: $0) }
        draft.ttl = ttl
        draft.kept = values
        return draft
    }

    var ttl: Duration? { values["ttl"].flatMap { Int64($0) }.map { .microseconds($0) } }
}

extension WorldKeeper.Material {
    /// Creates the material with this target's key verification and digests; `match` parses a fault's condition.
    ///
    /// Reading a key takes long, and most worlds have the same few, so it remembers the latest ones.
    package init(match: @escaping @Sendable (String) -> FaultDraft.Match?) {
        let known = NIOLockedValueBox<[String: KeyVerifier]>([:])
        let replay = ReplayContext(match: match) { pem in
            if let verifier = known.withLockedValue({ $0[pem] }) { return verifier }
            guard let key = try? VerifyingKey(pem: pem) else { return nil }
            let verifier = KeyVerifier(key: key)
            known.withLockedValue { known in
                if known.count >= 100 { known.removeAll() }
                known[pem] = verifier
            }
            return verifier
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

internal import Dispatch
internal import MockAPNsLog
public import MockAPNsRules
internal import MockAPNsTransport
public import MockAPNsWorld
internal import NIOConcurrencyHelpers
internal import NIOCore

/// The namespaces of a server.
///
/// A push to a namespace's own port belongs to that namespace. Any other push belongs to the only namespace in which
/// its device token is registered, or else to the default one.
public final class Namespaces: Sendable {
    /// The input for creating a namespace.
    public struct Draft: Sendable {
        /// The name: at most 64 letters, digits and `-._`.
        public var name: String
        /// Whether the namespace has its own port.
        public var hasListener = true
        /// The environment of its port; `nil` for that of the server's first listener.
        public var environment: Environment?
        /// How long the namespace is kept while it is idle; `nil` for no limit.
        public var ttl: Duration?
        /// The port to listen at if it is free; `nil` for any free one.
        var port: Int?
        /// The stored properties of a namespace that already exists in the store.
        var kept: [String: String]?
        /// The namespace from which current keys, settings and startup devices are copied; `nil` for none.
        public var source: Namespace?

        /// Creates a draft with its own port.
        public init(name: String) { self.name = name }
    }

    /// The maximum number of namespaces besides the default one.
    public static let limit = 1_000

    /// The namespace that every server has.
    public let standard: Namespace

    private let base: ServerBase
    private let state = NIOLockedValueBox(State())
    /// Where the stores of the worlds are checked, which may block.
    private let checks = DispatchQueue(label: "mock-apns.checks")

    /// The number of ticks from one check of the stores to the next: a second.
    private static let ticksOfCheck = 10

    private struct State {
        /// The namespaces besides the default one, in order of creation.
        var namespaces: [Namespace] = []
        /// The names of all namespaces, including those that are being created.
        var names: Set<String> = [Namespace.standardName]
        var isStopping = false
        var onAddition: [@Sendable (Namespace) -> Void] = []
        var onRemoval: [@Sendable (Namespace) -> Void] = []
        var lastNumber: UInt64 = 0
        /// The removed namespaces that are still ending, by number, with the tasks that end them.
        ///
        /// They may still receive pushes.
        var endings: [UInt64: (namespace: Namespace, task: Task<Void, Never>)] = [:]
        /// The counts of namespaces that have ended.
        var tally = Tally()
        var ticks = 0
        var isChecking = false
        /// Why namespaces of other replicas are missing.
        var listFailure: StoreError?
    }

    /// Creates the namespaces of a server; `others` must be in order of creation.
    init(standard: Namespace, others: [Namespace] = [], on base: ServerBase) {
        self.standard = standard
        self.base = base
        state.withLockedValue { state in
            state.namespaces = others
            state.names.formUnion(others.map(\.name))
            state.lastNumber = others.map(\.number).max() ?? 0
        }
    }

    /// The namespaces: the default one, then the others in order of creation.
    public var all: [Namespace] { [standard] + others }

    private var others: [Namespace] { state.withLockedValue { $0.namespaces } }

    /// The namespace with this name.
    public subscript(name: String) -> Namespace? {
        name == Namespace.standardName ? standard : others.first { $0.name == name }
    }

    /// Returns whether a string is a valid name, which can be part of a path.
    public static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && !text.utf8.allSatisfy { $0 == UInt8(ascii: ".") }
            && text.utf8.allSatisfy(ClientCertificates.isNameByte)
    }

    /// Calls `notify` for every namespace there is besides the default one, and for every new one before its first push.
    package func onAddition(_ notify: @escaping @Sendable (Namespace) -> Void) {
        let known = state.withLockedValue { state in
            state.onAddition.append(notify)
            return state.namespaces
        }
        for namespace in known { notify(namespace) }
    }

    /// Calls `notify` for every namespace that is removed, while its connections are ending.
    public func onRemoval(_ notify: @escaping @Sendable (Namespace) -> Void) {
        state.withLockedValue { $0.onRemoval.append(notify) }
    }

    /// The counts of all namespaces since startup, including removed ones.
    public var tally: Tally {
        let (namespaces, gone) = state.withLockedValue { state in
            (state.namespaces + state.endings.values.map { $0.namespace }, state.tally)
        }
        return ([standard] + namespaces).reduce(into: gone) { $0.add($1.world.tally) }
    }

    /// Creates a namespace; it is used for every push and call after this returns.
    ///
    /// If one of the same name is ending, waits until it has ended.
    public func add(_ draft: Draft) async throws(NamespaceError) -> Namespace {
        guard Self.isName(draft.name) else {
            throw NamespaceError(
                code: .badName,
                description: "invalid namespace name '\(draft.name)': use letters, digits, '-', '.' and '_'")
        }
        // What is kept of a namespace that is still ending is not the new one's, and is deleted.
        while let ending = self.ending(named: draft.name) { await ending.value }
        let number = try reserve(draft.name)
        let made: Namespace
        do throws(NamespaceError) { made = try await base.namespace(draft, number: number) } catch {
            _ = state.withLockedValue { $0.names.remove(draft.name) }
            throw error
        }
        for notify in state.withLockedValue(\.onAddition) { notify(made) }
        base.routes.insert(made.world, made.workers, number: number)
        // If the server has begun to stop in the meantime, it would not end this namespace.
        let isStopping = state.withLockedValue { state in
            if !state.isStopping { state.namespaces.append(made) }
            return state.isStopping
        }
        if isStopping {
            forget(made)
            await made.stop(grace: .zero)
            throw .stopping
        }
        return made
    }

    private func ending(named name: String) -> Task<Void, Never>? {
        state.withLockedValue { $0.endings.values.first { $0.namespace.name == name }?.task }
    }

    /// Reserves a name, and returns the number of the new namespace.
    private func reserve(_ name: String) throws(NamespaceError) -> UInt64 {
        let outcome = state.withLockedValue { state -> Result<UInt64, NamespaceError> in
            if state.isStopping { return .failure(.stopping) }
            if state.names.contains(name) {
                let problem = "a namespace named '\(name)' already exists"
                return .failure(NamespaceError(code: .nameTaken, description: problem))
            }
            guard state.names.count <= Self.limit else {
                let problem = "there are already \(Self.limit) namespaces; remove some, or give them a ttl"
                return .failure(NamespaceError(code: .tooMany, description: problem))
            }
            state.names.insert(name)
            state.lastNumber += 1
            return .success(state.lastNumber)
        }
        return try outcome.get()
    }

    /// Removes a namespace: closes its port, ends its connections, and deletes its data.
    ///
    /// Returns whether it existed; `false` for the default one.
    public func remove(_ name: String) async -> Bool {
        guard let namespace = others.first(where: { $0.name == name }), namespace.retire(onlyIfIdle: false) else {
            return false
        }
        await end(namespace).value
        return true
    }

    /// Runs due actions in every namespace, removes namespaces that were idle for too long, and checks the stores.
    func tick() {
        checkStores()
        guard let turns = base.replica?.turns else {
            for namespace in all { namespace.world.settle() }
            endIdle()
            return
        }
        guard others.contains(where: { $0.ttl != nil }) else { return }
        turns.enter { entry in
            if entry.mayChange { self.endIdle() }
            entry.leave()
        }
    }

    /// Checks once a second that the stores of the worlds still have their files.
    private func checkStores() {
        let isDue = state.withLockedValue { state in
            state.ticks += 1
            guard state.ticks % Self.ticksOfCheck == 0, !state.isChecking else { return false }
            state.isChecking = true
            return true
        }
        guard isDue else { return }
        checks.async {
            for namespace in self.all { namespace.keeper?.check() }
            self.state.withLockedValue { $0.isChecking = false }
        }
    }

    private func endIdle() { for namespace in others where namespace.retire(onlyIfIdle: true) { _ = end(namespace) } }

    /// Creates, updates and removes namespaces as other replicas have done; returns why some of that was not possible.
    func follow() async -> StoreError? {
        guard let keeping = base.configuration.keeping else { return nil }
        let failure = await follow(keeping)
        let isNew = state.withLockedValue { state in
            defer { state.listFailure = failure }
            return state.listFailure != failure
        }
        guard isNew else { return failure }
        let place = keeping.stores.place
        if let failure {
            let start = failure.description.contains(place) ? "" : "\(place): "
            keeping.onTrouble("\(start)\(failure). Namespaces of other servers are missing here.")
        } else {
            keeping.onTrouble("\(place): the namespaces are complete again")
        }
        return failure
    }

    private func follow(_ keeping: Configuration.Keeping) async -> StoreError? {
        var failure: StoreError?
        do throws(StoreError) {
            let names = Set(try await keeping.stores.names())
            for namespace in others where !names.contains(namespace.name) && namespace.retire(onlyIfIdle: false) {
                _ = end(namespace, because: .removalElsewhere)
            }
            for name in names.subtracting([Namespace.standardName]).sorted() {
                // One that fails must not hide the others.
                do throws(StoreError) { try await follow(name, in: keeping.stores) } catch {
                    failure = failure ?? StoreError(error.code, "namespace \(name): \(error)")
                }
            }
        } catch { return error }
        return failure
    }

    private func follow(_ name: String, in stores: KeptStores) async throws(StoreError) {
        guard let properties = try await stores.properties(of: name).map({ NamespaceProperties($0) }) else { return }
        if let known = self[name] { return known.follow(ttl: properties.ttl) }
        do throws(NamespaceError) { _ = try await add(properties.draft(named: name)) } catch {
            // Not a failure if this server is creating or ending the namespace itself.
            guard error.code != .nameTaken, error.code != .stopping else { return }
            throw StoreError(.failed, error.description)
        }
    }

    /// Removes the routes to a namespace.
    private func forget(_ namespace: Namespace) {
        base.routes.remove(namespace.number)
        namespace.world.onTokenChange(nil)
    }

    /// Why a namespace ends.
    private enum Ending {
        /// It was removed, so its data is deleted.
        case removal
        /// Another replica has removed it, and its data.
        case removalElsewhere
        /// The server stops; the data is for the next start.
        case stop
    }

    /// Ends a namespace, and returns the task that does so.
    private func end(
        _ namespace: Namespace, grace: TimeAmount = .seconds(1), because ending: Ending = .removal
    ) -> Task<Void, Never> {
        state.withLockedValue { state in
            // Atomic, so totals never miss or double-count it.
            state.namespaces.removeAll { $0 === namespace }
            state.names.remove(namespace.name)
            let number = namespace.number
            let notify = state.onRemoval
            let task = Task {
                for notify in notify { notify(namespace) }
                forget(namespace)
                await standard.refreshRouters()
                namespace.refuse()
                // First, so that no connection waits for data that is deleted, whether its own or one shared with others.
                if ending != .stop { await base.abandon(namespace, isDeleted: ending == .removalElsewhere) }
                await namespace.stop(grace: grace)
                self.state.withLockedValue { state in
                    state.endings[number] = nil
                    state.tally.add(namespace.world.tally)
                }
            }
            state.endings[number] = (namespace, task)
            return task
        }
    }

    /// Ends all namespaces except the default one, and waits for those that are already ending.
    func stop(grace: TimeAmount) async {
        state.withLockedValue { $0.isStopping = true }
        for namespace in others where namespace.retire(onlyIfIdle: false) {
            _ = end(namespace, grace: grace, because: .stop)
        }
        for ending in state.withLockedValue({ Array($0.endings.values) }) { await ending.task.value }
    }
}

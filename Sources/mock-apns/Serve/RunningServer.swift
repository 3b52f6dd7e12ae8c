internal import MockAPNs
internal import MockAPNsForward
internal import MockAPNsInspector
internal import MockAPNsLog
internal import MockAPNsTransport
internal import NIOCore

struct RunningServer {
    let server: MockAPNsServer
    let inspector: Inspector
    let notice: ReadyNotice
    /// The certificate that clients have to trust, in PEM; `nil` if none is known.
    var authority: String? { settings.facts.certificateAuthority?.pem }
    private let settings: ServeSettings
    private let memoryWatch: Task<Void, Never>
    private let forwarder: Forwarder?

    /// Starts both and announces them; they accept connections when this returns.
    ///
    /// A request of the API that stops the server calls `onShutdown`, where that is allowed. Creating certificates and
    /// keys is reported unless they are temporary. If an address or a file cannot be used, nothing is left running.
    init(_ settings: ServeSettings, onShutdown: (@Sendable () -> Void)? = nil) async throws {
        Console.configure(isQuiet: settings.isQuiet, label: settings.facts.label)
        var settings = settings
        try settings.readCredentials()
        if settings.allowsShutdown { settings.access.onShutdown = onShutdown }
        self.settings = settings
        try await Self.openTimer()
        server = try await Self.start(settings)
        do { forwarder = try Self.startForwarder(settings, server) } catch {
            try await server.stop(grace: .zero)
            throw error
        }
        do { inspector = try await Self.startInspector(settings, server) } catch {
            await forwarder?.stop()
            try await server.stop(grace: .zero)
            throw error
        }
        memoryWatch = Task {
            let watch = MemoryWatch()
            while (try? await Task.sleep(for: .seconds(2))) != nil { watch.check() }
        }
        notice = ReadyNotice(
            apnsURLs: server.listeners.map(\.url), binaryListeners: server.binaryListeners.map(\.address),
            apiURL: inspector.url ?? "-",
            authorityPath: settings.facts.certificateAuthority.map { _ in settings.authorityFile },
            developmentKey: settings.facts.developmentKey)
        do { if let file = settings.readyFile { try AtomicFile.save(notice.json, to: file, access: .everyone) } } catch
        {
            try await stop(grace: .zero)
            throw error
        }
        if let descriptor = settings.readyDescriptor {
            Console.write("\(notice.line)\n".utf8, to: descriptor)
            SystemFacts.closeDescriptor(descriptor)
        }
    }

    /// Lets the runtime open the descriptors of its timer before clients can take them all.
    ///
    /// Dispatch opens them for the first pause of a process, and ends the process, or never ends the pause, if it cannot.
    private static func openTimer() async throws { try await Task.sleep(for: .milliseconds(1), clock: .continuous) }

    /// Removes the ready file and stops both, a second and a half after `grace` at the latest.
    func stop(grace: TimeAmount = .milliseconds(3_500)) async throws {
        if let file = settings.readyFile { AtomicFile.remove(file) }
        memoryWatch.cancel()
        await forwarder?.stop()
        try await server.stop(grace: grace)
        try await inspector.stop(grace: grace == .zero ? .zero : .milliseconds(500))
    }

    private static func startForwarder(_ settings: ServeSettings, _ server: MockAPNsServer) throws -> Forwarder? {
        guard let forward = settings.forward else { return nil }
        try forward.refuseOwn(server.listeners.map(\.address))
        let forwarder = Forwarder(to: forward.target, answers: forward.answers, inBackground: true)
        forwarder.start()
        forwarder.follow(server.world)
        if settings.configuration.forwardsNamespaces {
            server.namespaces.onAddition { forwarder.follow($0.world) }
            server.namespaces.onRemoval { forwarder.leave($0.world) }
        }
        Console.note(forward.banner)
        return forwarder
    }

    private static func start(_ settings: ServeSettings) async throws -> MockAPNsServer {
        var configuration = settings.configuration
        do {
            if let data = settings.data {
                configuration.keeping = try await BlockingThreads().run { () throws(StoreError) in try data.keeping() }
            }
            configuration.keeping?.onTrouble = { Console.note($0) }
            return try await MockAPNsServer(configuration)
        } catch let error as StoreError {
            throw CommandFailure(.cannotWrite, "invalid --data '\(settings.data?.shown ?? "")': \(error)")
        } catch let error as MockAPNsError {
            switch error.code {
            case .addressInUse, .cannotListen:
                throw cannotBind(
                    error, settings.option(forPort: error.port), taken: error.code == .addressInUse ? error.port : nil)
            case .badDevices:
                let problem = "invalid --devices '\(settings.devicesFile ?? "-")'"
                let reason = TerminalText.plain(error.description)
                throw CommandFailure(.badConfiguration, "\(problem): \(reason)")
            case .cannotKeep: throw CommandFailure(.cannotWrite, "--data \(error.description)")
            default: throw CommandFailure(.badConfiguration, error.description)
            }
        }
    }

    /// The failure when the address of an option cannot be used; `port` is one that is in use already.
    private static func cannotBind(_ error: any Error, _ option: String, taken port: Int?) -> CommandFailure {
        guard let port else { return CommandFailure(.cannotBind, "\(error); choose another address with \(option)") }
        let holder = PortHolder.describe(port: port).map { ", by \($0)" } ?? ""
        let fix = "choose another with \(option), or use \(option) 127.0.0.1:0 for a free one"
        return CommandFailure(.cannotBind, "\(error)\(holder); \(fix)")
    }

    private static func startInspector(_ settings: ServeSettings, _ server: MockAPNsServer) async throws -> Inspector {
        let inspector = try CommandFailure.explaining("invalid --allowed-host") {
            try Inspector(
                server: server, host: settings.apiListen.host, port: settings.apiListen.port,
                allowedHosts: settings.allowedHosts, access: settings.access, facts: settings.facts,
                showsPage: settings.showsPage)
        }
        do { try await inspector.start() } catch {
            try await inspector.stop(grace: .zero)
            throw cannotBind(error, "--api-listen", taken: error.code == .addressInUse ? error.port : nil)
        }
        inspector.readiness.markBound()
        return inspector
    }
}

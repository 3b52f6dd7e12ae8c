internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsTransport
internal import NIOCore

/// A server with its debug API, from its start to its end; what `serve` and `exec` run.
struct RunningServer {
    let server: MockAPNsServer
    let inspector: Inspector
    private let memoryWatch: Task<Void, Never>
    /// What whoever waits for the server is told.
    let notice: ReadyNotice

    /// Starts both; everything accepts connections when this returns.
    ///
    /// - Parameters:
    ///   - settings: how they run.
    ///   - credentials: what they show, and what they take.
    ///   - onShutdown: called when somebody stops the server over the API, where that is allowed; `nil` where it
    ///     never is.
    /// - Throws: `CommandFailure` for an address or a file that cannot be used; nothing runs then.
    init(
        _ settings: ServeSettings,
        _ credentials: ServeCredentials,
        onShutdown: (@Sendable () -> Void)? = nil
    ) async throws {
        server = try await Self.start(settings)
        do {
            inspector = try await Self.startInspector(settings, credentials, server, onShutdown)
        } catch {
            try await server.stop(grace: .zero)
            throw error
        }
        memoryWatch = Task {
            let watch = MemoryWatch()
            while (try? await Task.sleep(for: .seconds(2))) != nil { watch.check() }
        }
        let key = credentials.developmentKey
        notice = ReadyNotice(
            apnsURLs: server.listeners.map(\.url),
            apiURL: inspector.url ?? "-",
            authorityPath: credentials.authority?.file,
            processID: SystemFacts.processID,
            developmentKey: (key.key.keyID, key.key.teamID, key.path)
        )
    }

    /// Tells those who asked for it that everything is ready: the ready file and the ready descriptor.
    ///
    /// - Throws: `CommandFailure` for a file that cannot be written.
    func announce(_ settings: ServeSettings) throws {
        if let file = settings.readyFile { try AtomicFile.write(notice.json, to: file, access: .everyone) }
        if let descriptor = settings.readyDescriptor {
            Console.standard.write(notice.line + "\n", to: descriptor)
            AtomicFile.close(descriptor)
        }
    }

    /// Stops both, and returns when they are: a second and a half after `grace` at the latest.
    func stop(grace: TimeAmount = .milliseconds(3_500)) async throws {
        memoryWatch.cancel()
        try await server.stop(grace: grace)
        try await inspector.stop(grace: grace == .zero ? .zero : .milliseconds(500))
    }

    private static func start(_ settings: ServeSettings) async throws -> MockAPNsServer {
        do {
            return try await MockAPNsServer(settings.configuration)
        } catch let error as MockAPNsError {
            switch error.code {
            case .addressInUse:
                throw portTaken(error.description, port: error.port, flag: "--apns-listen")
            case .cannotListen:
                throw CommandFailure(.cannotBind, "\(error); choose another with --apns-listen")
            case .badDevices: throw badDevices(error.description, file: settings.devicesFile)
            default: throw CommandFailure(.badConfiguration, error.description)
            }
        }
    }

    /// Where in the file the mistake is, as `DevicesFile` says it.
    private static func badDevices(_ description: String, file: String?) -> CommandFailure {
        let list = "devices"
        let place =
            description.hasPrefix(list + "/") ? String(description.dropFirst(list.count)) : description
        return CommandFailure(.badConfiguration, "--devices: \(file ?? "-"): \(TerminalText.plain(place))")
    }

    /// Who holds a port, and what to do about it.
    private static func portTaken(_ description: String, port: Int?, flag: String) -> CommandFailure {
        let holder = port.flatMap { PortHolder.describe(port: $0) }.map { ", held by \($0)" } ?? ""
        return CommandFailure(
            .cannotBind,
            "\(description)\(holder); choose another with \(flag), or any free port with \(flag) 127.0.0.1:0"
        )
    }

    private static func startInspector(
        _ settings: ServeSettings,
        _ credentials: ServeCredentials,
        _ server: MockAPNsServer,
        _ onShutdown: (@Sendable () -> Void)?
    ) async throws -> Inspector {
        let key = credentials.developmentKey
        let facts = Inspector.Facts(
            version: Version.text,
            label: settings.label,
            commit: Version.commit,
            certificateAuthority: credentials.authority,
            developmentKey: Inspector.Facts.Key(keyID: key.key.keyID, teamID: key.key.teamID, path: key.path),
            settings: settings.entries.map {
                Inspector.Facts.Setting(name: $0.name, value: $0.value, source: $0.source.rawValue)
            }
        )
        let inspector: Inspector
        do {
            inspector = try Inspector(
                server: server,
                host: settings.apiListen.host,
                port: settings.apiListen.port,
                allowedHosts: settings.allowedHosts,
                access: Inspector.Access(
                    token: settings.apiToken,
                    origins: settings.apiOrigins,
                    onShutdown: settings.allowsShutdown ? onShutdown : nil
                ),
                facts: facts,
                showsPage: settings.showsPage
            )
        } catch {
            throw CommandFailure(.badConfiguration, "--allowed-host: \(error)")
        }
        do {
            try await inspector.start()
        } catch {
            let failure =
                error.code == .addressInUse
                ? portTaken(error.description, port: error.port, flag: "--api-listen")
                : CommandFailure(.cannotBind, "\(error); choose another with --api-listen")
            try await inspector.stop(grace: .zero)
            throw failure
        }
        inspector.markReady()
        return inspector
    }
}

internal import MockAPNs
internal import MockAPNsInspector
internal import MockAPNsTransport
internal import NIOCore

struct RunningServer {
    let server: MockAPNsServer
    let inspector: Inspector
    let notice: ReadyNotice
    private let settings: ServeSettings
    private let memoryWatch: Task<Void, Never>

    /// Starts both and announces them; they accept connections when this returns.
    ///
    /// A request of the API that stops the server calls `onShutdown`, where that is allowed. Creating certificates and
    /// keys is reported unless they are temporary. If an address or a file cannot be used, nothing is left running.
    init(_ settings: ServeSettings, onShutdown: (@Sendable () -> Void)? = nil) async throws {
        Console.configure(isQuiet: settings.isQuiet, label: settings.label)
        var settings = settings
        let credentials = try ServeCredentials(&settings)
        self.settings = settings
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
        notice = ReadyNotice(
            apnsURLs: server.listeners.map(\.url),
            apiURL: inspector.url ?? "-",
            authorityPath: credentials.authority?.file,
            processID: SystemFacts.processID,
            developmentKey: credentials.developmentKey.facts
        )
        do {
            if let file = settings.readyFile { try AtomicFile.save(notice.json, to: file, access: .everyone) }
        } catch {
            try await stop(grace: .zero)
            throw error
        }
        if let descriptor = settings.readyDescriptor {
            Console.write(notice.line + "\n", to: descriptor)
            SystemFacts.closeDescriptor(descriptor)
        }
    }

    /// Removes the ready file and stops both, a second and a half after `grace` at the latest.
    func stop(grace: TimeAmount = .milliseconds(3_500)) async throws {
        if let file = settings.readyFile { AtomicFile.remove(file) }
        memoryWatch.cancel()
        try await server.stop(grace: grace)
        try await inspector.stop(grace: grace == .zero ? .zero : .milliseconds(500))
    }

    private static func start(_ settings: ServeSettings) async throws -> MockAPNsServer {
        var configuration = settings.configuration
        configuration.onShortage = { Console.note($0) }
        do {
            return try await MockAPNsServer(configuration)
        } catch let error as MockAPNsError {
            switch error.code {
            case .addressInUse: throw portTaken("\(error)", port: error.port, option: "--apns-listen")
            case .cannotListen: throw cannotListen("\(error)", option: "--apns-listen")
            case .badDevices:
                // The path in the file begins below the list.
                let text = TerminalText.plain(error.description)
                let reason = text.hasPrefix("devices/") ? text.dropFirst("devices".count) : text[...]
                let problem = "invalid --devices '\(settings.devicesFile ?? "-")'"
                throw CommandFailure(.badConfiguration, "\(problem): \(reason)")
            default: throw CommandFailure(.badConfiguration, error.description)
            }
        }
    }

    private static func cannotListen(_ problem: String, option: String) -> CommandFailure {
        CommandFailure(.cannotBind, "\(problem); choose another address with \(option)")
    }

    private static func portTaken(_ problem: String, port: Int?, option: String) -> CommandFailure {
        let holder = port.flatMap { PortHolder.describe(port: $0) }.map { ", by \($0)" } ?? ""
        return CommandFailure(
            .cannotBind,
            "\(problem)\(holder); choose another port with \(option), or any free one with"
                + " \(option) 127.0.0.1:0"
        )
    }

    private static func startInspector(
        _ settings: ServeSettings,
        _ credentials: ServeCredentials,
        _ server: MockAPNsServer,
        _ onShutdown: (@Sendable () -> Void)?
    ) async throws -> Inspector {
        let facts = Inspector.Facts(
            version: Version.text,
            label: settings.label,
            commit: Version.commit,
            certificateAuthority: credentials.authority,
            developmentKey: credentials.developmentKey.facts,
            settings: settings.entries.map {
                Inspector.Facts.Setting(name: $0.name, value: $0.value, source: $0.source.rawValue)
            }
        )
        let inspector = try CommandFailure.explaining("invalid --allowed-host") {
            try Inspector(
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
        }
        do {
            try await inspector.start()
        } catch {
            try await inspector.stop(grace: .zero)
            throw error.code == .addressInUse
                ? portTaken("\(error)", port: error.port, option: "--api-listen")
                : cannotListen("\(error)", option: "--api-listen")
        }
        inspector.markReady()
        return inspector
    }
}

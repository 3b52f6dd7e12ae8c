internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsInspector
internal import NIOCore

/// `mock-apns serve`: runs the server until it is told to stop.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server (default).",
        discussion: """
            Prints one line, "mock-apns ready ...", on standard output once everything accepts connections. \
            SIGTERM or SIGINT stops it within five seconds; a second one at once.
            """
    )

    @OptionGroup var options: ServeOptions

    func run() async throws {
        let signals = StopSignals()
        SystemFacts.raiseFileLimit()
        var settings = try ServeSettings(
            options,
            environment: SystemFacts.environment,
            processors: SystemFacts.processors
        )
        if let descriptor = settings.readyDescriptor, !SystemFacts.isOpen(descriptor) {
            throw CommandFailure(
                .badConfiguration,
                "--ready-fd: '\(descriptor)' should be the number of an open file descriptor"
            )
        }
        if settings.isQuiet { Console.standard.beQuiet() }
        let credentials = try ServeCredentials(&settings)
        let problems = ProblemLog()
        settings.configuration.onConnectionProblem = { problems.note($0) }
        let server = try await start(settings)
        let inspector: Inspector
        do {
            inspector = try await startInspector(settings, credentials, server)
        } catch {
            try await server.stop(grace: .zero)
            throw error
        }
        do {
            try announce(server, inspector, credentials, settings)
        } catch {
            try await inspector.stop(grace: .zero)
            try await server.stop(grace: .zero)
            throw error
        }

        await signals.wait()
        Console.standard.note("stopping; once more to stop at once")
        inspector.markStopping()
        if let file = settings.readyFile { AtomicFile.remove(file) }
        try await server.stop(grace: .seconds(4))
        try await inspector.stop(grace: .milliseconds(500))
    }

    private func start(_ settings: ServeSettings) async throws -> MockAPNsServer {
        do {
            return try await MockAPNsServer(settings.configuration)
        } catch let error as MockAPNsError {
            switch error.code {
            case .addressInUse:
                throw Self.portTaken(error.description, port: error.port, flag: "--apns-listen")
            case .cannotListen:
                throw CommandFailure(.cannotBind, "\(error); choose another with --apns-listen")
            case .badDevices: throw Self.badDevices(error.description, file: settings.devicesFile)
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
    static func portTaken(_ description: String, port: Int?, flag: String) -> CommandFailure {
        let holder = port.flatMap { PortHolder.describe(port: $0) }.map { ", held by \($0)" } ?? ""
        return CommandFailure(
            .cannotBind,
            "\(description)\(holder); choose another with \(flag), or any free port with \(flag) 127.0.0.1:0"
        )
    }

    private func startInspector(
        _ settings: ServeSettings,
        _ credentials: ServeCredentials,
        _ server: MockAPNsServer
    ) async throws -> Inspector {
        let key = credentials.developmentKey
        let facts = Inspector.Facts(
            version: Version.text,
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
                facts: facts
            )
        } catch {
            throw CommandFailure(.badConfiguration, "--allowed-host: \(error)")
        }
        do {
            try await inspector.start()
        } catch {
            let failure =
                error.code == .addressInUse
                ? Self.portTaken(error.description, port: error.port, flag: "--api-listen")
                : CommandFailure(.cannotBind, "\(error); choose another with --api-listen")
            try await inspector.stop(grace: .zero)
            throw failure
        }
        inspector.markReady()
        return inspector
    }

    private func announce(
        _ server: MockAPNsServer,
        _ inspector: Inspector,
        _ credentials: ServeCredentials,
        _ settings: ServeSettings
    ) throws {
        let key = credentials.developmentKey
        let notice = ReadyNotice(
            apnsURLs: server.listeners.map(\.url),
            apiURL: inspector.url ?? "-",
            authorityPath: credentials.authority?.file,
            processID: SystemFacts.processID,
            developmentKey: (key.key.keyID, key.key.teamID, key.path)
        )
        if let file = settings.readyFile { try AtomicFile.write(notice.json, to: file, access: .everyone) }
        Console.standard.answer(notice.line)
        if let descriptor = settings.readyDescriptor {
            Console.standard.write(notice.line + "\n", to: descriptor)
            AtomicFile.close(descriptor)
        }
    }
}

internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsLog
internal import MockAPNsSQLite

struct DataCommand: ParsableCommand {
    static let configuration = command(
        "Look after a directory of serve --data.",
        discussion: """
            The exit code is 66 when the directory or a database cannot be read, 73 when it cannot be written or a \
            server uses it, and 78 when a database is damaged or a newer version has written it.
            """,
        examples: "mock-apns data info DIR",
        "mock-apns data check DIR",
        "mock-apns data copy DIR COPY",
        subcommands: [Info.self, Check.self, Compact.self, Copy.self]
    )

    /// The databases that a command is about.
    struct Selection: ParsableArguments {
        @Argument(help: .value("dir", "The directory."), completion: .directory)
        var directory: String

        @Option("name", "The namespace. (default: all)")
        var namespace: String?

        /// The names of the namespaces.
        func names(in data: DataDirectory) throws -> [String] {
            let names = try DataCommand.explaining { () throws(StoreError) in try data.namespaces() }
            guard let namespace else { return names }
            guard names.contains(namespace) else {
                let known = names.isEmpty ? "it has none" : "expected one of \(names.joined(separator: ", "))"
                let problem = "no namespace '\(namespace)' in \(directory): \(known)"
                throw CommandFailure(.noInput, TerminalText.plain(problem))
            }
            return [namespace]
        }

        /// Opens the directory to read, and calls `use` with the path of every database.
        func read<Result>(
            _ use: (_ name: String, _ world: StoredWorld) throws(StoreError) -> Result
        ) throws -> [Result] {
            let data = try DataCommand.explaining { () throws(StoreError) in
                try DataDirectory(reading: directory)
            }
            return try names(in: data).map { name in
                try DataCommand.explaining { () throws(StoreError) in
                    try use(name, StoredWorld(path: data.path(of: name)))
                }
            }
        }

        /// Opens the directory, which no server may use, and calls `use` with the path of every database.
        func change(_ use: (_ name: String, _ path: String) throws(StoreError) -> Void) throws {
            // A directory that does not exist is not created.
            _ = try DataCommand.explaining { () throws(StoreError) in try DataDirectory(reading: directory) }
            let data = try DataCommand.explaining { () throws(StoreError) in try DataDirectory(directory) }
            for name in try names(in: data) {
                try DataCommand.explaining { () throws(StoreError) in try use(name, data.path(of: name)) }
            }
        }
    }

    /// Performs an action; the errors of stores become failures.
    static func explaining<Result>(_ action: () throws(StoreError) -> Result) throws -> Result {
        do throws(StoreError) {
            return try action()
        } catch {
            let status: CommandFailure.Status =
                switch error.code {
                case .noAccess: .noInput
                case .full, .inUse: .cannotWrite
                case .damaged, .newer: .badConfiguration
                case .failed: .internalError
                }
            throw CommandFailure(status, TerminalText.plain(error.description))
        }
    }

    struct Info: ParsableCommand {
        static let configuration = command(
            "Show what a directory has, also while a server uses it.",
            examples: "mock-apns data info DIR --json"
        )

        @OptionGroup var selection: Selection

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let worlds = try selection.read { name, world throws(StoreError) in (name, try world.facts()) }
            if json {
                Console.answer(String(decoding: JSONValue.array(worlds.map(Self.json)).text, as: UTF8.self))
            } else if worlds.isEmpty {
                Console.note("No namespaces.")
            } else {
                Console.answer(Self.table(worlds))
            }
        }

        private static func table(_ worlds: [(name: String, facts: StoredWorld.Facts)]) -> String {
            let columns: [Table.Column] = [
                "namespace", .number("pushes"), "oldest", "newest", .number("changes"), .number("to replay"),
                .number("bytes"), .number("unused"), .number("version"),
            ]
            return Table.text(columns, of: worlds) { name, facts in
                [
                    name, "\(facts.pushes)", facts.firstReceivedAt.map(RFC3339.text) ?? "-",
                    facts.lastReceivedAt.map(RFC3339.text) ?? "-", "\(facts.position)",
                    "\(facts.changesToReplay)",
                    "\(facts.bytes)", "\(facts.unusedBytes)", "\(facts.version)",
                ]
            }
        }

        private static func json(_ name: String, _ facts: StoredWorld.Facts) -> JSONValue {
            [
                "namespace": JSONValue(name), "pushes": JSONValue(facts.pushes),
                "oldestAt": JSONValue(facts.firstReceivedAt.map(RFC3339.text)),
                "newestAt": JSONValue(facts.lastReceivedAt.map(RFC3339.text)),
                "changes": JSONValue(facts.position),
                "changesToReplay": JSONValue(facts.changesToReplay), "bytes": JSONValue(facts.bytes),
                "unusedBytes": JSONValue(facts.unusedBytes), "version": JSONValue(facts.version),
            ]
        }
    }

    struct Check: ParsableCommand {
        static let configuration = command(
            "Look for damage, and replay the changes; also while a server uses the directory.",
            discussion: "The exit code is 1 when something is wrong.",
            examples: "mock-apns data check DIR"
        )

        @OptionGroup var selection: Selection

        func run() throws {
            let material = WorldKeeper.Material(condition: FaultArgument.condition)
            let found = try selection.read { name, world throws(StoreError) in
                var problems = try world.problems()
                var digest = ""
                // Changes of a damaged file would only fail in another way.
                if problems.isEmpty {
                    let store = try world.store()
                    defer { store.close() }
                    (problems, digest) = try WorldKeeper.check(store, material)
                }
                return (name: name, problems: problems, digest: digest)
            }
            for (name, problems, _) in found {
                for problem in problems { Console.answer(TerminalText.plain("\(name): \(problem)")) }
            }
            if !found.allSatisfy(\.problems.isEmpty) { throw ExitCode.unmet }
            for (name, _, digest) in found { Console.note("\(name): no problems, digest \(digest)") }
        }
    }

    struct Compact: ParsableCommand {
        static let configuration = command(
            "Rewrite databases without unused pages; no server may use the directory.",
            examples: "mock-apns data compact DIR"
        )

        @OptionGroup var selection: Selection

        func run() throws {
            try selection.change { name, path throws(StoreError) in
                let world = try StoredWorld(path: path, toWrite: true)
                let before = try world.facts().bytes
                try world.compact()
                Console.note("\(name): \(before) bytes, now \(try world.facts().bytes)")
            }
        }
    }

    struct Copy: ParsableCommand {
        static let configuration = command(
            "Copy databases to another directory, also while a server uses the first.",
            examples: "mock-apns data copy DIR COPY"
        )

        @OptionGroup var selection: Selection

        @Argument(help: .value("target", "The directory to copy to."), completion: .directory)
        var target: String

        func run() throws {
            let data = try DataCommand.explaining { () throws(StoreError) in try DataDirectory(target) }
            let copied: [Void] = try selection.read { name, world throws(StoreError) in
                try world.copy(to: data.path(of: name))
            }
            Console.note("copied \(counted(copied.count, "namespace", "namespaces")) to \(target)")
        }
    }
}

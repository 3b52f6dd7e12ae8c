internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsLog

struct DataCommand: ParsableCommand {
    static let configuration = command(
        "Look after what serve --data keeps, in a directory or a PostgreSQL database.",
        discussion: """
            The exit code is 66 when the directory or a database cannot be read, 73 when it cannot be written or a \
            server uses it, and 78 when a database is damaged or a newer version has written it.

            Use a URL such as postgresql://user@host:5432/database for the worlds that several servers share. The password \
            may be in the URL, PGPASSWORD or ~/.pgpass.
            """,
        examples: "mock-apns data info DIR",
        "mock-apns data check DIR",
        "mock-apns data copy DIR COPY",
        "mock-apns data copy DIR postgresql://user@host/database",
        "mock-apns data export DIR --output pushes.ndjson",
        subcommands: [Info.self, Check.self, Compact.self, Copy.self, Export.self]
    )

    /// The worlds that a command is about.
    struct Selection: ParsableArguments {
        @Argument(
            help: .value("dir|url", "The directory, or the postgresql:// URL of a database."),
            completion: .directory
        )
        var place: String

        @Option("name", "The namespace. (default: all)")
        var namespace: String?

        /// The names of the namespaces.
        private func names(of data: any WorldPlace) throws -> [String] {
            let names = try DataCommand.explaining { () throws(StoreError) in try data.names() }
            guard let namespace else { return names }
            guard names.contains(namespace) else {
                let known = names.isEmpty ? "it has none" : "expected one of \(names.joined(separator: ", "))"
                let problem = "no namespace '\(namespace)' in \(data.name): \(known)"
                throw CommandFailure(.noInput, TerminalText.plain(problem))
            }
            return [namespace]
        }

        /// Opens the place to read, and calls `use` with every world.
        func read<Result>(
            _ use: (_ name: String, _ world: any KeptWorld) throws(StoreError) -> Result
        ) throws -> [Result] {
            let data = try DataCommand.open(place) { opener, place throws(StoreError) in
                try opener.init(reading: place)
            }
            defer { data.close() }
            return try names(of: data).map { name in
                try DataCommand.explaining { () throws(StoreError) in try use(name, data.world(name)) }
            }
        }

        /// Rewrites what the place keeps without unused pages, and calls `report` with the sizes.
        func compact(_ report: (_ name: String, _ before: Int, _ after: Int) -> Void) throws {
            let data = try DataCommand.open(place) { opener, place throws(StoreError) in
                try opener.init(compacting: place)
            }
            defer { data.close() }
            let names = try names(of: data)
            try DataCommand.explaining { () throws(StoreError) in try data.compact(names, report) }
        }
    }

    /// Opens the place of a path or a URL.
    private static func open(
        _ place: String,
        _ open: (any WorldPlace.Type, String) throws(StoreError) -> any WorldPlace
    ) throws -> any WorldPlace {
        let opener = try CommandFailure.explaining(
            "invalid place '\(StoreKind.withoutPassword(place))'",
            .usage
        ) {
            try StoreKind.opener(of: place)
        }
        return try explaining { () throws(StoreError) in try open(opener, place) }
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
            "Show what a directory or a database has, also while a server uses it.",
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

        private static func table(_ worlds: [(name: String, facts: WorldFacts)]) -> String {
            let columns: [Table.Column] = [
                "namespace", .number("pushes"), "oldest", "newest", .number("changes"), .number("to replay"),
                .number("bytes"), .number("unused"), .number("version"),
            ]
            return Table.text(columns, of: worlds) { name, facts in
                [
                    name, "\(facts.pushes)", facts.firstReceivedAt.map(RFC3339.text) ?? "-",
                    facts.lastReceivedAt.map(RFC3339.text) ?? "-", "\(facts.position)",
                    "\(facts.changesToReplay)",
                    "\(facts.bytes)", facts.unusedBytes.map { "\($0)" } ?? "-", "\(facts.version)",
                ]
            }
        }

        private static func json(_ name: String, _ facts: WorldFacts) -> JSONValue {
            [
                "namespace": JSONValue(name), "pushes": JSONValue(facts.pushes),
                "oldestAt": JSONValue(facts.firstReceivedAt.map(RFC3339.text)),
                "newestAt": JSONValue(facts.lastReceivedAt.map(RFC3339.text)),
                "changes": JSONValue(facts.position),
                "changesToReplay": JSONValue(facts.changesToReplay), "bytes": JSONValue(facts.bytes),
                "unusedBytes": facts.unusedBytes.map { JSONValue($0) } ?? .null,
                "version": JSONValue(facts.version),
            ]
        }
    }

    struct Check: ParsableCommand {
        static let configuration = command(
            "Look for damage, and replay the changes; also while a server uses them.",
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
                    let store = try world.opened()
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
            "Rewrite databases without unused pages; no server may use them.",
            examples: "mock-apns data compact DIR"
        )

        @OptionGroup var selection: Selection

        func run() throws {
            try selection.compact { name, before, after in
                Console.note("\(name): \(before) bytes, now \(after)")
            }
        }
    }

    struct Copy: ParsableCommand {
        static let configuration = command(
            "Copy worlds to another directory or database, also while a server uses the first.",
            discussion: "Each namespace is copied as it is at one moment. It must not exist in the target.",
            examples: "mock-apns data copy DIR COPY",
            "mock-apns data copy DIR postgresql://user@host/database"
        )

        @OptionGroup var selection: Selection

        @Argument(
            help: .value("target", "The directory, or the URL of the database, to copy to."),
            completion: .directory
        )
        var target: String

        func run() throws {
            let data = try DataCommand.open(target) { opener, place throws(StoreError) in
                try opener.init(writing: place)
            }
            defer { data.close() }
            let copied: [Void] = try selection.read { name, world throws(StoreError) in
                try data.write(world, as: name)
            }
            Console.note("copied \(counted(copied.count, "namespace", "namespaces")) to \(data.name)")
        }
    }
}

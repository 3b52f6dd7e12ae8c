internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsLog

struct DataCommand: ParsableCommand {
    static let configuration = command(
        "Inspect, check, compact, copy and export the data of serve --data.",
        discussion: """
            The data is in a directory, or in a PostgreSQL database that several servers can share. For a database, use \
            a URL such as postgresql://user@host:5432/database. The password can be in the URL, PGPASSWORD or ~/.pgpass.

            Exit codes: 66 if the directory or database is not found or access is denied, 73 if the disk is full or the \
            data is in use, and 78 if a database is damaged or was written by a newer version.
            """, examples: "mock-apns data info DIR", "mock-apns data check DIR", "mock-apns data copy DIR COPY",
        "mock-apns data copy DIR postgresql://user@host/database", "mock-apns data export DIR --output pushes.ndjson",
        subcommands: [Info.self, Check.self, Compact.self, Copy.self, Export.self])

    /// The worlds to which a command applies.
    struct Selection: ParsableArguments {
        @Argument(
            help: .value("dir|url", "The directory, or the postgresql:// URL of a database."), completion: .directory)
        var place: String

        @Option("name", "The namespace. (default: all)") var namespace: String?

        /// Returns the names of the selected namespaces.
        private func names(of data: any WorldPlace) throws -> [String] {
            let names = try DataCommand.explaining { () throws(StoreError) in try data.names() }
            guard let namespace else { return names }
            guard names.contains(namespace) else {
                let known = names.isEmpty ? "it is empty" : "expected one of \(names.joined(separator: ", "))"
                let problem = "no namespace '\(namespace)' in \(data.name): \(known)"
                throw CommandFailure(.noInput, TerminalText.plain(problem))
            }
            return [namespace]
        }

        /// Opens the place for reading, and calls `use` with each selected world.
        func read<Result>(
            _ use: (_ name: String, _ world: any KeptWorld) throws(StoreError) -> Result
        ) throws -> [Result] {
            let data = try DataCommand.open(place) { opener, place throws(StoreError) in try opener.init(reading: place)
            }
            defer { data.close() }
            return try names(of: data).map { name in
                try DataCommand.explaining { () throws(StoreError) in try use(name, data.world(name)) }
            }
        }

        /// Compacts the databases of the place, and calls `report` with their sizes.
        func compact(_ report: (_ name: String, _ before: Int, _ after: Int) -> Void) throws {
            let data = try DataCommand.open(place) { opener, place throws(StoreError) in
                try opener.init(compacting: place)
            }
            defer { data.close() }
            let names = try names(of: data)
            try DataCommand.explaining { () throws(StoreError) in try data.compact(names, report) }
        }
    }

    /// Opens the place at a path or URL.
    private static func open(
        _ place: String, _ open: (any WorldPlace.Type, String) throws(StoreError) -> any WorldPlace
    ) throws -> any WorldPlace {
        let opener = try CommandFailure.explaining("invalid place '\(StoreKind.withoutPassword(place))'", .usage) {
            try StoreKind.opener(of: place)
        }
        return try explaining { () throws(StoreError) in try open(opener, place) }
    }

    /// Performs an action, and turns store errors into command failures.
    static func explaining<Result>(_ action: () throws(StoreError) -> Result) throws -> Result {
        do throws(StoreError) { return try action() } catch {
            let status: CommandFailure.Status =
                switch error.code {
                case .noAccess: .noInput
                case .full, .inUse, .lost: .cannotWrite
                case .damaged, .otherVersion: .badConfiguration
                case .failed: .internalError
                }
            throw CommandFailure(status, TerminalText.plain(error.description))
        }
    }

    struct Info: ParsableCommand {
        static let configuration = command(
            "Show pushes, changes and sizes by namespace; servers may be running.",
            examples: "mock-apns data info DIR --json")

        @OptionGroup var selection: Selection

        @Flag(help: "Print JSON.") var json = false

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
                "NAMESPACE", .number("PUSHES"), .fixed("OLDEST").optional(4), .fixed("NEWEST").optional(3),
                .number("CHANGES").optional(1), .number("TO REPLAY").optional(5), .number("BYTES"),
                .number("UNUSED").optional(2), .number("VERSION").optional(6),
            ]
            return Table.text(columns, of: worlds) { name, facts in
                [
                    name, "\(facts.pushes)", facts.firstReceivedAt.map(RFC3339.text) ?? "-",
                    facts.lastReceivedAt.map(RFC3339.text) ?? "-", "\(facts.position)", "\(facts.changesToReplay)",
                    "\(facts.bytes)", facts.unusedBytes.map { "\($0)" } ?? "-", "\(facts.version)",
                ]
            }
        }

        private static func json(_ name: String, _ facts: WorldFacts) -> JSONValue {
            [
                "namespace": JSONValue(name), "pushes": JSONValue(facts.pushes),
                "oldestAt": JSONValue(facts.firstReceivedAt.map(RFC3339.text)),
                "newestAt": JSONValue(facts.lastReceivedAt.map(RFC3339.text)), "changes": JSONValue(facts.position),
                "changesToReplay": JSONValue(facts.changesToReplay), "bytes": JSONValue(facts.bytes),
                "unusedBytes": facts.unusedBytes.map { JSONValue($0) } ?? .null, "version": JSONValue(facts.version),
            ]
        }
    }

    struct Check: ParsableCommand {
        static let configuration = command(
            "Check for damage and replay the changes; servers may be running.",
            discussion: "The exit code is 1 if there are problems.", examples: "mock-apns data check DIR")

        @OptionGroup var selection: Selection

        func run() throws {
            let material = WorldKeeper.Material(match: FaultArgument.match)
            let found = try selection.read { name, world throws(StoreError) in
                var problems = try world.problems()
                var digest = ""
                // Replaying a damaged file would only add errors that follow from the damage.
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
            "Rewrite databases without unused pages; stop their servers first.", examples: "mock-apns data compact DIR")

        @OptionGroup var selection: Selection

        func run() throws {
            try selection.compact { name, before, after in Console.note("\(name): \(before) bytes, now \(after)") }
        }
    }

    struct Copy: ParsableCommand {
        static let configuration = command(
            "Copy worlds to another directory or database; servers may be running.",
            discussion: "Each namespace is copied as a consistent snapshot. It must not exist in the target.",
            examples: "mock-apns data copy DIR COPY", "mock-apns data copy DIR postgresql://user@host/database")

        @OptionGroup var selection: Selection

        @Argument(
            help: .value("target", "The directory, or the URL of the database, to copy to."), completion: .directory)
        var target: String

        func run() throws {
            let data = try DataCommand.open(target) { opener, place throws(StoreError) in
                try opener.init(writing: place)
            }
            defer { data.close() }
            let copied: [Void] = try selection.read { name, world throws(StoreError) in try data.write(world, as: name)
            }
            Console.note("copied \(counted(copied.count, "namespace", "namespaces")) to \(data.name)")
        }
    }
}

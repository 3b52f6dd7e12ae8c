internal import ArgumentParser
internal import MockAPNs
internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsInspector
internal import MockAPNsLog
internal import MockAPNsWorld

extension DataCommand {
    struct Export: ParsableCommand {
        static let configuration = command(
            "Export the pushes in the API's format, oldest first; servers may be running.",
            discussion: """
                Each push is a line of JSON; POST /api/v1/pushes/import reads them. Pushes that cannot be read are \
                skipped. Their number is then printed as an error, and the exit code is 1.
                """, examples: "mock-apns data export DIR --namespace default > pushes.ndjson",
            "mock-apns data export DIR --output pushes.ndjson")

        @OptionGroup var selection: Selection

        @Option("file", "The file to write. (default: standard output)") var output: String?

        func run() throws {
            var counts = (written: 0, unreadable: 0)
            if let output {
                try AtomicFile.save(to: output, access: .owner) { try export($0, &counts) }
                Console.note("\(counted(counts.written, "push", "pushes")) in \(output)")
            } else {
                // A reader that stops early, such as `head`, is not an error.
                _ = try export({ Console.write($0) }, &counts)
            }
            guard counts.unreadable > 0 else { return }
            Console.error("skipped \(counted(counts.unreadable, "push", "pushes")) that cannot be read")
            throw ExitCode.unmet
        }

        /// Writes the pushes of the selected namespaces, and returns whether all could be written.
        private func export(_ write: ([UInt8]) -> Bool, _ counts: inout (written: Int, unreadable: Int)) throws -> Bool
        {
            let material = WorldKeeper.Material(match: FaultArgument.match)
            var isWritten = true
            let visited: [Void] = try selection.read { name, world throws(StoreError) in
                let store = try world.opened()
                defer { store.close() }
                let kept = try WorldKeeper.world(of: store, material)
                let export = WorldExport(kept, name: name)
                try store.history.visitPages { page throws(StoreError) in
                    guard isWritten else { return false }
                    var text: [UInt8] = []
                    for push in page {
                        guard let record = kept.journal.record(of: push) else {
                            counts.unreadable += 1
                            continue
                        }
                        export.append(record, to: &text)
                        counts.written += 1
                    }
                    isWritten = write(text)
                    return isWritten
                }
            }
            _ = visited
            return isWritten
        }
    }
}

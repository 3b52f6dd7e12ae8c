internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// Pushes out of one server and into another: what arrived in a test elsewhere can be looked at here.
enum ExchangeRoutes {
    static let group = RouteGroup(
        "exchange",
        "Pushes out of one server and into another.",
        [
            .get("/api/v1/pushes/export", "Export pushes", export)
                .work(.search)
                .detail(
                    "Every push that fits, oldest first. ndjson is what import takes; har is an HTTP"
                        + " Archive for browsers and proxies."
                )
                .takes(exportQuery)
                .example(query: "?topic=com.example.app")
                .gives(
                    Route.Answer(
                        description: "The pushes.",
                        content: [
                            APIResponse.lines: Schema.text.described("One push per line."),
                            APIResponse.json: .object(["log": .dictionary(of: .anything)]),
                        ]
                    )
                )
                .fails(.unknownDevice, .badPath),
            .post("/api/v1/pushes/import", "Import pushes", importPushes)
                .largestBody(Route.largestList)
                .detail(
                    "All lines or nothing; up to 64 MiB. The pushes get numbers and ids of this server, say"
                        + " imported, and reach no device."
                )
                .reads(
                    Route.Body(
                        schema: Schema.text.described("What an export in the form ndjson has."),
                        example: "@pushes.ndjson",
                        contentType: APIResponse.lines
                    )
                )
                .gives(.json(ImportedShape.self, "How many there are.", status: 201)),
        ]
    )

    private struct ExportQuery: Sendable {
        var format = PushExport.Format.ndjson
        var selection = PushSelection()
    }

    private static let exportQuery = QueryForm(
        ExportQuery(),
        [.once("format", .word, "The form of the file.", default: "ndjson") { $0.format = $1 }]
            + PushSelection.parameters.map { $0.part(of: \.selection) }
    )

    static func export(_ call: Route.Call) async throws(Problem) -> APIResponse {
        let query = try call.read(exportQuery)
        let format = query.format
        var selection = query.selection
        try selection.resolve(call)

        var seqs: [UInt64] = []
        let extent = try await call.visit(selection.query) { _, outline in
            seqs.append(outline.seq)
            return true
        }
        let isLines = format == .ndjson
        return APIResponse(
            contentType: isLines ? APIResponse.lines : APIResponse.json,
            headers: [
                ("Content-Disposition", "attachment; filename=\"pushes.\(format.rawValue)\""),
                ("X-Content-Type-Options", "nosniff"),
                ("X-Mock-APNs-Matched", String(seqs.count)),
                ("X-Mock-APNs-Evicted-In-Window", String(selection.evicted(extent))),
            ],
            body: .pieces(PushExport(seqs, as: format, in: call.subject))
        )
    }

    /// `POST /api/v1/pushes/import`: all lines, or nothing.
    static func importPushes(_ call: Route.Call) throws(Problem) -> APIResponse {
        let pushes = try PushImport(call.request.body, in: call.subject)
        let (seqs, extent) = call.subject.imports.adopt(pushes, into: call.subject.journal)
        return .json(
            APIObject<ImportedShape> {
                $0.firstSeq = seqs.first ?? 0
                $0.imported = seqs.count
                $0.journal = APIObject(extent)
                $0.kept = call.subject.journal.countKept(seqs)
                $0.lastSeq = seqs.last ?? 0
            },
            status: 201
        )
    }
}

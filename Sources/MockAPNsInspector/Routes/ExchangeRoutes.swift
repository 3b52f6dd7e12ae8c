internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsWorld

/// Moving pushes between servers, for example to inspect what a CI run received.
enum ExchangeRoutes {
    static let group = RouteGroup(
        "exchange",
        "Moving pushes from one server to another.",
        [
            .get("/api/v1/pushes/export", "Export pushes", export)
                .work(.search)
                .detail(
                    "Every matching push, oldest first. ndjson can be imported again; har is an HTTP Archive for"
                        + " browsers and proxies."
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
                    "All lines or none; up to 64 MiB. The pushes get new numbers and ids, are marked as imported, and"
                        + " are not delivered."
                )
                .reads(
                    Route.Body(
                        schema: Schema.text.described("An export with format=ndjson."),
                        example: "@pushes.ndjson",
                        contentType: APIResponse.lines
                    )
                )
                .gives(.json(ImportedShape.self, "The number of imported pushes.", status: 201)),
        ]
    )

    private struct ExportQuery: Sendable {
        var format = PushExport.Format.ndjson
        var selection = PushSelection()
    }

    private static let exportQuery = QueryForm(
        ExportQuery(),
        [.once("format", .word, "Format of the file.", default: "ndjson") { $0.format = $1 }]
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

    static func importPushes(_ call: Route.Call) throws(Problem) -> APIResponse {
        let pushes = try PushImport(call.request.body, in: call.subject)
        let (seqs, extent) = call.subject.imports.adopt(pushes, into: call.subject.journal)
        return .json(ImportedShape.self, status: 201) {
            $0.firstSeq = seqs.first ?? 0
            $0.imported = seqs.count
            $0.journal = APIObject(extent)
            $0.kept = call.subject.journal.countKept(seqs)
            $0.lastSeq = seqs.last ?? 0
        }
    }
}

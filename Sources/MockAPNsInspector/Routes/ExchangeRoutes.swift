internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// Moving pushes between servers, for example to inspect what a CI run received.
enum ExchangeRoutes {
    static let routes: [Route] = [
        .get("/api/v1/pushes/export", "Export pushes", reads: query, export).work(.search).detail(
            "Every matching push, oldest first; can be imported again."
        ).example(query: "?topic=com.example.app").gives(
            Route.Answer(
                description: "The pushes.", content: [APIResponse.lines: Schema.text.described("One push per line.")])
        ).fails(.unknownDevice, .badPath),
        .post("/api/v1/pushes/import", "Import pushes", importPushes).largestBody(Route.largestList).uses(.changesLater)
            .detail(
                "All lines or none; up to 64 MiB. The pushes get new numbers and ids, are marked as imported, and"
                    + " are not delivered."
            ).reads(
                Route.Body(
                    schema: { Schema.text.described("An export.") }, example: "@pushes.ndjson",
                    contentType: APIResponse.lines)
            ).gives(.json(ImportedShape.self, "The number of imported pushes.", status: 201)),
    ]

    private static let query = QueryForm(PushSelection(), PushSelection.parameters)

    private static func export(_ call: Route.Call, _ query: PushSelection) async throws(Problem) -> APIResponse {
        let selection = try query.resolved(call)
        let (seqs, extent) = try await call.findAll(selection.query)
        return APIResponse(
            contentType: APIResponse.lines,
            headers: [
                ("Content-Disposition", "attachment; filename=\"pushes.ndjson\""),
                ("X-Content-Type-Options", "nosniff"), ("X-Mock-APNs-Matched", String(seqs.count)),
                ("X-Mock-APNs-Evicted-In-Window", String(selection.evicted(extent))),
            ], body: .pieces(PushExport(seqs, in: call.subject.shown).next))
    }

    static func importPushes(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var pushes = PushImport(of: call.request.body, in: call.subject.shown)
        while pushes.readLine() {
            do throws(SearchFailure) { try await call.scan.pause() } catch {
                throw Problem(.notReady, "The server stopped, or the client left; nothing was imported.")
            }
        }
        try pushes.finish()
        let (seqs, extent) = try await call.adopt(pushes)
        return .json(ImportedShape.self, (seqs, extent, kept: call.subject.journal.countKept(seqs)), status: 201)
    }
}

extension Route.Call {
    fileprivate func adopt(
        _ pushes: borrowing PushImport
    ) async throws(Problem) -> (seqs: [UInt64], extent: Journal.Extent) {
        let leave = try await beginChange()
        let adopted = subject.shown.adopt(pushes)
        try await endChange(leave)
        return adopted
    }
}

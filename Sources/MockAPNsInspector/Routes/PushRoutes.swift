internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsVerifying
internal import MockAPNsWorld

/// The pushes that arrived, refused ones included: lists of them, and how many there are.
enum PushRoutes {
    /// What a list takes besides what narrows it.
    private static let paging = ["limit", "order", "fields"]
    private static let waiting = ["wait", "count"]

    static let listParameters = PushSelection.parameters + paging + waiting
    static let latestParameters = PushSelection.parameters + ["fields", "wait"]
    static let countParameters = PushSelection.parameters + waiting

    /// How much of a push a list shows.
    enum Fields: String, CaseIterable {
        case summary
        case full
    }

    /// `GET /api/v1/pushes`.
    static func list(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        selection.query.limit = reader.value("limit", .limit) ?? 50
        // Who has a cursor reads on from it; who has none wants to see the newest.
        selection.query.order =
            reader.value("order", .word) ?? (selection.hasCursor ? .ascending : .descending)
        let fields = reader.value("fields", Form<Fields>.word) ?? .full
        let wait = PushWait(&reader)
        try reader.finish()
        try selection.resolve(call)

        let outcome = try await wait.run(selection, call)
        let page = try await call.page(selection.query)
        var pushes: [JSONValue] = []
        for push in page.pushes {
            pushes.append(shape(push, fields, call))
            try await call.search { (scan) async throws(SearchFailure) in try await scan.pause() }
        }
        let lost = selection.evicted(page.extent)
        if call.request.wantsLines {
            return .lines(
                pushes,
                headers: [
                    ("X-Mock-APNs-Matched", String(page.matched)),
                    ("X-Mock-APNs-Next-After", String(page.nextAfter)),
                    ("X-Mock-APNs-Evicted-In-Window", String(lost)),
                ]
            )
        }
        return .json(
            APIObject<PushPageShape> {
                $0.evictedInWindow = lost
                $0.journal = APIObject(page.extent)
                $0.matched = page.matched
                $0.nextAfter = page.nextAfter
                $0.note = PushSelection.note(lost)
                $0.pushes = pushes
                $0.satisfied = page.matched >= outcome.wanted
                $0.waitedMs = outcome.waitedMilliseconds
            }
        )
    }

    /// `GET /api/v1/pushes/latest`.
    static func latest(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        selection.query.limit = 1
        let fields = reader.value("fields", Form<Fields>.word) ?? .full
        let wait = PushWait(&reader, takesCount: false)
        try reader.finish()
        try selection.resolve(call)

        _ = try await wait.run(selection, call)
        let page = try await call.page(selection.query)
        guard let push = page.pushes.first else {
            let lost = selection.evicted(page.extent)
            throw Problem(
                kind: .unknownPush,
                detail: "No push at hand is what was asked for."
                    + (PushSelection.note(lost).map { " \($0)" } ?? ""),
                details: APIObject { $0.journal = APIObject(page.extent) }
            )
        }
        return .json(shape(push, fields, call))
    }

    /// `GET /api/v1/pushes/count`.
    static func count(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        let wait = PushWait(&reader)
        try reader.finish()
        try selection.resolve(call)

        let outcome = try await wait.run(selection, call)
        var count = 0
        let extent = try await call.visit(selection.query) { _, _ in
            count += 1
            return true
        }
        let lost = selection.evicted(extent)
        return .json(
            APIObject<PushCountShape> {
                $0.count = count
                $0.evictedInWindow = lost
                $0.journal = APIObject(extent)
                $0.note = PushSelection.note(lost)
                $0.satisfied = count >= outcome.wanted
                $0.waitedMs = outcome.waitedMilliseconds
            }
        )
    }

    /// `DELETE /api/v1/pushes`.
    static func removeAll(_ call: Route.Call) async throws(Problem) -> APIResponse {
        var reader = call.query
        var selection = PushSelection(&reader, in: call.subject)
        let all = reader.value("all", Form<Bool>.words([true], \.description))
        try reader.finish()
        guard selection.isNarrowed || all == true else {
            throw Problem(
                kind: .badParameter,
                detail: "Without a filter this would delete every push: give a filter, or all=true.",
                complaints: [
                    Complaint(
                        path: "all",
                        message: "is missing; expected all=true",
                        suggestion: "all=true"
                    )
                ]
            )
        }
        try selection.resolve(call)
        var wanted: [UInt64] = []
        let epoch = try await call.visit(selection.query) { _, outline in
            wanted.append(outline.seq)
            return true
        }.epoch
        return .json(
            APIObject<DeletedShape> { $0.deleted = call.subject.journal.remove(wanted, epoch: epoch) }
        )
    }

    static let removeParameters = PushSelection.parameters + ["all"]

    private static func shape(_ push: PushRecord, _ fields: Fields, _ call: Route.Call) -> JSONValue {
        let shape = ShownPush(push, in: call.subject)
        return fields == .full ? shape.json : shape.summary
    }
}

internal import MockAPNsAPI
internal import MockAPNsWorld

/// What the routes of all named tables share; the name of a value is a part of its path.
struct NamedRoutes<Name: Hashable & Comparable & Sendable, Value: Sendable, Whole: Shape, Summary: Shape>: Sendable {
    /// The path of the list.
    let path: String
    /// The problem of a name without a value, and what it says before and after the name.
    let absence: (kind: Problem.Kind, lacks: String, isNot: String)
    /// The problems of a full table, and of a value that is too large.
    let refusals: (tooMany: Problem.Kind, tooLarge: Problem.Kind)
    let table: @Sendable (World) -> NamedTable<Name, Value>
    /// Reads the last parts of a path.
    let name: @Sendable (Route.Call) throws(Problem) -> Name
    /// Writes a name as in a path.
    let text: @Sendable (Name) -> String
    let value: @Sendable (Route.Call) throws(Problem) -> Value
    let whole: @Sendable (Name, Value) -> Whole.Source
    /// The entry of a value in lists, which is also the response to storing it.
    let summary: @Sendable (Name, Value) -> Summary.Source

    func list<Page: Shape>(
        _ call: Route.Call, in member: KeyPath<Page, ShapeMember<Page.Source, [APIObject<Summary>]>>
    ) -> APIResponse where Page.Source == [Summary.Source] {
        .list(member, of: table(call.subject.world).all.map { summary($0.name, $0.value) }, call.request)
    }

    func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard let value = table(call.subject.world)[name] else { throw unknown(name, call) }
        return .json(Whole.self, whole(name, value))
    }

    /// Stores a value under its name: responds with 201 and the address if it is new, with 200 if it replaces one.
    func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let (name, value) = (try name(call), try value(call))
        do throws(TableRefusal) {
            let isNew = try table(call.subject.world).put(value, as: name)
            let summary = APIObject<Summary>(summary(name, value))
            return isNew ? .created(summary, at: call.request.path) : .json(summary)
        } catch { throw problem(error) }
    }

    func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard table(call.subject.world).remove(name) else { throw unknown(name, call) }
        return .done
    }

    func problem(_ refusal: TableRefusal) -> Problem {
        switch refusal.code {
        case .tooMany: Problem(refusals.tooMany, refusal.message)
        case .tooLarge: Problem(refusals.tooLarge, refusal.message)
        case .badValue: Problem(.badBody, refusal.message)
        }
    }

    private func unknown(_ name: Name, _ call: Route.Call) -> Problem {
        .unknown(
            absence.kind, "\(absence.lacks) '\(text(name))'", text(name), absence.isNot,
            among: table(call.subject.world).all.map { text($0.name) }, list: path)
    }
}

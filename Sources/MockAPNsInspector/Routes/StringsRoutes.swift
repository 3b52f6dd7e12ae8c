internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The texts of apps, in which previews look up what a payload names by a key.
enum StringsRoutes {
    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let all = call.subject.world.strings.all
        return .list(all.map { APIObject($0.name, count: $0.count) }, call.request) { tables in
            APIObject<StringsListShape> { $0.tables = tables }
        }
    }

    static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        let texts = call.request.isText ? try file(call.request.body) : try members(call.request.body)
        let isNew: Bool
        do throws(StringsTables.Refusal) {
            isNew = try call.subject.world.strings.put(texts, as: name)
        } catch {
            throw problem(error)
        }
        return AppPart.stored(APIObject<StringsSummaryShape>(name, count: texts.count), isNew: isNew, call)
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard let texts = call.subject.world.strings[name] else { throw unknown(name, call) }
        return .json(APIObject<StringsTableShape>(name, texts))
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard call.subject.world.strings.remove(name) else { throw unknown(name, call) }
        return .done
    }

    // MARK: Reading

    private static func name(_ call: Route.Call) throws(Problem) -> StringsTables.Name {
        let bundleID = try AppPart.bundleID(call)
        let given = call.pathParts["language"] ?? ""
        guard let language = LanguageTag(given) else {
            throw Problem(kind: .badPath, detail: "'\(given)' is no language; expected \(Self.expected).")
        }
        return StringsTables.Name(app: bundleID, language: language)
    }

    /// What names a language.
    static let expected = "the name of a language, such as en, pt-BR or zh-Hans"

    private static func members(_ bytes: [UInt8]) throws(Problem) -> [String: String] {
        var body = try BodyReader(bytes)
        var texts: [String: String] = [:]
        if case .object(let members) = body.value {
            // In the order of their names, so that the same mistake always gets the same answer.
            for (key, value) in members.sortedByName {
                guard case .string(let text) = value else {
                    body.complain("is \(value.words); expected a text", at: key)
                    continue
                }
                texts[key] = text
            }
        } else {
            body.complain("is \(body.value.words); expected an object of keys and texts")
        }
        try body.finish()
        return texts
    }

    private static func file(_ bytes: [UInt8]) throws(Problem) -> [String: String] {
        do throws(StringsFile.Failure) {
            return try StringsFile.read(bytes)
        } catch {
            let message = "is no .strings file in line \(error.line); expected \(error.expected)"
            throw Problem(
                kind: .badBody,
                detail: "The body \(message).",
                complaints: [Complaint(path: "", message: message)]
            )
        }
    }

    // MARK: Problems

    private static func problem(_ refusal: StringsTables.Refusal) -> Problem {
        let detail =
            switch refusal {
            case .tooManyTables:
                "There are \(StringsTables.Limit.tables) tables, which is the most; DELETE takes one away."
            case .tooManyTexts(let count):
                "The table has \(count) texts; \(StringsTables.Limit.texts) are the most."
            case .tooManyBytes(let count):
                "With it, the tables would have \(count) bytes; \(StringsTables.Limit.bytes) are the most."
            }
        return Problem(kind: .tooManyStrings, detail: detail)
    }

    private static func unknown(_ name: StringsTables.Name, _ call: Route.Call) -> Problem {
        let given = "\(name.app)/\(name.language)"
        return .unknown(
            .unknownStrings,
            "There is no strings table '\(given)'",
            given,
            "is no strings table",
            among: call.subject.world.strings.all.map { "\($0.name.app)/\($0.name.language)" },
            list: "/api/v1/strings"
        )
    }
}

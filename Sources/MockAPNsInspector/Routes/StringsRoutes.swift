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
        let texts = call.request.isText ? try file(call.request.body) : try call.read(draft)
        let isNew: Bool
        do throws(StringsRefusal) {
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
        guard let tag = LanguageTag(given) else {
            throw Problem(
                kind: .badPath,
                detail: "'\(given)' is not a language; expected \(language.expected)."
            )
        }
        return StringsTables.Name(app: bundleID, key: tag)
    }

    /// The name of a language.
    static let language = Form<LanguageTag>(
        ofText: "the name of a language, such as en, pt-BR or zh-Hans",
        schema: .languageTag
    ) { LanguageTag($0) }

    static let draft = RequestBody(texts, example: ["ORDER_SHIPPED": "Order %@ is on its way to %2$@."])

    private static let texts = Form<[String: String]>(
        expected: "an object of keys and texts",
        schema: { _ in .dictionary(of: .text) }
    ) { given, body in
        guard case .object(let members) = given else {
            body.complain("is \(given.words); expected an object of keys and texts")
            return nil
        }
        var texts: [String: String] = [:]
        // In the order of their names, so that the same mistake always gets the same answer.
        for (key, value) in members.sortedByName {
            if case .string(let text) = value {
                texts[key] = text
            } else {
                body.complain("is \(value.words); expected a text", at: key)
            }
        }
        return texts
    }

    private static func file(_ bytes: [UInt8]) throws(Problem) -> [String: String] {
        do throws(StringsFile.Failure) {
            return try StringsFile.read(bytes)
        } catch {
            throw .badBody("is not a .strings file: line \(error.line), expected \(error.expected)")
        }
    }

    // MARK: Problems

    private static func problem(_ refusal: StringsRefusal) -> Problem {
        let detail =
            switch refusal {
            case .tooManyTables:
                "There are \(StringsLimit.tables) tables, which is the most; DELETE takes one away."
            case .tooManyTexts(let count):
                "The table has \(count) texts; \(StringsLimit.texts) are the most."
            case .tooManyBytes(let count):
                "With it, the tables would have \(count) bytes; \(StringsLimit.bytes) are the most."
            }
        return Problem(kind: .tooManyStrings, detail: detail)
    }

    private static func unknown(_ name: StringsTables.Name, _ call: Route.Call) -> Problem {
        let given = "\(name.app)/\(name.key)"
        return .unknown(
            .unknownStrings,
            "There is not a strings table '\(given)'",
            given,
            "is not a strings table",
            among: call.subject.world.strings.all.map { "\($0.name.app)/\($0.name.key)" },
            list: "/api/v1/strings"
        )
    }
}

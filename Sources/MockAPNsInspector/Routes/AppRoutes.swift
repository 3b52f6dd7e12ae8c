internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What is uploaded for apps so that previews can show it: values by an app and a key, which are parts of their paths.
struct AppRoutes<Key: Sendable, Value: Collection & Sendable, Summary: Shape>: Sendable
where Key: Hashable & Comparable & CustomStringConvertible, Summary.Source == (name: AppKey<Key>, count: Int) {
    typealias Table = AppTable<Key, Value>

    /// The path of the list.
    let path: String
    let noun: String
    let absence: Problem.Kind
    let table: @Sendable (World) -> Table
    /// Reads the last part of a path.
    let key: @Sendable (Route.Call) throws(Problem) -> Key

    func list<Page: Shape>(
        _ call: Route.Call, in member: KeyPath<Page, ShapeMember<Page.Source, [APIObject<Summary>]>>
    ) -> APIResponse where Page.Source == [Summary.Source] {
        .list(member, of: table(call.subject.world).all, call.request)
    }

    func find(_ call: Route.Call) throws(Problem) -> (name: Table.Name, value: Value) {
        let name = try name(call)
        guard let value = table(call.subject.world)[name] else { throw unknown(name, call) }
        return (name, value)
    }

    /// 201 with the address of what is new, or 200 for what was replaced.
    func stored(_ value: Value, as name: Table.Name, isNew: Bool, _ call: Route.Call) -> APIResponse {
        let summary = APIObject<Summary>((name, value.count))
        return isNew ? .created(summary, at: call.request.path) : .json(summary)
    }

    func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard table(call.subject.world).remove(name) else { throw unknown(name, call) }
        return .done
    }

    func name(_ call: Route.Call) throws(Problem) -> Table.Name {
        Table.Name(app: try AppPath.bundleID(call), key: try key(call))
    }

    private func unknown(_ name: Table.Name, _ call: Route.Call) -> Problem {
        func text(_ name: Table.Name) -> String { "\(name.app)/\(name.key)" }
        return .unknown(
            absence, "There is not a \(noun) '\(text(name))'", text(name), "is not a \(noun)",
            among: table(call.subject.world).all.map { text($0.name) }, list: path)
    }
}

/// The localized strings of apps.
enum StringsRoutes {
    /// Operations in the group of previews.
    static let routes: [Route] = [
        .get("/api/v1/strings", "List strings tables") { tables.list($0, in: \StringsListShape.tables) }.gives(
            .list(StringsListShape.self, "The tables.")),
        .get("/api/v1/strings/{topic}/{language}", "Get a strings table", one).gives(
            .json(StringsTableShape.self, "The strings, by key.")
        ).fails(.unknownStrings),
        .put("/api/v1/strings/{topic}/{language}", "Upload a strings table", put).detail(
            "Replaces the whole table. The body is an object of keys and strings, or with"
                + " Content-Type: text/plain an Apple .strings file."
        ).reads(draft, or: ["text/plain": .text]).gives(
            .json(StringsSummaryShape.self, "The table was replaced."),
            .json(StringsSummaryShape.self, "The table is new.", status: 201),
        ).fails(.tooManyStrings),
        .delete("/api/v1/strings/{topic}/{language}", "Delete a strings table", tables.remove).gives(
            .nothing("Deleted.")
        ).fails(.unknownStrings),
    ]

    private static let tables = AppRoutes<LanguageTag, [String: String], StringsSummaryShape>(
        path: "/api/v1/strings", noun: "strings table", absence: .unknownStrings, table: \.strings, key: key)

    private static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try tables.name(call)
        let texts = call.request.isText ? try file(call.request.body) : try draft.read(call)
        do throws(StringsRefusal) {
            let isNew = try call.subject.world.strings.put(texts, as: name)
            return tables.stored(texts, as: name, isNew: isNew, call)
        } catch {
            let detail =
                switch error {
                case .tooManyTables: "There are already \(StringsLimit.tables) tables, the maximum; delete one first."
                case .tooManyTexts(let count): "The table has \(count) texts; the maximum is \(StringsLimit.texts)."
                case .tooManyBytes(let count):
                    "With it, the tables would have \(count) bytes; the maximum is \(StringsLimit.bytes)."
                }
            throw Problem(.tooManyStrings, detail)
        }
    }

    private static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let (name, texts) = try tables.find(call)
        return .json(StringsTableShape.self, (name, texts))
    }

    private static func key(_ call: Route.Call) throws(Problem) -> LanguageTag {
        let given = call.pathParts["language"] ?? ""
        if let tag = LanguageTag(given) { return tag }
        throw Problem(.badPath, "'\(given)' is not a language; expected \(language.expected).")
    }

    static let language = Form<LanguageTag>(
        ofText: "the name of a language, such as en, pt-BR or zh-Hans", schema: .languageTag
    ) { LanguageTag($0) }

    private static let draft = RequestBody(
        Form<[String: String]>(expected: "an object of keys and texts", schema: { _ in .dictionary(of: .text) }) {
            given, body in
            guard case .object(let members) = given else {
                body.complain("is \(given.words); expected an object of keys and texts")
                return nil
            }
            var texts: [String: String] = [:]
            // Sorted, so that the same mistake always gets the same response.
            for (key, value) in members.sortedByName {
                if case .string(let text) = value {
                    texts[key] = text
                } else {
                    body.complain("is \(value.words); expected a text", at: key)
                }
            }
            return texts
        }, example: ["ORDER_SHIPPED": "Order %@ is on its way to %2$@."])

    private static func file(_ bytes: [UInt8]) throws(Problem) -> [String: String] {
        do throws(StringsFile.Failure) { return try StringsFile.read(bytes) } catch {
            throw .badBody("is not a .strings file: line \(error.line), expected \(error.expected)")
        }
    }
}

/// The notification categories of apps, with their action buttons.
enum CategoryRoutes {
    static let routes: [Route] = [
        .get("/api/v1/categories", "List categories") { categories.list($0, in: \CategoryListShape.categories) }.gives(
            .list(CategoryListShape.self, "The categories.")),
        .get("/api/v1/categories/{topic}/{category}", "Get a category", one).gives(
            .json(CategoryShape.self, "The category, with its actions in order.")
        ).fails(.unknownCategory),
        .put("/api/v1/categories/{topic}/{category}", "Create or replace a category", put).detail(
            "The body has all actions, in the order in which the app passes them to UNNotificationCategory."
        ).reads(draft).gives(
            .json(CategorySummaryShape.self, "The category was replaced."),
            .json(CategorySummaryShape.self, "The category is new.", status: 201),
        ).fails(.tooManyCategories),
        .delete("/api/v1/categories/{topic}/{category}", "Delete a category", categories.remove).gives(
            .nothing("Deleted.")
        ).fails(.unknownCategory),
    ]

    private typealias Limit = CategoryLimit

    private static let categories = AppRoutes<String, [NotificationAction], CategorySummaryShape>(
        path: "/api/v1/categories", noun: "category", absence: .unknownCategory, table: \.categories, key: key)

    private static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try categories.name(call)
        let actions = try draft.read(call)
        do throws(CategoryRefusal) {
            let isNew = try call.subject.world.categories.put(actions, as: name)
            return categories.stored(actions, as: name, isNew: isNew, call)
        } catch { throw problem(error) }
    }

    private static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let (name, actions) = try categories.find(call)
        return .json(CategoryShape.self, (name, actions))
    }

    /// The app chooses the name of a category, so it may be any text.
    private static func key(_ call: Route.Call) throws(Problem) -> String {
        let category = call.pathParts["category"] ?? ""
        if Limit.allows(category) { return category }
        let length = category.unicodeScalars.count
        throw Problem(.badPath, "The name of the category has \(length) characters; expected 1 to \(Limit.scalars).")
    }

    private static let draft = RequestBody<[NotificationAction]>(
        .object([], .required("actions", .list(of: action, atMost: Limit.actions)) { $0 = $1 }) { actions, _, body in
            guard actions.count > Limit.actions else { return }
            body.complain(
                "has \(actions.count) entries; expected \(Limit.actions) at most: iOS shows no more", at: "actions")
        }, use: .draft,
        example: [
            "actions": [["identifier": "ACCEPT", "title": "Accept"], ["title": "Decline", "destructive": true]]
        ])

    private static let action = Form<NotificationAction>.object(
        NotificationAction(title: ""),
        .optional("identifier", text, "Identifier that the app receives.") { $0.identifier = $1 },
        .required("title", text, "Title of the button.") { $0.title = $1 },
        .optional("destructive", .boolean, "Shown in red.", default: false) { $0.isDestructive = $1 },
        .optional("foreground", .boolean, "Opens the app.", default: false) { $0.opensApp = $1 },
        .optional("authenticationRequired", .boolean, "Requires unlocking the device.", default: false) {
            $0.needsUnlocking = $1
        },
        .optional("textInput", .boolean, "Asks for text (UNTextInputNotificationAction).", default: false) {
            $0.takesText = $1
        })

    private static let text = Form<String>(
        ofText: "a text of 1 to \(Limit.scalars) characters", schema: .text(1...Limit.scalars)
    ) { Limit.allows($0) ? $0 : nil }

    private static func problem(_ refusal: CategoryRefusal) -> Problem {
        switch refusal {
        case .tooManyCategories:
            Problem(
                .tooManyCategories, "There are already \(Limit.categories) categories, the maximum; delete one first.")
        case .tooManyActions(let count):
            Problem(.badBody, "The category has \(count) actions; the maximum is \(Limit.actions).")
        case .badLength(let count): Problem(.badBody, "A text has \(count) characters; expected \(text.expected).")
        }
    }
}

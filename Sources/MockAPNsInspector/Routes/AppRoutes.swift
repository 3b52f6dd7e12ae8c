internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// What is uploaded for an app so that previews can show it: its strings and its categories.
enum AppRoutes {
    /// The app that a path names by its topic.
    ///
    /// Documented: a bundle identifier has letters, digits, hyphens and periods
    /// (https://developer.apple.com/documentation/bundleresources/information-property-list/cfbundleidentifier);
    /// some have an underscore.
    fileprivate static func bundleID(_ call: Route.Call) throws(Problem) -> String {
        var topic = call.pathParts["topic"] ?? ""
        let bundleID = topic.withUTF8 { bytes in
            let isWellFormed = bytes.count <= 255 && bytes.allSatisfy(isOfIdentifier)
            return isWellFormed ? Topic(ByteSpan(bytes)).bundleID.text : ""
        }
        guard bundleID.isEmpty else { return bundleID }
        throw Problem(
            kind: .badPath,
            detail:
                "'\(topic)' is not the topic of an app; expected up to 255 letters, digits, '-', '_' and '.', as in"
                + " com.example.app."
        )
    }

    private static func isOfIdentifier(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "-_.".utf8.contains(byte)
    }

    /// 201 with the address of what is new, or 200 for what was replaced.
    fileprivate static func stored(
        _ summary: APIObject<some Shape>,
        isNew: Bool,
        _ call: Route.Call
    ) -> APIResponse {
        isNew ? .created(summary, at: call.request.path) : .json(summary)
    }

    fileprivate static func unknown(
        _ kind: Problem.Kind,
        _ noun: String,
        _ name: String,
        among names: [String],
        list: String
    ) -> Problem {
        .unknown(kind, "There is not a \(noun) '\(name)'", name, "is not a \(noun)", among: names, list: list)
    }
}

/// The localized strings of apps.
enum StringsRoutes {
    /// Operations in the group of previews.
    static let routes: [Route] = [
        .get("/api/v1/strings", "List strings tables", list)
            .gives(.list(StringsListShape.self, "The tables.")),
        .get("/api/v1/strings/{topic}/{language}", "Get a strings table", one)
            .gives(.json(StringsTableShape.self, "The strings, by key."))
            .fails(.unknownStrings),
        .put("/api/v1/strings/{topic}/{language}", "Upload a strings table", put)
            .detail(
                "Replaces the whole table. The body is an object of keys and strings, or with"
                    + " Content-Type: text/plain an Apple .strings file."
            )
            .reads(draft, or: ["text/plain": .text])
            .gives(
                .json(StringsSummaryShape.self, "The table was replaced."),
                .json(StringsSummaryShape.self, "The table is new.", status: 201),
            )
            .fails(.tooManyStrings),
        .delete("/api/v1/strings/{topic}/{language}", "Delete a strings table", remove)
            .gives(.nothing("Deleted."))
            .fails(.unknownStrings),
    ]

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
            let detail =
                switch error {
                case .tooManyTables:
                    "There are already \(StringsLimit.tables) tables, the maximum; delete one first."
                case .tooManyTexts(let count):
                    "The table has \(count) texts; the maximum is \(StringsLimit.texts)."
                case .tooManyBytes(let count):
                    "With it, the tables would have \(count) bytes; the maximum is \(StringsLimit.bytes)."
                }
            throw Problem(kind: .tooManyStrings, detail: detail)
        }
        return AppRoutes.stored(
            APIObject<StringsSummaryShape>(name, count: texts.count),
            isNew: isNew,
            call
        )
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard let texts = call.subject.world.strings[name] else { throw unknown(name, call) }
        return .json(StringsTableShape.self) {
            $0.strings = texts
            $0.summary = APIObject(name, count: texts.count)
        }
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard call.subject.world.strings.remove(name) else { throw unknown(name, call) }
        return .done
    }

    private static func name(_ call: Route.Call) throws(Problem) -> StringsTables.Name {
        let bundleID = try AppRoutes.bundleID(call)
        let given = call.pathParts["language"] ?? ""
        if let tag = LanguageTag(given) { return StringsTables.Name(app: bundleID, key: tag) }
        throw Problem(kind: .badPath, detail: "'\(given)' is not a language; expected \(language.expected).")
    }

    private static func unknown(_ name: StringsTables.Name, _ call: Route.Call) -> Problem {
        func text(_ name: StringsTables.Name) -> String { "\(name.app)/\(name.key)" }
        return AppRoutes.unknown(
            .unknownStrings,
            "strings table",
            text(name),
            among: call.subject.world.strings.all.map { text($0.name) },
            list: "/api/v1/strings"
        )
    }

    static let language = Form<LanguageTag>(
        ofText: "the name of a language, such as en, pt-BR or zh-Hans",
        schema: .languageTag
    ) { LanguageTag($0) }

    private static let draft = RequestBody(
        Form<[String: String]>(
            expected: "an object of keys and texts",
            schema: { _ in .dictionary(of: .text) }
        ) { given, body in
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
        },
        example: ["ORDER_SHIPPED": "Order %@ is on its way to %2$@."]
    )

    private static func file(_ bytes: [UInt8]) throws(Problem) -> [String: String] {
        do throws(StringsFile.Failure) {
            return try StringsFile.read(bytes)
        } catch {
            throw .badBody("is not a .strings file: line \(error.line), expected \(error.expected)")
        }
    }
}

/// The notification categories of apps, with their action buttons.
enum CategoryRoutes {
    static let group = RouteGroup(
        "categories",
        "Notification categories, which are defined in the app. Upload them to preview their action buttons.",
        [
            .get("/api/v1/categories", "List categories", list)
                .gives(.list(CategoryListShape.self, "The categories.")),
            .get("/api/v1/categories/{topic}/{category}", "Get a category", one)
                .gives(.json(CategoryShape.self, "The category, with its actions in order."))
                .fails(.unknownCategory),
            .put("/api/v1/categories/{topic}/{category}", "Create or replace a category", put)
                .detail(
                    "The body has all actions, in the order in which the app passes them to UNNotificationCategory."
                )
                .reads(draft)
                .gives(
                    .json(CategorySummaryShape.self, "The category was replaced."),
                    .json(CategorySummaryShape.self, "The category is new.", status: 201),
                )
                .fails(.tooManyCategories),
            .delete("/api/v1/categories/{topic}/{category}", "Delete a category", remove)
                .gives(.nothing("Deleted."))
                .fails(.unknownCategory),
        ]
    )

    private typealias Limit = CategoryLimit

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let all = call.subject.world.categories.all
        return .list(all.map { APIObject($0.name, count: $0.count) }, call.request) { categories in
            APIObject<CategoryListShape> { $0.categories = categories }
        }
    }

    static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        let actions = try call.read(draft)
        let isNew: Bool
        do throws(CategoryRefusal) {
            isNew = try call.subject.world.categories.put(actions, as: name)
        } catch {
            throw problem(error)
        }
        return AppRoutes.stored(
            APIObject<CategorySummaryShape>(name, count: actions.count),
            isNew: isNew,
            call
        )
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard let actions = call.subject.world.categories[name] else { throw unknown(name, call) }
        return .json(CategoryShape.self) {
            $0.actions = actions.map(APIObject.init)
            $0.summary = APIObject(name, count: actions.count)
        }
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard call.subject.world.categories.remove(name) else { throw unknown(name, call) }
        return .done
    }

    /// The app chooses the name of a category, so it may be any text.
    private static func name(_ call: Route.Call) throws(Problem) -> NotificationCategories.Name {
        let bundleID = try AppRoutes.bundleID(call)
        let category = call.pathParts["category"] ?? ""
        if Limit.allows(category) {
            return NotificationCategories.Name(app: bundleID, key: category)
        }
        let length = category.unicodeScalars.count
        throw Problem(
            kind: .badPath,
            detail: "The name of the category has \(length) characters; expected 1 to \(Limit.scalars)."
        )
    }

    private static func unknown(_ name: NotificationCategories.Name, _ call: Route.Call) -> Problem {
        AppRoutes.unknown(
            .unknownCategory,
            "category",
            "\(name.app)/\(name.key)",
            among: call.subject.world.categories.all.map { "\($0.name.app)/\($0.name.key)" },
            list: "/api/v1/categories"
        )
    }

    private static let draft = RequestBody<[NotificationAction]>(
        .object([], .required("actions", .list(of: action, atMost: Limit.actions)) { $0 = $1 }) {
            actions,
            _,
            body in
            guard actions.count > Limit.actions else { return }
            body.complain(
                "has \(actions.count) entries; expected \(Limit.actions) at most: iOS shows no more",
                at: "actions"
            )
        },
        use: .draft,
        example: [
            "actions": [
                ["identifier": "ACCEPT", "title": "Accept"], ["title": "Decline", "destructive": true],
            ]
        ]
    )

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
        }
    )

    private static let text = Form<String>(
        ofText: "a text of 1 to \(Limit.scalars) characters",
        schema: .text(1...Limit.scalars)
    ) { Limit.allows($0) ? $0 : nil }

    private static func problem(_ refusal: CategoryRefusal) -> Problem {
        switch refusal {
        case .tooManyCategories:
            Problem(
                kind: .tooManyCategories,
                detail: "There are already \(Limit.categories) categories, the maximum; delete one first."
            )
        case .tooManyActions(let count):
            Problem(
                kind: .badBody,
                detail: "The category has \(count) actions; the maximum is \(Limit.actions)."
            )
        case .badLength(let count):
            Problem(kind: .badBody, detail: "A text has \(count) characters; expected \(text.expected).")
        }
    }
}

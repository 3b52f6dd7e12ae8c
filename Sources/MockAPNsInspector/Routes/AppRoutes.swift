internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsPreview
internal import MockAPNsQuery
internal import MockAPNsRules
internal import MockAPNsWorld

/// The localized strings of apps.
enum StringsRoutes {
    /// Operations in the group of previews.
    static let routes: [Route] = [
        .get("/api/v1/strings", "List strings tables") { tables.list($0, in: \StringsListShape.tables) }.gives(
            .list(StringsListShape.self, "The tables.")),
        .get("/api/v1/strings/{topic}/{language}", "Get a strings table", tables.one).gives(
            .json(StringsTableShape.self, "The strings, by key.")
        ).fails(.unknownStrings),
        .put("/api/v1/strings/{topic}/{language}", "Upload a strings table", tables.put).detail(
            "Replaces the whole table. The body is an object of keys and strings, or of what a string catalog has for a"
                + " key; or with Content-Type: text/plain or application/x-plist a .strings or .stringsdict file."
        ).reads(draft, or: ["text/plain": .text, "application/x-plist": .text]).gives(
            .json(StringsSummaryShape.self, "The table was replaced."),
            .json(StringsSummaryShape.self, "The table is new.", status: 201),
        ).fails(.tooManyStrings),
        .put("/api/v1/strings/{topic}", "Upload a string catalog", reads: catalog, putCatalog).largestBody(16 << 20)
            .detail("Replaces all tables of the app. The body is a string catalog (.xcstrings).").gives(
                .json(StringsListShape.self, "The tables of the app.")
            ).fails(.tooManyStrings),
        .delete("/api/v1/strings/{topic}/{language}", "Delete a strings table", tables.remove).gives(
            .nothing("Deleted.")
        ).fails(.unknownStrings),
    ]

    private static let tables = NamedRoutes<
        AppKey<LanguageTag>, LocalizedTexts, StringsTableShape, StringsSummaryShape
    >(
        path: "/api/v1/strings", absence: (.unknownStrings, "There is not a strings table", "is not a strings table"),
        refusals: (.tooManyStrings, .tooManyStrings), table: \.strings, name: name, text: { "\($0.app)/\($0.key)" },
        value: texts, whole: { ($0, $1) }, summary: { ($0, $1.count) })

    private static func name(_ call: Route.Call) throws(Problem) -> AppKey<LanguageTag> {
        let app = try AppPath.bundleID(call)
        let given = call.pathParts["language"] ?? ""
        if let tag = LanguageTag(given) { return AppKey(app: app, key: tag) }
        throw Problem(.badPath, "'\(given)' is not a language; expected \(language.expected).")
    }

    private static func texts(_ call: Route.Call) throws(Problem) -> LocalizedTexts {
        guard call.request.isText else { return try draft.read(call) }
        do throws(StringsFile.Failure) { return LocalizedTexts(try StringsFile.read(call.request.body)) } catch {
            throw .badBody(error.text)
        }
    }

    private static func putCatalog(_ call: Route.Call, _ catalog: StringCatalog) throws(Problem) -> APIResponse {
        let app = try AppPath.bundleID(call)
        let strings = call.subject.world.strings
        do throws(TableRefusal) { try strings.replaceAll(of: app, with: catalog.languages) } catch {
            throw tables.problem(error)
        }
        let own = strings.all.filter { $0.name.app == app }
        return .json(StringsListShape.self, own.map { ($0.name, $0.value.count) })
    }

    static let language = Form<LanguageTag>(
        ofText: "the name of a language, such as en, pt-BR or zh-Hans", schema: .languageTag
    ) { LanguageTag($0) }

    /// The most languages that a user prefers.
    private static let mostLanguages = 20

    static let languages = Form<[LanguageTag]>(
        ofText: "languages such as de or de-AT,fr", schema: .text(1...720).example("de")
    ) { text in
        let names = text.split(separator: ",", omittingEmptySubsequences: false)
        let tags = names.prefix(mostLanguages + 1).compactMap { LanguageTag(String($0)) }
        return tags.count == names.count && tags.count <= mostLanguages ? tags : nil
    }

    /// What a string catalog has for a key in a language.
    private static let localization = Schema.object([
        "stringUnit": unit, "variations": anyObject, "substitutions": anyObject,
    ])
    private static let unit = Schema.object(["state": .text, "value": .text], required: ["value"])
    private static let anyObject = Schema.dictionary(of: .anything)

    private static let draft = RequestBody(
        Form<LocalizedTexts>(
            expected: "an object of keys and texts", schema: { _ in .dictionary(of: .either(.text, localization)) }
        ) { given, body in
            guard case .object(let members) = given else {
                body.complain("is \(given.words); expected an object of keys and texts")
                return nil
            }
            var texts: [String: LocalizedText] = [:]
            // Sorted, so that the same mistake always gets the same response.
            for (key, value) in members.sortedByName {
                switch value {
                case .string(let text): texts[key] = LocalizedText(text)
                case .object:
                    do throws(TextFlaws) { texts[key] = try LocalizedText.read(value) } catch {
                        body.adopt(error, below: "/" + JSONPointer.escaped(key))
                    }
                default: body.complain("is \(value.words); expected a text", at: key)
                }
            }
            return LocalizedTexts(texts)
        }, example: ["ORDER_SHIPPED": "Order %@ is on its way to %2$@."])

    private static let catalog = RequestBody(
        Form<StringCatalog>(expected: "a string catalog", schema: { _ in catalogSchema }) { given, body in
            do throws(TextFlaws) { return try StringCatalog(given) } catch {
                body.adopt(error)
                return nil
            }
        },
        example: [
            "sourceLanguage": "en", "version": "1.0",
            "strings": [
                "ITEMS": [
                    "localizations": [
                        "en": [
                            "variations": [
                                "plural": [
                                    "one": ["stringUnit": ["state": "translated", "value": "%lld item"]],
                                    "other": ["stringUnit": ["state": "translated", "value": "%lld items"]],
                                ]
                            ]
                        ]
                    ]
                ]
            ],
        ])

    private static let catalogSchema = Schema.object(
        [
            "sourceLanguage": .languageTag, "version": .text,
            "strings": .dictionary(
                of: .object([
                    "comment": .text, "extractionState": .text, "shouldTranslate": .boolean,
                    "isCommentAutoGenerated": .boolean, "localizations": .dictionary(of: localization),
                ])),
        ], required: ["strings"])
}

extension FormReader {
    /// Takes over the complaints about a part of the body.
    fileprivate mutating func adopt(_ flaws: TextFlaws, below path: String = "") {
        for complaint in flaws.complaints {
            adopt(Complaint(path: path + complaint.path, message: complaint.message, suggestion: complaint.suggestion))
        }
    }
}

/// The notification categories of apps, with their action buttons.
enum CategoryRoutes {
    static let routes: [Route] = [
        .get("/api/v1/categories", "List categories") { categories.list($0, in: \CategoryListShape.categories) }.gives(
            .list(CategoryListShape.self, "The categories.")),
        .get("/api/v1/categories/{topic}/{category}", "Get a category", categories.one).gives(
            .json(CategoryShape.self, "The category, with its actions in order.")
        ).fails(.unknownCategory),
        .put("/api/v1/categories/{topic}/{category}", "Create or replace a category", categories.put).detail(
            "The body has all actions, in the order in which the app passes them to UNNotificationCategory."
        ).reads(draft).gives(
            .json(CategorySummaryShape.self, "The category was replaced."),
            .json(CategorySummaryShape.self, "The category is new.", status: 201),
        ).fails(.tooManyCategories),
        .delete("/api/v1/categories/{topic}/{category}", "Delete a category", categories.remove).gives(
            .nothing("Deleted.")
        ).fails(.unknownCategory),
    ]

    private typealias Limit = NotificationCategory

    private static let categories = NamedRoutes<
        AppKey<String>, [NotificationAction], CategoryShape, CategorySummaryShape
    >(
        path: "/api/v1/categories", absence: (.unknownCategory, "There is not a category", "is not a category"),
        refusals: (.tooManyCategories, .badBody), table: \.categories, name: name, text: { "\($0.app)/\($0.key)" },
        value: { call throws(Problem) in try draft.read(call) }, whole: { ($0, $1) }, summary: { ($0, $1.count) })

    /// The app chooses the name of a category, so it may be any text.
    private static func name(_ call: Route.Call) throws(Problem) -> AppKey<String> {
        let app = try AppPath.bundleID(call)
        let category = call.pathParts["category"] ?? ""
        if Limit.allows(category) { return AppKey(app: app, key: category) }
        let length = category.unicodeScalars.count
        throw Problem(
            .badPath, "The name of the category has \(length) characters; expected 1 to \(Limit.longestText).")
    }

    private static let draft = RequestBody<[NotificationAction]>(
        .object([], .required("actions", .list(of: action, atMost: Limit.mostActions)) { $0 = $1 }) {
            actions, _, body in
            guard actions.count > Limit.mostActions else { return }
            body.complain(
                "has \(actions.count) entries; expected \(Limit.mostActions) at most: iOS shows no more", at: "actions")
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
        ofText: "a text of 1 to \(Limit.longestText) characters", schema: .text(1...Limit.longestText)
    ) { Limit.allows($0) ? $0 : nil }
}

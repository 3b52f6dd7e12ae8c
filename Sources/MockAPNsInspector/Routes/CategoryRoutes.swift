internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The categories of apps, whose buttons previews show.
enum CategoryRoutes {
    static let group = RouteGroup(
        "categories",
        "The buttons of notifications, which only the app knows: uploaded, previews show them.",
        [
            Route("GET", "/api/v1/categories", "List categories", answer: list)
                .gives(.list(CategoryListShape.self, "The categories.")),
            Route("GET", "/api/v1/categories/{topic}/{category}", "Show a category", answer: one)
                .gives(.json(CategoryShape.self, "Its buttons, in their order."))
                .fails(.unknownCategory),
            Route(
                "PUT",
                "/api/v1/categories/{topic}/{category}",
                "Describe the buttons of a category",
                answer: put
            )
            .detail(
                "The whole category: its actions as the app gives them to UNNotificationCategory, in their order."
            )
            .reads(
                Route.Body(
                    schema: .closed(
                        ["actions": .list(of: actionSchema, atMost: Limit.actions)],
                        required: ["actions"]
                    ),
                    example: [
                        "actions": [
                            ["identifier": "ACCEPT", "title": "Accept"],
                            ["title": "Decline", "destructive": true],
                        ]
                    ]
                )
            )
            .gives(
                .json(CategorySummaryShape.self, "The category was replaced."),
                .json(CategorySummaryShape.self, "The category is new.", status: 201),
            )
            .fails(.tooManyCategories),
            Route("DELETE", "/api/v1/categories/{topic}/{category}", "Delete a category", answer: remove)
                .gives(.nothing("It is gone."))
                .fails(.unknownCategory),
        ]
    )

    private typealias Limit = NotificationCategories.Limit

    private static let actionSchema = Schema.closed(
        [
            "identifier": textSchema.orNull.described("What the app is told."),
            "title": textSchema.described("What stands on the button."),
            "destructive": flagSchema.described("Shown in red."),
            "foreground": flagSchema.described("Opens the app."),
            "authenticationRequired": flagSchema.described("Asks to unlock the device first."),
            "textInput": flagSchema.described(
                "Asks for a text, as UNTextInputNotificationAction does."
            ),
        ],
        required: ["title"]
    )

    private static let textSchema = Schema.text(1...Limit.scalars)
    /// `null` says as much as nothing: the body describes something anew.
    private static let flagSchema = Schema.boolean.orNull.defaulting(to: false)

    static func list(_ call: Route.Call) throws(Problem) -> APIResponse {
        let all = call.subject.world.categories.all
        return .list(all.map { APIObject($0.name, count: $0.count) }, call.request) { categories in
            APIObject<CategoryListShape> { $0.categories = categories }
        }
    }

    static func put(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        let actions = try actions(call.request.body)
        let isNew: Bool
        do throws(NotificationCategories.Refusal) {
            isNew = try call.subject.world.categories.put(actions, as: name)
        } catch {
            throw problem(error)
        }
        return AppPart.stored(APIObject<CategorySummaryShape>(name, count: actions.count), isNew: isNew, call)
    }

    static func one(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard let actions = call.subject.world.categories[name] else { throw unknown(name, call) }
        return .json(APIObject<CategoryShape>(name, actions))
    }

    static func remove(_ call: Route.Call) throws(Problem) -> APIResponse {
        let name = try name(call)
        guard call.subject.world.categories.remove(name) else { throw unknown(name, call) }
        return .done
    }

    // MARK: Reading

    /// What names a category may be any text: the app makes it up.
    private static func name(_ call: Route.Call) throws(Problem) -> NotificationCategories.Name {
        let bundleID = try AppPart.bundleID(call)
        let category = call.pathParts["category"] ?? ""
        guard NotificationCategories.isFitting(category) else {
            throw Problem(
                kind: .badPath,
                detail:
                    "The name of the category has \(category.unicodeScalars.count) characters; expected 1 to"
                    + " \(Limit.scalars)."
            )
        }
        return NotificationCategories.Name(app: bundleID, category: category)
    }

    /// The members of a button.
    static let actionMembers = [
        "identifier", "title", "destructive", "foreground", "authenticationRequired", "textInput",
    ]

    private static func actions(_ bytes: [UInt8]) throws(Problem) -> [NotificationAction] {
        var body = try BodyReader(bytes, known: ["actions"], null: .absent)
        var count = 0
        let actions = body.requiredObjects("actions", known: actionMembers) { body -> NotificationAction? in
            count += 1
            // Of what is too much anyway, nothing is looked at.
            guard count <= Limit.actions else { return nil }
            let identifier = body.optional("identifier", text)
            let title = body.required("title", text)
            let isDestructive = body.optional("destructive", .boolean) ?? false
            let opensApp = body.optional("foreground", .boolean) ?? false
            let needsUnlocking = body.optional("authenticationRequired", .boolean) ?? false
            let takesText = body.optional("textInput", .boolean) ?? false
            return title.map {
                NotificationAction(
                    identifier: identifier,
                    title: $0,
                    isDestructive: isDestructive,
                    opensApp: opensApp,
                    needsUnlocking: needsUnlocking,
                    takesText: takesText
                )
            }
        }
        if count > Limit.actions {
            body.complain(
                "has \(count) entries; expected \(Limit.actions) at most: iOS shows no more",
                at: "actions"
            )
        }
        try body.finish()
        return actions
    }

    private static let expected = "a text of 1 to \(Limit.scalars) characters"

    private static let text = Form<String>(expected: expected) { value in
        guard case .string(let text) = value, NotificationCategories.isFitting(text) else { return nil }
        return text
    }

    // MARK: Problems

    private static func problem(_ refusal: NotificationCategories.Refusal) -> Problem {
        switch refusal {
        case .tooManyCategories:
            Problem(
                kind: .tooManyCategories,
                detail: "There are \(Limit.categories) categories, which is the most; DELETE takes one away."
            )
        case .tooManyActions(let count):
            Problem(
                kind: .badBody,
                detail: "The category has \(count) actions; \(Limit.actions) are the most."
            )
        case .badLength(let count):
            Problem(kind: .badBody, detail: "A text has \(count) characters; expected \(expected).")
        }
    }

    private static func unknown(_ name: NotificationCategories.Name, _ call: Route.Call) -> Problem {
        let given = "\(name.app)/\(name.category)"
        return .unknown(
            .unknownCategory,
            "There is no category '\(given)'",
            given,
            "is no category",
            among: call.subject.world.categories.all.map { "\($0.name.app)/\($0.name.category)" },
            list: "/api/v1/categories"
        )
    }
}

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
            .get("/api/v1/categories", "List categories", list)
                .gives(.list(CategoryListShape.self, "The categories.")),
            .get("/api/v1/categories/{topic}/{category}", "Show a category", one)
                .gives(.json(CategoryShape.self, "Its buttons, in their order."))
                .fails(.unknownCategory),
            .put("/api/v1/categories/{topic}/{category}", "Describe the buttons of a category", put)
                .detail(
                    "The whole category: its actions as the app gives them to UNNotificationCategory, in their order."
                )
                .reads(draft)
                .gives(
                    .json(CategorySummaryShape.self, "The category was replaced."),
                    .json(CategorySummaryShape.self, "The category is new.", status: 201),
                )
                .fails(.tooManyCategories),
            .delete("/api/v1/categories/{topic}/{category}", "Delete a category", remove)
                .gives(.nothing("It is gone."))
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
        guard Limit.allows(category) else {
            throw Problem(
                kind: .badPath,
                detail:
                    "The name of the category has \(category.unicodeScalars.count) characters; expected 1 to"
                    + " \(Limit.scalars)."
            )
        }
        return NotificationCategories.Name(app: bundleID, key: category)
    }

    private static let draft = RequestBody<[NotificationAction]>(
        .object(
            [],
            .required("actions", .list(of: action, atMost: Limit.actions)) { $0 = $1 }
        ) { actions, _, body in
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
        .optional("identifier", text, "What the app is told.") { $0.identifier = $1 },
        .required("title", text, "What stands on the button.") { $0.title = $1 },
        .optional("destructive", .boolean, "Shown in red.", default: false) { $0.isDestructive = $1 },
        .optional("foreground", .boolean, "Opens the app.", default: false) { $0.opensApp = $1 },
        .optional("authenticationRequired", .boolean, "Asks to unlock the device first.", default: false) {
            $0.needsUnlocking = $1
        },
        .optional(
            "textInput",
            .boolean,
            "Asks for a text, as UNTextInputNotificationAction does.",
            default: false
        ) { $0.takesText = $1 }
    )

    private static let text = Form<String>(
        ofText: "a text of 1 to \(Limit.scalars) characters",
        schema: .text(1...Limit.scalars)
    ) { Limit.allows($0) ? $0 : nil }

    // MARK: Problems

    private static func problem(_ refusal: CategoryRefusal) -> Problem {
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
            Problem(kind: .badBody, detail: "A text has \(count) characters; expected \(text.expected).")
        }
    }

    private static func unknown(_ name: NotificationCategories.Name, _ call: Route.Call) -> Problem {
        let given = "\(name.app)/\(name.key)"
        return .unknown(
            .unknownCategory,
            "There is not a category '\(given)'",
            given,
            "is not a category",
            among: call.subject.world.categories.all.map { "\($0.name.app)/\($0.name.key)" },
            list: "/api/v1/categories"
        )
    }
}

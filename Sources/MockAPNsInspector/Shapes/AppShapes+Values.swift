internal import MockAPNsAPI
internal import MockAPNsWorld

extension APIObject<CategorySummaryShape> {
    /// A category in a list.
    init(_ name: NotificationCategories.Name, count: Int) {
        self.init()
        self.category = name.key
        self.count = count
        self.topic = name.app
    }
}

extension APIObject<CategoryShape> {
    /// A category with its action buttons.
    init(_ name: NotificationCategories.Name, _ actions: [NotificationAction]) {
        self.init()
        self.actions = actions.map(APIObject<CategoryActionShape>.init)
        self.summary = APIObject<CategorySummaryShape>(name, count: actions.count)
    }
}

extension APIObject<CategoryActionShape> {
    /// An action button.
    init(_ action: NotificationAction) {
        self.init()
        self.authenticationRequired = action.needsUnlocking
        self.destructive = action.isDestructive
        self.foreground = action.opensApp
        self.identifier = action.identifier
        self.textInput = action.takesText
        self.title = action.title
    }
}

extension APIObject<StringsSummaryShape> {
    /// A strings table in a list.
    init(_ name: StringsTables.Name, count: Int) {
        self.init()
        self.count = count
        self.language = name.key.description
        self.topic = name.app
    }
}

extension APIObject<StringsTableShape> {
    /// A strings table.
    init(_ name: StringsTables.Name, _ texts: [String: String]) {
        self.init()
        self.strings = texts
        self.summary = APIObject<StringsSummaryShape>(name, count: texts.count)
    }
}

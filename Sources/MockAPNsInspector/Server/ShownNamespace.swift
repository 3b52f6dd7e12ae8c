internal import MockAPNsQuery
internal import MockAPNsWorld

/// A namespace as its pushes are shown: with or without a server.
struct ShownNamespace: Sendable {
    let name: String
    let context: PushContext
    let checkTexts: [CheckTexts]
    /// The documents of imported pushes: the journal has only the parts that can be searched.
    let imports = ImportedDocuments()

    init(_ context: PushContext, name: String) {
        (self.context, self.name) = (context, name)
        checkTexts = [CheckTexts](context.world.ruleset.pipeline)
    }

    var world: World { context.world }

    var journal: Journal { world.journal }
}

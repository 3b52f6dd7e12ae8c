internal import MockAPNs
internal import MockAPNsQuery
internal import MockAPNsWorld

/// A namespace as its pushes are shown: with or without a server.
struct ShownNamespace: Sendable {
    let name: String
    let context: PushContext
    let checkTexts: [CheckTexts]
    /// The documents of imported pushes: the journal has only the parts that can be searched.
    let imports: ImportedDocuments

    var world: World { context.world }

    var journal: Journal { world.journal }
}

extension ShownNamespace {
    /// A namespace of a server.
    init(_ subject: InspectedServer) {
        self.init(
            name: subject.namespace.name,
            context: subject.context,
            checkTexts: subject.checkTexts,
            imports: subject.imports
        )
    }
}

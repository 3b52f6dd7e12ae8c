package import MockAPNs
package import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// A namespace as its pushes are shown: with or without a server.
package struct ShownNamespace: Sendable {
    package let name: String
    package let context: PushContext
    /// The addresses that its pushes can be sent to again; empty without a server.
    let listeners: [BoundListener]
    /// The checks of each service, in the order they run.
    let checks: [[Check]]
    /// The documents of imported pushes: the journal has only the parts that can be searched.
    let imports = ImportedDocuments()

    package init(_ context: PushContext, name: String, listeners: [BoundListener] = []) {
        (self.context, self.name, self.listeners) = (context, name, listeners)
        checks = Service.allCases.map(context.world.ruleset.pipeline.checks)
    }

    package var world: World { context.world }

    package var journal: Journal { world.journal }

    package func pushID(_ seq: UInt64) -> String { PushID(epoch: journal.extent.epoch, seq: seq).text }

    /// The URL of a push, at a listener of the environment in which it arrived if possible.
    func pushURL(of facts: PushFacts) -> String {
        let environment = facts.record.environment
        let listener = listeners.first { $0.address.environment == environment } ?? listeners.first
        return (listener?.url ?? "https://127.0.0.1:2197") + facts.path
    }
}

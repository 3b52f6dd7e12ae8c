package import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsWorld

extension Scan {
    /// Takes the parts of all accepted pushes in memory into account that a schema describes.
    package func inference(
        of name: AppKey<AppSchemaName>, _ journal: Journal, in context: PushContext
    ) async throws(SearchFailure) -> JSONSchemaInference {
        var inference = JSONSchemaInference()
        try await visit(journal, PushQuery()) { request, outline, _ in
            let push = Candidate(request, outline, in: context, budget)
            if let part = push.part(describedBy: name.key, of: name.app) { inference.note(part) }
        }
        return inference
    }
}

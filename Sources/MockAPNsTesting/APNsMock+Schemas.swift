internal import MockAPNsFormats

extension APNsMock {
    /// Gives an app a JSON Schema for the condition `.fits`; a push that does not fit it has the warning `app-schema`.
    ///
    /// The name is `payload`, `content-state:RideAttributes` or `attributes:RideAttributes`. docs/api.md lists the keywords.
    public func putSchema(_ schema: JSON, named name: String = "payload", of app: String) async throws {
        try await api.call("PUT", "apps/\(app)/schemas/\(name)", schema.value)
    }
}

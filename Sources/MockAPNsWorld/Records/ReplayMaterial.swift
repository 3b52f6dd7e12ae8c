package import MockAPNsRules

/// What archives name and this target cannot make: it knows neither the syntax of searches nor cryptography.
package struct ReplayMaterial: Sendable {
    /// Makes the condition of a fault from its text; `nil` for a text that is none.
    package var match: @Sendable (String) -> PushCondition?
    /// Makes the verifier of a key from its PEM text; `nil` for a text that is none.
    package var verifier: @Sendable (String) -> (any SignatureVerifier)?
    /// The pushes that the log has kept with a change.
    var pushes: [LoggedPush] = []

    package init(
        match: @escaping @Sendable (String) -> PushCondition?,
        verifier: @escaping @Sendable (String) -> (any SignatureVerifier)?
    ) {
        self.match = match
        self.verifier = verifier
    }
}

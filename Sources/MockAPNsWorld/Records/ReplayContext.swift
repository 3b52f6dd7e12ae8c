internal import MockAPNsFormats
package import MockAPNsRules

/// What archives name and this target cannot make: it knows neither the syntax of searches nor cryptography.
package struct ReplayContext: Sendable {
    /// Makes the condition of a fault from its text; `nil` for a text that is none.
    package var match: @Sendable (String) -> PushCondition?
    /// Makes the verifier of a key from its PEM text; `nil` for a text that is none.
    package var verifier: @Sendable (String) -> (any SignatureVerifier)?
    /// The pushes that the log has kept with a change.
    var pushes: [KeptPush] = []

    package init(
        match: @escaping @Sendable (String) -> PushCondition?,
        verifier: @escaping @Sendable (String) -> (any SignatureVerifier)?
    ) {
        self.match = match
        self.verifier = verifier
    }
}

extension ReplayContext {
    /// Returns the records that the pushes had in their batch.
    var records: [UInt8] {
        var records: [UInt8] = []
        for push in pushes { push.words.withUnsafeBytes { records += $0 } }
        return records
    }
}

extension ArchiveReader {
    /// What the archive is read with; without it, what it names cannot be made.
    var replay: ReplayContext {
        get throws(ArchiveError) {
            guard let context = context as? ReplayContext else { throw .badValue }
            return context
        }
    }
}

internal import MockAPNsWorld

/// The texts of header fields that pushes of each namespace share, as one writer knows them.
///
/// Writers never use each other's texts, so their numbers must differ. Those of a turn begin with the end of the log,
/// at which there is no other turn.
struct HeaderTexts {
    /// The difference of the numbers of the pushes that may have the same text.
    ///
    /// So a text can be deleted when all pushes up to this distance from its first one are gone.
    static let span: UInt64 = 100_000
    /// The binary digits of a text's number within those that begin with the same end of the log.
    private static let digits: Int64 = 20

    /// The first number in a namespace without turns.
    private static let firstOfCopy = Int64.min / 2

    private let isCopy: Bool
    /// The texts of each namespace, with the end of the log before the last turn that used them.
    private var namespaces: [Int64: (end: UInt64, texts: SharedHeaders)] = [:]

    /// Creates the texts of a writer that has turns, or of one that fills new namespaces before there are turns.
    init(isCopy: Bool = false) { self.isCopy = isCopy }

    /// Removes the texts of a namespace, and returns them or new ones; `end` is the end of the log before the turn.
    mutating func take(of namespace: Int64, at end: UInt64) -> SharedHeaders {
        let known = namespaces.removeValue(forKey: namespace)
        if var texts = known?.texts {
            guard texts.isSpent() else { return texts }
            // The first number of this turn is taken.
            if known?.end == end {
                texts.retire()
                return texts
            }
        }
        let first = isCopy ? Self.firstOfCopy : Int64(clamping: end) << Self.digits
        return SharedHeaders(next: first, span: Self.span)
    }

    /// Keeps the texts of a namespace for its next pushes.
    mutating func keep(_ texts: SharedHeaders, of namespace: Int64, at end: UInt64) {
        namespaces[namespace] = (end, texts)
    }
}

/// A plural category of CLDR, which is what localized texts have forms for.
package enum PluralCategory: String, CaseIterable, Sendable {
    case zero
    case one
    case two
    case few
    case many
    case other
}

extension PluralCategory: Comparable, Archived {
    /// Orders as CLDR lists them.
    package static func < (left: Self, right: Self) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

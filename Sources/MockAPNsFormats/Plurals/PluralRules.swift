/// The plural rules of languages: which category a number has.
package enum PluralRules {
    /// Returns the category of a number in a language, such as `pt`, or in a region of it that has its own rules (`pt-PT`).
    ///
    /// A language without rules has `other` only, as in CLDR's root.
    package static func category(of number: PluralOperands, language: String, region: String? = nil) -> PluralCategory {
        guard let row = row(language: language, region: region) else { return .other }
        return row.rules.first { PluralCondition.holds($0.condition, for: number) }?.category ?? .other
    }

    /// Returns the categories of a language, in CLDR's order.
    package static func categories(language: String, region: String? = nil) -> [PluralCategory] {
        (row(language: language, region: region)?.rules.map(\.category) ?? []) + [.other]
    }

    private static func row(language: String, region: String?) -> PluralRow? {
        // A handful of ancient names that Apple's tags may still have.
        let language = ["no": "nb", "iw": "he", "in": "id", "ji": "yi"][language] ?? language
        return region.flatMap { byLanguage["\(language)-\($0)"] } ?? byLanguage[language]
    }

    private static let byLanguage = Dictionary(
        rows.flatMap { row in row.languages.split(separator: " ").map { (String($0), row) } }, uniquingKeysWith: { $1 })
}

/// Languages with the same rules.
struct PluralRow: Sendable {
    /// Their names, separated by spaces.
    let languages: String
    let rules: [(category: PluralCategory, condition: String)]

    init(_ languages: String, _ rules: (PluralCategory, String)...) {
        self.languages = languages
        self.rules = rules.map { (category: $0.0, condition: $0.1) }
    }
}

/// A condition of a plural rule: `n % 10 = 2..4 and n % 100 != 12..14 or v != 0`.
enum PluralCondition {
    static func holds(_ condition: String, for number: PluralOperands) -> Bool {
        condition.split(separator: " or ").contains { alternative in
            alternative.split(separator: " and ").allSatisfy { relation($0, holdsFor: number) }
        }
    }

    private static func relation(_ text: Substring, holdsFor number: PluralOperands) -> Bool {
        let words = text.split(separator: " ")
        let isModulo = words.count == 5
        guard words.count == 3 || isModulo, let letter = words[0].first, let list = words.last else {
            preconditionFailure("a relation that cannot be read: \(text)")
        }
        let isEqual = words[words.count - 2] == "="
        // A number with a fraction is no whole number, and so is its rest.
        guard var value = number.value(of: letter) else { return !isEqual }
        if isModulo, let divisor = UInt64(words[2]) { value %= divisor }
        return isEqual
            == list.split(separator: ",").contains { range in
                let bounds = range.split(separator: ".").compactMap { UInt64($0) }
                return bounds.first.map { $0 <= value } == true && bounds.last.map { value <= $0 } == true
            }
    }
}

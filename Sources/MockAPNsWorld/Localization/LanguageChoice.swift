/// The choice of an app's language by the languages that a user prefers.
///
/// Documented: the first preferred language that the app has is used, a region falls back to its language, and without a
/// match the app's development language is used
/// (https://developer.apple.com/documentation/foundation/bundle/preferredlocalizations(from:) and
/// https://developer.apple.com/library/archive/technotes/tn2418/). The parents of regions and the scripts of regions are
/// those of CLDR 47 (`parentLocales`, `likelySubtags`). That a region may get another region of its language, and what is
/// used after the development language, is inferred.
struct LanguageChoice {
    /// Regions whose texts are nearer to those of another region than to the language alone.
    private static let parents: [(language: String, parent: String, regions: String)] = [
        ("es", "419", "AR BO BR BZ CL CO CR CU DO EC GT HN JP MX NI PA PE PR PY SV US UY VE"),
        ("pt", "PT", "AO CH CV FR GQ GW LU MO MZ ST TL"), ("zh", "HK", "MO"),
    ]
    /// The regions whose English is that of the United States; the others' is nearer to `en-GB`, as Apple's names show.
    private static let american = "AS BI CA GU JP MH MP PH PR UM US VI"
    /// The script of a language, and of the regions that use another one.
    private static let scripts: [(language: String, script: String, others: [(script: String, regions: String)])] = [
        ("zh", "Hans", [("Hant", "AU BN GB GF HK ID MO PA PF PH SR TH TW US VN")]), ("yue", "Hant", [("Hans", "CN")]),
        ("sr", "Cyrl", [("Latn", "ME RO TR")]), ("pa", "Guru", [("Arab", "PK")]),
        ("uz", "Latn", [("Arab", "AF"), ("Cyrl", "CN")]), ("az", "Latn", [("Arab", "IQ IR"), ("Cyrl", "RU")]),
        ("bs", "Latn", []), ("kk", "Cyrl", [("Arab", "AF CN IR MN")]), ("mn", "Cyrl", [("Mong", "CN")]),
        ("sd", "Arab", [("Deva", "IN")]),
    ]
    /// Names that mean the same language.
    private static let synonyms = ["no": "nb", "iw": "he", "in": "id", "tl": "fil"]

    /// What a tag means, with the script that is implied.
    private struct Meaning: Equatable {
        let language: String
        let script: String?
        var region: String?

        init(_ tag: LanguageTag) {
            language = synonyms[tag.language] ?? tag.language
            region = tag.region
            let row = scripts.first { [language] in $0.language == language }
            let implied = row.map { row in
                row.others.first { other in tag.region.map { other.regions.contains($0) } ?? false }?.script
                    ?? row.script
            }
            script = tag.script ?? implied
        }

        /// The regions that are looked for, nearest first; `nil` is the language without a region.
        var regions: [String?] {
            guard let region else { return [nil] }
            let parent = parents.first { [language] in $0.language == language && $0.regions.contains(region) }?.parent
            let isBritish = language == "en" && !american.contains(region)
            return [region] + (parent.map { [$0] } ?? []) + (isBritish ? ["001", "GB"] : []) + [nil]
        }
    }

    /// The languages that an app has.
    private let languages: [LanguageTag]

    init(among languages: [LanguageTag]) { self.languages = languages }

    /// Returns the language that is used; `nil` if there is none.
    ///
    /// In this order: each preferred language, the development language, English, `Base`, the first one.
    func language(preferring preferred: [LanguageTag], development: LanguageTag?) -> LanguageTag? {
        let others = [development, LanguageTag("en"), LanguageTag("base")].compactMap(\.self)
        return (preferred + others).lazy.compactMap(nearest).first ?? languages.first
    }

    private func nearest(to wanted: LanguageTag) -> LanguageTag? {
        if languages.contains(wanted) { return wanted }
        let meaning = Meaning(wanted)
        let known = languages.map { (tag: $0, meaning: Meaning($0)) }.filter {
            $0.meaning.language == meaning.language && $0.meaning.script == meaning.script
        }
        let near = meaning.regions.lazy.compactMap { region in known.first { $0.meaning.region == region } }
        return (near.first ?? known.first)?.tag
    }
}

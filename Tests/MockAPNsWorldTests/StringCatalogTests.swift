import MockAPNsFormats
import Testing

@testable import MockAPNsWorld

@Suite struct StringCatalogTests {
    static let text = #"""
        {"sourceLanguage": "en", "version": "1.0", "strings": {
          "Hello": {"comment": "x", "shouldTranslate": false, "extractionState": "manual"},
          "A": {"localizations": {
            "en": {"stringUnit": {"state": "translated", "value": "%#@n@ left"},
              "substitutions": {"n": {"argNum": 2, "formatSpecifier": "lld", "variations": {"plural": {
                "one": {"stringUnit": {"state": "new", "value": "%arg item"}},
                "other": {"stringUnit": {"value": "%arg items"}}}}}}},
            "de": {"variations": {"device": {
              "iphone": {"variations": {"plural": {"other": {"stringUnit": {"value": "i %lld"}}}}},
              "other": {"stringUnit": {"value": "o %lld"}}}}},
            "fr": {}
          }}}}
        """#

    @Test func `a catalog is read, and the same after it was written`() throws {
        let catalog = try StringCatalog(#require(JSONParser.value(of: Array(Self.text.utf8))))
        let (en, de) = (try #require(LanguageTag("en")), try #require(LanguageTag("de")))
        #expect(catalog.languages.keys.sorted() == [de, en])
        #expect(catalog.languages[en]?["Hello"] == "Hello")
        #expect(catalog.languages[en]?.isDevelopmentLanguage == true)
        #expect(catalog.languages[en]?["A"]?.substitutions["n"]?.argument == 2)
        #expect(catalog.languages[de]?["A"]?.text == "o %lld")
        #expect(catalog.languages[de]?["A"]?.isPlain == false)
        #expect(try StringCatalog(catalog.json) == catalog)
        for texts in catalog.languages.values { #expect(try LocalizedTexts(archive: texts.archive) == texts) }
    }

    /// The path of a member, and what it may not be.
    static let members: [(path: [String], wrong: [JSONValue])] = {
        let other: [JSONValue] = [.null, true, 1, ["x"]]
        return [
            ([], [.null, 1, "x", []]), (["version"], other + [[:]]), (["sourceLanguage"], other + [[:], "", "e n"]),
            (["strings"], other + ["x"]), (["strings", "A"], other + ["x"]),
            (["strings", "A", "comment"], other + [[:]]), (["strings", "A", "extractionState"], other + [[:]]),
            (["strings", "A", "shouldTranslate"], [.null, 1, "x", [], [:]]),
            (["strings", "A", "localizations"], other + ["x"]),
            (["strings", "A", "localizations", "en"], other + ["x"]),
            (["strings", "A", "localizations", "e n"], [[:]]),
            (["strings", "A", "localizations", "en", "stringUnit"], other + ["x", [:]]),
            (["strings", "A", "localizations", "en", "stringUnit", "value"], other + [[:]]),
            (["strings", "A", "localizations", "en", "stringUnit", "state"], other + [[:]]),
            (["strings", "A", "localizations", "en", "variations"], other + ["x", [:]]),
            (["strings", "A", "localizations", "en", "variations", "size"], [[:]]),
            (["strings", "A", "localizations", "en", "variations", "plural"], other + ["x", [:]]),
            (["strings", "A", "localizations", "en", "variations", "plural", "ohter"], [[:]]),
            (["strings", "A", "localizations", "en", "variations", "device"], other + ["x", [:]]),
            (["strings", "A", "localizations", "en", "variations", "device", "iphone"], other + ["x", [:]]),
            (["strings", "A", "localizations", "en", "substitutions"], other + ["x"]),
            (["strings", "A", "localizations", "en", "substitutions", "n"], other + ["x", [:]]),
        ]
    }()

    @Test(arguments: members) func `a member of a wrong type is refused`(path: [String], wrong: [JSONValue]) {
        for value in wrong {
            let json = Self.json(path, value, from: ["strings": [:]])
            let flaws = #expect(throws: TextFlaws.self) { try StringCatalog(json) }
            #expect(flaws?.complaints.isEmpty == false, "\(path) \(value)")
        }
    }

    /// The value with another one at a path, where a text is added that its neighbors need.
    private static func json(_ path: [String], _ value: JSONValue, from root: JSONValue) -> JSONValue {
        guard let name = path.first else { return value }
        var members = Dictionary(uniqueKeysWithValues: root.sortedMembers.map { ($0.key, $0.value) })
        if name == "substitutions" || path.count == 2 && name == "stringUnit" { members["stringUnit"] = ["value": "x"] }
        members[name] = json(Array(path.dropFirst()), value, from: members[name] ?? [:])
        return .object(members)
    }

    @Test func `variations within variations have a limit`() {
        var text: JSONValue = ["stringUnit": ["value": "x"]]
        for _ in 0..<10 { text = ["variations": ["plural": ["other": text]]] }
        #expect(throws: TextFlaws.self) { try LocalizedText.read(text) }
    }
}

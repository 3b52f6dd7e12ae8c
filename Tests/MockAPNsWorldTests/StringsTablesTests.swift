import Testing

@testable import MockAPNsWorld

@Suite struct StringsTablesTests {
    private func name(_ app: String, _ language: String) throws -> AppKey<LanguageTag> {
        AppKey(app: app, key: try #require(LanguageTag(language)))
    }

    // MARK: Languages

    static let languages: [(given: String, written: String?)] = [
        ("en", "en"), ("EN", "en"), ("pt-br", "pt-BR"), ("pt_BR", "pt-BR"), ("zh-hans-cn", "zh-Hans-CN"),
        ("es-419", "es-419"), ("Base", "base"), ("de-1996", "de-1996"), ("", nil), ("e", nil), ("e1", nil),
        ("en-", nil), ("-en", nil), ("en--US", nil), ("en US", nil), ("../en", nil), ("123", nil), ("abcdefghi", nil),
        ("en-abcdefghi", nil), ("ü", nil), (String(repeating: "en-", count: 20) + "en", nil),
    ]

    @Test(arguments: languages) func `a language is read and written`(given: String, written: String?) {
        #expect(LanguageTag(given)?.description == written)
    }

    static let choices: [(has: [String], wants: String?, gets: String?)] = [
        ([], "en", nil), (["de"], "de", "de"), (["de"], "de-AT", "de"), (["de-CH"], "de-AT", "de-CH"),
        (["pt", "pt-BR"], "pt-BR", "pt-BR"), (["pt", "pt-BR"], "pt-PT", "pt"), (["pt-BR"], "pt", "pt-BR"),
        (["zh-Hans", "zh-Hant"], "zh-Hant-TW", "zh-Hant"), (["de", "en"], "fr", "en"), (["de", "en"], nil, "en"),
        (["de", "en-GB"], nil, "en-GB"), (["base", "de"], "fr", "base"), (["fr", "de"], nil, "de"),
        (["fr", "de"], "it", "de"), (["en", "de"], "DE", "de"),
        // Several preferred languages, scripts and parents of regions.
        (["de", "fr"], "it,fr,de", "fr"), (["zh-Hans", "zh-Hant"], "zh-TW", "zh-Hant"),
        (["zh-Hans", "zh-Hant"], "zh-CN", "zh-Hans"), (["en", "zh-Hans"], "zh-HK", "en"),
        (["zh-Hant", "zh-HK"], "zh-MO", "zh-HK"), (["es", "es-419"], "es-MX", "es-419"),
        (["es", "es-419"], "es-ES", "es"), (["en", "en-GB"], "en-AU", "en-GB"), (["en", "en-GB"], "en-US", "en"),
        (["pt-BR", "pt-PT"], "pt-AO", "pt-PT"), (["de", "nb"], "no", "nb"), (["sr", "sr-Latn"], "sr-ME", "sr-Latn"),
        (["sr"], "sr-Latn", "sr"),
    ]

    @Test(arguments: choices) func `a device takes the table that is nearest to its language`(
        has: [String], wants: String?, gets: String?
    ) throws {
        let tables = try World(ruleset: Ruleset()).strings
        for language in has { #expect(try tables.put(LocalizedTexts(plain: ["K": language]), as: name("a", language))) }
        #expect(try tables.put(["K": "other"], as: name("b", "en")))
        let table = tables.tables(
            of: "a", preferring: (wants ?? "").split(separator: ",").compactMap { LanguageTag(String($0)) }
        ).first
        #expect(table?.language.description == gets)
        #expect(table?.texts["K"]?.text == gets)
    }

    @Test func `the development language is used if none is preferred`() throws {
        let tables = try World(ruleset: Ruleset()).strings
        let catalog = StringCatalog(
            sourceLanguage: LanguageTag("de"),
            languages: [try #require(LanguageTag("de")): ["K": "de"], try #require(LanguageTag("en")): ["K": "en"]])
        #expect(try tables.put(["old": "x"], as: name("a", "fr")))
        #expect(try tables.put(["other": "x"], as: name("b", "fr")))
        try tables.replaceAll(of: "a", with: catalog.languages)
        #expect(tables.all.map(\.name.key.description) == ["de", "en", "fr"])
        func languages(_ wanted: String) throws -> [String] {
            tables.tables(of: "a", preferring: [try #require(LanguageTag(wanted))]).map(\.language.description)
        }
        #expect(try languages("ja") == ["de"])
        #expect(try languages("en") == ["en", "de"])
        #expect(tables.tables(of: "c", preferring: []).isEmpty)
        // None is replaced if one cannot be kept.
        let many = LocalizedTexts(
            plain: Dictionary(uniqueKeysWithValues: (0...StringsTable.mostTexts).map { ("\($0)", "") }))
        #expect(throws: TableRefusal.self) { try tables.replaceAll(of: "a", with: [#require(LanguageTag("it")): many]) }
        #expect(tables.all.count == 3)
    }

    // MARK: Keeping

    @Test func `a table is put, replaced and removed whole`() throws {
        let tables = try World(ruleset: Ruleset()).strings
        let name = try name("com.example.app", "en")
        #expect(tables[name] == nil)
        #expect(try tables.put(["A": "1", "B": "2"], as: name))
        #expect(try !tables.put(["C": "3"], as: name))
        #expect(tables[name] == ["C": "3"])
        #expect(tables.all.map(\.value.count) == [1])
        #expect(tables.remove(name))
        #expect(!tables.remove(name))
        #expect(tables.all.isEmpty)
    }

    @Test func `keeps at most 500 tables`() throws {
        let tables = try World(ruleset: Ruleset()).strings
        for number in 0..<StringsTable.most { #expect(try tables.put(["A": "1"], as: name("app\(number)", "en"))) }
        let full = TableRefusal(.tooMany, "There are already 500 tables, the maximum; delete one first.")
        #expect(throws: full) { try tables.put([:], as: name("more", "en")) }
        // One that is there already is no other table.
        #expect(try !tables.put(["A": "2"], as: name("app0", "en")))
        #expect(tables.remove(try name("app1", "en")))
        #expect(try tables.put([:], as: name("more", "en")))
    }

    @Test func `refuses more than 10,000 texts in a table or 16 MiB in all`() throws {
        let tables = try World(ruleset: Ruleset()).strings
        let many = Dictionary(uniqueKeysWithValues: (0...StringsTable.mostTexts).map { ("\($0)", "") })
        let long = TableRefusal(.tooLarge, "The table has 10001 texts; the maximum is 10000.")
        #expect(throws: long) { try tables.put(LocalizedTexts(plain: many), as: name("a", "en")) }
        let half = String(repeating: "x", count: StringsTable.mostBytes / 2 - 1 - 64)
        #expect(try tables.put(LocalizedTexts(plain: ["1": half]), as: name("a", "en")))
        #expect(try tables.put(LocalizedTexts(plain: ["2": half]), as: name("a", "de")))
        let sum = StringsTable.mostBytes + 1 + 64
        let large = TableRefusal(
            .tooLarge, "With it, the tables would have \(sum) bytes; the maximum is \(StringsTable.mostBytes).")
        #expect(throws: large) { try tables.put(["3": ""], as: name("a", "fr")) }
        // What takes the place of another is counted without that, and what was refused has changed nothing.
        #expect(try !tables.put([:], as: name("a", "de")))
        #expect(try tables.put(LocalizedTexts(plain: ["3": half]), as: name("a", "fr")))
        #expect(tables.remove(try name("a", "en")))
        #expect(try tables.put(LocalizedTexts(plain: ["4": half]), as: name("a", "es")))
        #expect(throws: TableRefusal.self) { try tables.put(["5": "xx"], as: name("a", "it")) }
    }

    @Test func `a reset removes tables, alone or with everything`() throws {
        let judging = try JudgingWorld()
        let world = judging.world
        #expect(try world.strings.put(["A": "1"], as: name("a", "en")))
        #expect(world.reset([.pushes, .devices, .feedback, .clock, .faults, .keys, .settings]).cleared[.strings] == 0)
        #expect(world.strings.all.count == 1)
        #expect(world.reset([.strings]).cleared[.strings] == 1)
        #expect(world.strings.all.isEmpty)
        #expect(try world.strings.put(["A": "1"], as: name("a", "en")))
        #expect(world.reset().cleared[.strings] == 1)
        #expect(world.reset().cleared[.strings] == 0)
    }
}

import MockAPNsFormats
import MockAPNsWorld
import Testing

@testable import MockAPNsPreview

@Suite struct FormatTextTests {
    static let texts: [(format: String, arguments: [String], text: String, remarks: Int)] = [
        ("", [], "", 0), ("plain", ["a"], "plain", 0), ("%@", ["a"], "a", 0), ("%@ %@", ["a", "b"], "a b", 0),
        ("%2$@ %1$@", ["a", "b"], "b a", 0), ("%1$@ %1$@", ["a"], "a a", 0), ("%2$@ %@ %@", ["a", "b"], "b a b", 0),
        ("100%%", [], "100%", 0), ("%%@", ["a"], "%@", 0), ("%@", [], "(null)", 1), ("%3$@", ["a"], "(null)", 1),
        ("%0$@", ["a"], "(null)", 1), ("%@%@%@", ["a"], "a(null)(null)", 2), ("%d", ["3"], "3", 1),
        ("%ld of %lu", ["1", "2"], "1 of 2", 2), ("%s", ["a"], "a", 1), ("%.2f", ["1.5"], "1.5", 1),
        ("%1$d%2$@", ["1", "b"], "1b", 1), ("%-10.3@|", ["a"], "a|", 0), ("%", ["a"], "%", 1),
        ("50% off", ["a"], "50a" + "ff", 1), ("%y", [], "%y", 1), ("%1$", ["a"], "%1$", 1),
        ("%99999999999999999999$@", ["a"], "%99999999999999999999$@", 1), ("%@", ["%@"], "%@", 0),
        ("é%@😀", ["ü"], "éü😀", 0),
    ]

    @Test(arguments: texts) func `placeholders are filled`(
        format: String, arguments: [String], text: String, remarks: Int
    ) {
        let filled = FormatText(LocalizedText(format), arguments)
        #expect(filled.text == text)
        #expect(filled.remarks.count == remarks, "\(filled.remarks)")
    }

    @Test func `a text that arguments make too long is cut`() {
        let argument = String(repeating: "x", count: 4_000)
        let filled = FormatText(LocalizedText(String(repeating: "%1$@", count: 100_000)), [argument])
        #expect(filled.text.utf8.count < 30_000)
        #expect(filled.remarks == ["the text is too long to be shown whole"])
    }

    // MARK: Forms

    private static func plural(_ forms: [PluralCategory: String]) -> TextForm { .plural(forms.mapValues { .text($0) }) }

    private static let files = LocalizedText(
        .text("%#@n@ in %#@m@"),
        substitutions: [
            "n": TextSubstitution(form: plural([.one: "%d file", .other: "%d files"])),
            "m": TextSubstitution(form: plural([.one: "a folder", .other: "%arg folders"])),
        ])
    private static let items = LocalizedText(
        plural([.zero: "none", .one: "%@ one", .few: "%@ few", .many: "%@ many", .other: "%@ other"]))
    private static let devices = LocalizedText(
        .device([.ipad: plural([.one: "pad", .other: "pads"]), .iphone: .text("phone"), .other: .text("any")]))
    private static let second = LocalizedText(plural([.one: "%1$@: one", .other: "%1$@: %2$d"]))

    static let forms: [(LocalizedText, language: String, family: DeviceFamily, arguments: [String], text: String)] = [
        (files, "en", .iphone, ["1", "1"], "1 file in a folder"),
        (files, "en", .iphone, ["2", "3"], "2 files in 3 folders"),
        (files, "en", .iphone, ["1"], "1 file in (null) folders"), (items, "en", .iphone, ["1"], "1 one"),
        (items, "en", .iphone, ["0"], "none"), (items, "ru", .iphone, ["3"], "3 few"),
        (items, "ru", .iphone, ["11"], "11 many"), (items, "ru", .iphone, ["21"], "21 one"),
        (items, "ja", .iphone, ["1"], "1 other"), (items, "fr", .iphone, ["1.5"], "1.5 one"),
        (items, "en", .iphone, ["x"], "x other"), (items, "pt-PT", .iphone, ["2"], "2 other"),
        (devices, "en", .iphone, ["1"], "phone"), (devices, "en", .ipad, ["1"], "pad"),
        (devices, "en", .ipad, ["2"], "pads"), (devices, "en", .mac, [], "any"), (devices, "en", .ipod, [], "phone"),
        (second, "en", .iphone, ["7", "1"], "7: one"), (second, "en", .iphone, ["1", "7"], "1: 7"),
        (LocalizedText(.text("%#@x@ %2$#@x@")), "en", .iphone, [], "%#@x@ %2$#@x@"),
    ]

    @Test(arguments: forms) func `the form is that of the language, the number and the device`(
        source: LocalizedText, language: String, family: DeviceFamily, arguments: [String], text: String
    ) throws {
        let tag = try #require(LanguageTag(language))
        let setting = PreviewSetting(languages: [tag], family: family).using(
            (language: tag, texts: LocalizedTexts([:] as [String: LocalizedText])))
        #expect(FormatText(source, arguments, setting: setting).text == text)
    }

    @Test func `variables that name each other end`() {
        let both = TextSubstitution(form: .text("x%#@a@%#@a@%#@a@%#@a@"))
        let filled = FormatText(LocalizedText(.text("%#@a@"), substitutions: ["a": both]), ["1"])
        #expect(filled.text.utf8.count < 200)
        #expect(filled.remarks == ["its variables name each other too often"])
    }
}

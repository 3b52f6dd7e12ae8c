import MockAPNsFormats
import Testing

@testable import MockAPNsWorld

@Suite struct StringsFileTests {
    static let files: [(text: String, texts: [String: String])] = [
        ("", [:]), (" \n/* nothing */ // at all", [:]), (#""A" = "1";"#, ["A": "1"]),
        (#"/* a */ "A"="1"; // b"# + "\n" + #""B" = "2" ; /* "C" = "3"; */"#, ["A": "1", "B": "2"]),
        (#"A = "1"; B.C-D_1 = plain;"#, ["A": "1", "B.C-D_1": "plain"]), (#""A";"#, ["A": "A"]),
        (#""A" = "a \"b\" \\ \n\t\r";"#, ["A": "a \"b\" \\ \n\t\r"]), ("\"A\" = \"two\nlines\";", ["A": "two\nlines"]),
        (#""A" = "\U00e9 \u20ac";"#, ["A": "é €"]), (#""A" = "\UD83D\UDE00";"#, ["A": "😀"]),
        (#""A" = "\UD83D";"#, ["A": "\u{fffd}"]), (#""A" = "\101\40B\0";"#, ["A": "A B\0"]),
        (#""A" = "\q\/";"#, ["A": "q/"]),
        (#""A" = "// no comment /* either */";"#, ["A": "// no comment /* either */"]),
        (#""ü" = "%@ ist da";"#, ["ü": "%@ ist da"]), (#""%d 100%" = "%%";"#, ["%d 100%": "%%"]),
        ("\u{feff}\"A\" = \"1\";", ["A": "1"]), (#""" = "";"#, ["": ""]), ("{}", [:]), ("{ A = B; }", ["A": "B"]),
    ]

    @Test(arguments: files) func `every form of entry is read`(text: String, texts: [String: String]) throws {
        #expect(try StringsFile.read(Array(text.utf8)) == texts.mapValues { LocalizedText($0) })
    }

    @Test func `UTF-16 is read by its byte order mark`() throws {
        let units = Array("\u{feff}\"A\" = \"é 😀\";".utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [little, big] {
            #expect(try StringsFile.read(bytes) == ["A": LocalizedText("é 😀")])
            #expect(throws: StringsFile.Failure.self) { try StringsFile.read(bytes.dropLast()) }
        }
    }

    static let mistakes: [(text: String, line: Int, word: String)] = [
        (#""A" = "1""#, 1, "';'"), ("\n\n\"A\" \"1\";", 3, "';'"), ("\"A\" = ;", 1, "a text in quotes"),
        ("= \"1\";", 1, "a key in quotes"), ("\n\"A", 2, "'\"'"), ("\"A\" = \"1;\n\n", 1, "'\"'"),
        ("\n/* no end", 2, "'*/'"), (#""A" = "\U12";"#, 1, "four hexadecimal"), (#""A" = "\"#, 1, "after"),
        ("\"A\" = \"1\";\n\"A\" = \"2\";", 2, "comes twice"), ("{", 1, "a key"), ("{} x", 1, "nothing"),
        ("\"A\" = \"1\";;", 1, "a key"),
    ]

    @Test(arguments: mistakes) func `a mistake is reported with its line`(text: String, line: Int, word: String) {
        let failure = #expect(throws: StringsFile.Failure.self) { try StringsFile.read(Array(text.utf8)) }
        let expected = "line \(line), expected "
        #expect(failure?.text.contains(expected) == true, "\(failure?.text ?? "")")
        #expect(failure?.text.contains(word) == true, "\(failure?.text ?? "")")
    }

    @Test func `bytes that are no text are refused`() {
        #expect(throws: StringsFile.Failure.self) { try StringsFile.read([0x22, 0xc3, 0x28, 0x22]) }
    }

    // MARK: Property lists, written by Python's plistlib

    static let binary = """
        YnBsaXN0MDDVAQIDBAUGBxcfJlFBUUJRQ1FEYQDcU29uZdMICQoLDBRfEBpOU1N0cmluZ0xvY2FsaXplZEZvcm1hdEtleVFtUW5e\
        JSNAbkAgaW4gJSNAbUDUDQ4GDxAREhNfEBlOU1N0cmluZ0Zvcm1hdFNwZWNUeXBlS2V5XxAaTlNTdHJpbmdGb3JtYXRWYWx1ZVR5\
        cGVLZXlVb3RoZXJfEBZOU1N0cmluZ1BsdXJhbFJ1bGVUeXBlUWRZJWQgZm9sZGVyWiVkIGZvbGRlcnPUDQ4GDxARFRZXJWQgZmls\
        ZVglZCBmaWxlc9EYGV8QHk5TU3RyaW5nRGV2aWNlU3BlY2lmaWNSdWxlVHlwZdMaGw8cHR5WaXBob25lU21hY1N0YXBVY2xpY2tV\
        cHJlc3PRICFfEB1OU1N0cmluZ1ZhcmlhYmxlV2lkdGhSdWxlVHlwZdIiIyQlUTFSMjBVc2hvcnRWbG9uZ2VyZADpACDYPd4AAAgA\
        EwAVABcAGQAbAB4AIgApAEYASABKAFkAYgB+AJsAoQC6ALwAxgDRANoA4gDrAO4BDwEWAR0BIQElASsBMQE0AVQBWQFbAV4BZAFr\
        AAAAAAAAAgEAAAAAAAAAJwAAAAAAAAAAAAAAAAAAAXQ=
        """
    static let xml = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        	<key>A</key>
        	<string>one</string>
        	<key>B</key>
        	<dict>
        		<key>NSStringLocalizedFormatKey</key>
        		<string>%#@n@ in %#@m@</string>
        		<key>m</key>
        		<dict>
        			<key>NSStringFormatSpecTypeKey</key>
        			<string>NSStringPluralRuleType</string>
        			<key>NSStringFormatValueTypeKey</key>
        			<string>d</string>
        			<key>one</key>
        			<string>%d folder</string>
        			<key>other</key>
        			<string>%d folders</string>
        		</dict>
        		<key>n</key>
        		<dict>
        			<key>NSStringFormatSpecTypeKey</key>
        			<string>NSStringPluralRuleType</string>
        			<key>NSStringFormatValueTypeKey</key>
        			<string>d</string>
        			<key>one</key>
        			<string>%d file</string>
        			<key>other</key>
        			<string>%d files</string>
        		</dict>
        	</dict>
        	<key>C</key>
        	<dict>
        		<key>NSStringDeviceSpecificRuleType</key>
        		<dict>
        			<key>iphone</key>
        			<string>tap</string>
        			<key>mac</key>
        			<string>click</string>
        			<key>other</key>
        			<string>press</string>
        		</dict>
        	</dict>
        	<key>D</key>
        	<dict>
        		<key>NSStringVariableWidthRuleType</key>
        		<dict>
        			<key>1</key>
        			<string>short</string>
        			<key>20</key>
        			<string>longer</string>
        		</dict>
        	</dict>
        	<key>Ü</key>
        	<string>é 😀</string>
        </dict>
        </plist>
        """

    static func propertyLists() throws -> [[UInt8]] {
        [try #require(Array(binary.utf8).withUnsafeBufferPointer { Base64.decode($0) }), Array(xml.utf8)]
    }

    @Test func `compiled and XML property lists have texts and rules`() throws {
        func plural(_ one: String, _ other: String) -> TextSubstitution {
            TextSubstitution(specifier: "d", form: .plural([.one: .text(one), .other: .text(other)]))
        }
        let expected: [String: LocalizedText] = [
            "A": "one", "Ü": "é 😀",
            "B": LocalizedText(
                .text("%#@n@ in %#@m@"),
                substitutions: ["n": plural("%d file", "%d files"), "m": plural("%d folder", "%d folders")]),
            "C": LocalizedText(.device([.iphone: .text("tap"), .mac: .text("click"), .other: .text("press")])),
            "D": "longer",
        ]
        for file in try Self.propertyLists() { #expect(try StringsFile.read(file) == expected) }
    }

    @Test func `a damaged property list is an error, wherever it is cut or changed`() throws {
        for file in try Self.propertyLists() {
            for end in 0..<file.count - 1 where file[end...].contains(where: { $0 > 0x20 }) {
                let start = Array(file[..<end])
                if !start.isEmpty { #expect(throws: StringsFile.Failure.self) { try StringsFile.read(start) } }
            }
            for position in file.indices {
                var changed = file
                changed[position] ^= 0x55
                // Any result will do: it must not crash.
                _ = try? StringsFile.read(changed)
            }
        }
    }

    static let flawed: [(xml: String, word: String)] = [
        ("<dict><key>A</key><integer>1</integer></dict>", "'/A' is 1; expected a text or a dictionary"),
        ("<dict><key>A</key><date>x</date></dict>", "'/A' is a date"),
        ("<array/>", "is an array; expected a dictionary"),
        ("<dict><key>A</key><dict/></dict>", "has no text as NSStringLocalizedFormatKey"),
        (
            "<dict><key>A</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>"
                + "<key>ohter</key><string>x</string></dict></dict></dict>", "did you mean 'other'?"
        ),
        (
            "<dict><key>A</key><dict><key>NSStringLocalizedFormatKey</key><string>%#@n@</string><key>n</key><dict>"
                + "<key>one</key><string>x</string></dict></dict></dict>", "'/A/n' has no 'other'"
        ), ("<dict><key>A</key></dict>", "a value before </dict>"),
        ("<dict><string>A</string></dict>", "<key> or </dict>"),
        ("<dict><key>A</key><string>1</string><key>A</key><string>2</string></dict>", "comes twice"),
        ("<dict><key>A</key><string>&unknown;</string></dict>", "an entity"), ("<dict>", "<key> or </dict>"),
        (String(repeating: "<array>", count: 40), "at most 32 levels"),
    ]

    @Test(arguments: flawed) func `a flaw says where it is`(xml: String, word: String) {
        let file = Array("<?xml version=\"1.0\"?><plist version=\"1.0\">\(xml)</plist>".utf8)
        let failure = #expect(throws: StringsFile.Failure.self) { try StringsFile.read(file) }
        #expect(failure?.text.contains(word) == true, "\(failure?.text ?? "")")
    }

    @Test func `declarations of entities are refused`() {
        let file = "<?xml version=\"1.0\"?><!DOCTYPE plist [<!ENTITY a \"b\">]><plist><dict/></plist>"
        #expect(throws: StringsFile.Failure.self) { try StringsFile.read(Array(file.utf8)) }
    }
}

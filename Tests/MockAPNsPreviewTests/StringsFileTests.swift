import Testing

@testable import MockAPNsPreview

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
        ("\u{feff}\"A\" = \"1\";", ["A": "1"]), (#""" = "";"#, ["": ""]),
    ]

    @Test(arguments: files) func `every form of entry is read`(text: String, texts: [String: String]) throws {
        #expect(try StringsFile.read(Array(text.utf8)) == texts)
    }

    @Test func `UTF-16 is read by its byte order mark`() throws {
        let units = Array("\u{feff}\"A\" = \"é 😀\";".utf16)
        let little = units.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        let big = units.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] }
        for bytes in [little, big] {
            #expect(try StringsFile.read(bytes) == ["A": "é 😀"])
            #expect(throws: StringsFile.Failure.self) { try StringsFile.read(bytes.dropLast()) }
        }
    }

    static let mistakes: [(text: String, line: Int, word: String)] = [
        (#""A" = "1""#, 1, "';'"), ("\n\n\"A\" \"1\";", 3, "';'"), ("\"A\" = ;", 1, "a text in quotes"),
        ("= \"1\";", 1, "a key in quotes"), ("\n\"A", 2, "'\"'"), ("\"A\" = \"1;\n\n", 1, "'\"'"),
        ("\n/* no end", 2, "'*/'"), (#""A" = "\U12";"#, 1, "four hexadecimal"), (#""A" = "\"#, 1, "behind"),
        ("\"A\" = \"1\";\n\"A\" = \"2\";", 2, "comes twice"), ("{}", 1, "a key"), ("\"A\" = \"1\";;", 1, "a key"),
    ]

    @Test(arguments: mistakes) func `a mistake is reported with its line`(text: String, line: Int, word: String) {
        let failure = #expect(throws: StringsFile.Failure.self) { try StringsFile.read(Array(text.utf8)) }
        #expect(failure?.line == line)
        #expect(failure?.expected.contains(word) == true, "\(failure?.expected ?? "")")
    }

    @Test func `bytes that are no text are refused`() {
        #expect(throws: StringsFile.Failure.self) { try StringsFile.read([0x22, 0xc3, 0x28, 0x22]) }
    }
}

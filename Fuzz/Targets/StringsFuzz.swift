import MockAPNsFormats

@testable import MockAPNsWorld

/// `.strings` files, in UTF-8 and UTF-16.
enum StringsFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let texts: [String: String]
        do throws(StringsFile.Failure) { texts = try read(bytes) } catch {
            try require(!error.text.isEmpty, "an error that says nothing")
            return
        }
        try check(written(texts), gives: texts, "what was written")
        try check(written(texts) + " /* the end */ // of the file", gives: texts, "the same with a comment")
        // The same file in the other encodings, where its text is known.
        guard let text = String(validating: bytes, as: UTF8.self), text.unicodeScalars.first != "\u{feff}" else {
            return
        }
        let small: [UInt8] = text.utf16.flatMap { [UInt8($0 & 0xff), UInt8($0 >> 8)] }
        let big: [UInt8] = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
        for encoded in [[0xff, 0xfe] + small, [0xfe, 0xff] + big, [0xef, 0xbb, 0xbf] + bytes] {
            try require(same(try? read(encoded), texts), "another encoding gives other texts")
        }
    }

    /// The texts of a file, which may have rules instead of some.
    private static func read(_ bytes: [UInt8]) throws(StringsFile.Failure) -> [String: String] {
        try StringsFile.read(bytes).mapValues(\.text)
    }

    private static func check(_ file: String, gives texts: [String: String], _ what: String) throws {
        guard let found = try? read(Array(file.utf8)) else {
            throw Finding(description: "\(what) cannot be read: \(file)")
        }
        try require(same(found, texts), "\(what) gives other texts: \(file)")
    }

    /// Whether both have the same texts, scalar by scalar: `==` takes composed and decomposed characters for the same.
    private static func same(_ left: [String: String]?, _ right: [String: String]) -> Bool {
        guard let left, left.count == right.count else { return false }
        return left.allSatisfy { key, value in
            right[key].map { $0.unicodeScalars.elementsEqual(value.unicodeScalars) } ?? false
        }
    }

    /// A file with these texts.
    private static func written(_ texts: [String: String]) -> String {
        texts.map { "\(quoted($0.key)) = \(quoted($0.value));\n" }.joined()
    }

    private static func quoted(_ text: String) -> String {
        var quoted = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in text.unicodeScalars {
            if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
            quoted.append(scalar)
        }
        return String(quoted) + "\""
    }
}

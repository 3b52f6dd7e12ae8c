import MockAPNsFormats

@testable import MockAPNsPreview
@testable import MockAPNsWorld

/// Property lists in every form, and string catalogs.
enum LocalizedFuzz {
    static func propertyList(_ bytes: [UInt8]) throws {
        do throws(StringsFile.Failure) { _ = try StringsFile.read(bytes) } catch {
            try require(!error.text.isEmpty, "an error that says nothing")
        }
        let list: PropertyList
        do throws(PropertyList.Failure) { list = try PropertyList.read(bytes) } catch {
            let lines = 1 + bytes.count { $0 == UInt8(ascii: "\n") }
            switch error.place {
            case .line(let line): try require((1...lines).contains(line), "line \(line) of \(lines)")
            case .byte(let byte): try require((0...bytes.count).contains(byte), "byte \(byte) of \(bytes.count)")
            }
            return
        }
        try require(values(of: list) <= 2 * PropertyList.mostValues, "more values than the limit")
    }

    private static func values(of list: PropertyList) -> Int {
        switch list {
        case .array(let entries): entries.reduce(1) { $0 + values(of: $1) }
        case .dictionary(let members): members.values.reduce(1) { $0 + values(of: $1) }
        default: 1
        }
    }

    static func catalog(_ bytes: [UInt8]) throws {
        guard let json = JSONParser.value(of: bytes), let catalog = try? StringCatalog(json) else { return }
        try require((try? StringCatalog(catalog.json)) == catalog, "a catalog that changes when it is written")
        for (language, texts) in catalog.languages {
            try require((try? LocalizedTexts(archive: texts.archive)) == texts, "texts that change when they are kept")
            for family in DeviceFamily.allCases {
                let setting = PreviewSetting(languages: [language], family: family).using((language, texts))
                for text in texts.texts.values {
                    let filled = FormatText(text, ["1", "2.5", "x"], setting: setting)
                    try require(
                        filled.text.utf8.count <= 16_384 + bytes.count, "a text of \(filled.text.utf8.count) bytes")
                    try require(filled.remarks.count <= 20, "\(filled.remarks.count) remarks")
                }
            }
        }
    }
}

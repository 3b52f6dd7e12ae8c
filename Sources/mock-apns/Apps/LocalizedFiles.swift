internal import MockAPNsFormats
internal import MockAPNsWorld

/// The files of an app's localized texts, as Xcode has them before and after a build.
enum LocalizedFiles {
    /// Folders within each other: an app bundle of macOS has its resources in `Contents/Resources`.
    private static let deepest = 4
    private static let mostFiles = 2_000

    private struct Found {
        var source: LanguageTag?
        var languages: [LanguageTag: [String: LocalizedText]] = [:]
        var files = 0
    }

    /// Reads a file or everything in a folder.
    static func catalog(at path: String, language: String?) throws -> StringCatalog {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var found = Found()
        let given = try language.map { name in
            if let tag = LanguageTag(name) { return tag }
            throw CommandFailure(
                .usage, "invalid --language '\(TerminalText.plain(name))': expected a language such as en or pt-BR")
        }
        if isTable(path) {
            try read(path, in: given ?? folderLanguage(of: path), into: &found)
        } else {
            try visit(path, depth: 1, into: &found)
        }
        guard found.files > 0 else {
            throw CommandFailure(
                .badConfiguration,
                "no localized texts in '\(TerminalText.plain(path))': expected Localizable.xcstrings, or .lproj folders"
                    + " with Localizable.strings or Localizable.stringsdict")
        }
        return StringCatalog(sourceLanguage: found.source, languages: found.languages.mapValues { LocalizedTexts($0) })
    }

    private static func isTable(_ path: String) -> Bool {
        [".xcstrings", ".strings", ".stringsdict"].contains { path.hasSuffix($0) }
    }

    /// The language of the `.lproj` folder that a file is in.
    private static func folderLanguage(of path: String) -> LanguageTag? {
        let parts = path.split(separator: "/")
        return parts.dropLast().last.flatMap { $0.hasSuffix(".lproj") ? LanguageTag(String($0.dropLast(6))) : nil }
    }

    private static func visit(_ folder: String, depth: Int, into found: inout Found) throws {
        // Rules replace the texts of the same keys, so their file is read last: .strings before .stringsdict.
        for name in AtomicFile.names(in: folder).sorted() {
            let path = "\(folder)/\(name)"
            if name.hasPrefix("Localizable."), isTable(name) {
                try read(path, in: folderLanguage(of: path), into: &found)
            } else if name == "Info.plist" {
                try readInfo(path, into: &found)
            } else if depth < deepest, !name.hasPrefix("."), !isTable(name) {
                try visit(path, depth: depth + 1, into: &found)
            }
        }
    }

    private static func readInfo(_ path: String, into found: inout Found) throws {
        guard found.source == nil, let bytes = try AtomicFile.bytes(at: path),
            let name = (try? PropertyList.read(bytes))?["CFBundleDevelopmentRegion"]?.string
        else { return }
        // Xcode's template has a variable there until the app is built.
        found.source = LanguageTag(name)
    }

    private static func read(_ path: String, in language: LanguageTag?, into found: inout Found) throws {
        found.files += 1
        guard found.files <= mostFiles else {
            throw CommandFailure(.badConfiguration, "more than \(mostFiles) files with localized texts")
        }
        guard let bytes = try AtomicFile.bytes(at: path, limit: PropertyList.largest) else {
            throw AtomicFile.notFound(path, option: "path")
        }
        func failure(_ problem: String) -> CommandFailure {
            CommandFailure(.badConfiguration, "\(TerminalText.plain(path)) \(TerminalText.plain(problem))")
        }
        guard path.hasSuffix(".xcstrings") else {
            guard let language else {
                throw failure("is not in a folder such as en.lproj; give its language with --language")
            }
            do throws(StringsFile.Failure) {
                found.languages[language, default: [:]].merge(try StringsFile.read(bytes)) { $1 }
            } catch { throw failure(error.text) }
            return
        }
        let catalog: StringCatalog
        do { catalog = try StringCatalog(try JSONParser.parse(bytes, repeatedNames: .refused)) } catch let error
            as TextFlaws
        { throw failure("is not a string catalog: \(error.text)") } catch {
            throw failure("is not a string catalog: it is not JSON")
        }
        found.source = catalog.sourceLanguage ?? found.source
        for (language, texts) in catalog.languages { found.languages[language, default: [:]].merge(texts.texts) { $1 } }
    }
}

internal import MockAPNsLog

/// A kind of place for worlds; which kinds a build has depends on the traits of the package.
struct StoreKind: Sendable {
    /// What the places are, in the plural.
    let places: String
    /// The trait of the package that includes this kind.
    let trait: String
    /// What opens the places; `nil` if the build leaves it out.
    let opener: (any WorldPlace.Type)?

    /// Whether a text is the URL of a database, not the path of a directory.
    static func isURL(_ place: String) -> Bool {
        place.hasPrefix("postgres://") || place.hasPrefix("postgresql://")
    }

    /// What opens the place of a path or a URL; throws if the build leaves it out.
    static func opener(of place: String) throws(OptionReader.Invalid) -> any WorldPlace.Type {
        try (isURL(place) ? database : directory).included()
    }

    /// What opens the places of this kind; throws if the build leaves it out.
    func included() throws(OptionReader.Invalid) -> any WorldPlace.Type {
        if let opener { return opener }
        throw OptionReader.Invalid("this build cannot use \(places); use one with the package trait \(trait)")
    }

    /// A URL without its password: `postgresql://user:***@host/database`.
    static func withoutPassword(_ text: String) -> String {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard isURL(text), parts.count > 2, let at = parts[2].lastIndex(of: "@"),
            let colon = parts[2][..<at].firstIndex(of: ":")
        else { return text }
        let server = parts[2][...colon] + "***" + parts[2][at...]
        return (parts[..<2] + [server] + parts[3...]).joined(separator: "/")
    }
}

internal import MockAPNsLog

/// A kind of place for worlds; the package traits determine which kinds a build includes.
struct StoreKind: Sendable {
    /// The plural name of such places, for messages.
    let places: String
    /// The package trait that includes this kind.
    let trait: String
    /// The type that opens such places; `nil` if it is not in this build.
    let opener: (any WorldPlace.Type)?

    /// Returns whether a text is the URL of a database rather than the path of a directory.
    static func isURL(_ place: String) -> Bool { place.hasPrefix("postgres://") || place.hasPrefix("postgresql://") }

    /// Returns the type that opens the place at a path or URL; throws if it is not in this build.
    static func opener(of place: String) throws(OptionReader.Invalid) -> any WorldPlace.Type {
        try (isURL(place) ? database : directory).included()
    }

    /// Returns the type that opens places of this kind; throws if it is not in this build.
    func included() throws(OptionReader.Invalid) -> any WorldPlace.Type {
        if let opener { return opener }
        throw OptionReader.Invalid("this build cannot use \(places); use one with the package trait \(trait)")
    }

    /// Returns a URL with its password hidden: `postgresql://user:***@host/database`.
    static func withoutPassword(_ text: String) -> String {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard isURL(text), parts.count > 2, let at = parts[2].lastIndex(of: "@"),
            let colon = parts[2][..<at].firstIndex(of: ":")
        else { return text }
        let server = parts[2][...colon] + "***" + parts[2][at...]
        return (parts[..<2] + [server] + parts[3...]).joined(separator: "/")
    }
}

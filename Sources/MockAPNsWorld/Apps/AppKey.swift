package import MockAPNsFormats

/// An app, and the key of something that it defines.
public struct AppKey<Key>: Hashable, Comparable, Sendable where Key: Hashable & Comparable & Sendable {
    /// The bundle identifier.
    public let app: String
    /// The key.
    public let key: Key

    /// Creates a name.
    public init(app: String, key: Key) {
        self.app = app
        self.key = key
    }

    /// Orders by app, then by key.
    public static func < (left: AppKey, right: AppKey) -> Bool { (left.app, left.key) < (right.app, right.key) }
}

extension AppKey: Archived where Key: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(app)
        archive.write(key)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(app: try archive.read(), key: try archive.read())
    }
}

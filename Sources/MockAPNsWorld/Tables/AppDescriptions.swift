/// The names and icons of apps, by bundle identifier.
public struct AppDescriptions: Sendable {
    let world: World

    private var snapshot: [String: AppDescription] { world.withState { state, _ in state.apps } }

    /// The description of an app.
    public subscript(app: String) -> AppDescription? { snapshot[app] }

    /// The described apps, by bundle identifier.
    public var all: [(app: String, description: AppDescription)] {
        snapshot.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
    }

    /// Stores a description, replacing the existing one completely, and returns whether it is new.
    public func put(_ description: AppDescription, for app: String) throws(AppRefusal) -> Bool {
        if let name = description.name, !AppLimit.allows(name: name) { throw .badName }
        if let icon = description.icon, AppIcon.flaw(in: icon) != nil { throw .badIcon }
        return try world.withLockedState { state, time throws(AppRefusal) in
            let isNew = state.apps[app] == nil
            guard !isNew || state.apps.count < AppLimit.apps else { throw .tooManyApps }
            state.perform(SetApp(app: app, description: description), at: time)
            return isNew
        }
    }

    /// Removes a description, and returns whether it existed.
    public func remove(_ app: String) -> Bool {
        world.withLockedState { state, time in
            guard state.apps[app] != nil else { return false }
            state.perform(SetApp(app: app, description: nil), at: time)
            return true
        }
    }
}

/// The limits of described apps.
public enum AppLimit {
    /// The maximum number of apps.
    public static let apps = 100
    /// The maximum length of a name, in Unicode scalars.
    public static let scalars = 64

    /// Whether an app can have this name: not too long, and not only white space.
    public static func allows(name: String) -> Bool {
        name.utf8.count <= 4 * scalars && name.unicodeScalars.count <= scalars
            && name.unicodeScalars.contains { !$0.properties.isWhitespace }
    }
}

/// The reason why the description of an app is rejected.
public enum AppRefusal: Error, Equatable, Sendable {
    case tooManyApps
    case badName
    case badIcon
}

extension World {
    /// The names and icons of apps, for previews.
    public var apps: AppDescriptions { AppDescriptions(world: self) }
}

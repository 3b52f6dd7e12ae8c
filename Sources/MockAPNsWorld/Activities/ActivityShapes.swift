internal import MockAPNsFormats

/// What the app's own types can decode of a Live Activity.
///
/// It is asked while the world is locked, and what it says must follow from the state of the world alone.
struct ActivityShapes: Sendable {
    /// A part of an activity.
    enum Part: Sendable {
        case attributes
        case contentState
    }

    /// Everything fits.
    static let any = ActivityShapes { _, _, _, _ in true }

    /// Whether a value fits the part of an activity, with the name of its attributes' structure and the bundle identifier
    /// of its app.
    let fits: @Sendable (JSONValue, Part, _ attributesType: String, _ bundleID: String) -> Bool
}

/// The part of APNs that a request is for; the names are part of the API.
///
/// Each has its own checks (`Pipeline.checks(of:)`) and its own response headers.
public enum Service: String, CaseIterable, Sendable {
    /// `POST /3/device/<device token>`, and every path of no other service.
    case push
    /// `POST /4/broadcasts/apps/<bundle id>`: a push to all subscribers of a channel.
    case broadcast
    /// `/1/apps/<bundle id>/channels` and `/all-channels`: channel management.
    case channels

    /// The position among all services.
    public var index: Int { self == .push ? 0 : self == .broadcast ? 1 : 2 }
}

/// The value of `apns-priority`.
///
/// Documented: 10, 5 and 1, and 10 when the header is absent.
public enum Priority: UInt8, CaseIterable, Sendable {
    /// Delivered immediately.
    case immediate = 10
    /// Delivered when the device's power state allows.
    case powerConsidering = 5
    /// Power has priority; the device is never woken.
    case powerFirst = 1

    /// The priority of a push without the header.
    public static let standard = Priority.immediate

    /// Parses the header's value: exactly `10`, `5` or `1`.
    public init?(_ value: ByteSpan) {
        if value.equals("10") {
            self = .immediate
        } else if value.equals("5") {
            self = .powerConsidering
        } else if value.equals("1") {
            self = .powerFirst
        } else {
            return nil
        }
    }
}

/// The value of `apns-priority`.
///
/// Documented: 10, 5 and 1, and 10 when the header is absent.
public enum Priority: UInt8, CaseIterable, Sendable {
    /// Delivered at once.
    case immediate = 10
    /// Delivered as the device's power allows.
    case powerConsidering = 5
    /// Power goes first; the device is never woken.
    case powerFirst = 1

    /// What a push without the header has.
    public static let standard = Priority.immediate

    /// Reads the header's value; anything but the three numbers, in their plain form, is refused.
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

/// Why the payload or the device token is a reason to reject a push.
package enum DeviceCause: Equatable, Sendable {
    case payloadEmpty
    case payloadTooLarge(size: Int, limit: Int, PayloadSaving?)
    case payloadNotJSON(offset: Int, expected: String)

    case token(DeviceTokenFlaw)
    case unknown(Environment)
    case environment(seen: Environment, address: Environment)
    case topic(seen: String, registered: String?)
    case unregistered(since: Timestamp?)
    case expired(since: Timestamp?)
    case rate(count: Int, interval: Double)
}

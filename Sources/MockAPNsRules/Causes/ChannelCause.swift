internal import MockAPNsFormats

/// Why a broadcast or a request to manage channels is rejected.
package enum ChannelCause: Equatable, Sendable {
    case appForKey(seen: String, key: String, topics: [String])
    case appForCertificate(seen: String, topics: [String])
    case broadcastsOff(app: String)
    case suffixInApp(seen: String, expected: String)
    case broadcastTypeMissing
    case broadcastType(seen: String)
    case idMissing
    case id(ChannelIDFlaw, seen: String)
    /// No app has the channel; with the app that has channels and whose name is much like that in the path.
    case unknown(seen: String, app: String, Environment, likely: String?)
    /// The channel is another app's, or in the other environment.
    case ofAnother(ChannelApp, seen: String, app: String, Environment)
    case body
    case members(unknown: [String])
    case storageMissing
    case storage(seen: String)
    /// With the value of `apns-push-type`, if the push type is there instead.
    case typeMissing(header: String?)
    case type(seen: String)
    case tooMany(app: String, Environment)
    case rate(count: Int, interval: Double)
}

/// Why `apns-channel-id` is not the ID of a channel.
package enum ChannelIDFlaw: Equatable, Sendable {
    case empty
    case placeholder
    case deviceToken
    case uuid
    /// The ID in quotes, brackets or percent-encoding; with the ID.
    case decorated(id: String)
    case tooLong(Int)
    case base64URL
    /// Not a multiple of four characters; with the ID, if only its end is missing.
    case noPadding(id: String?)
    case other

    package init(_ value: String) {
        let isURL = value.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        let inner = Wrapping.inside(PercentEncoding.decode(value) ?? value)
        if value.isEmpty {
            self = .empty
        } else if Placeholder.isOne(value) {
            self = .placeholder
        } else if UniqueID.isCanonical(inner) {
            self = .uuid
        } else if inner != value, ChannelID(inner) != nil {
            self = .decorated(id: inner)
        } else if value.utf8.count >= 64, DeviceToken(hex: value) != nil {
            self = .deviceToken
        } else if value.utf8.count > ChannelID.longestText {
            self = .tooLong(value.utf8.count)
        } else if isURL {
            self = .base64URL
        } else {
            let whole = value + "=="
            self = value.utf8.count % 4 == 0 ? .other : .noPadding(id: ChannelID(whole) == nil ? nil : whole)
        }
    }
}

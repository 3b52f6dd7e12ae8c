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

extension DeviceCause {
    /// What was seen and expected, in one sentence, and how to fix it.
    var texts: (what: String, fix: String) {
        switch self {
        case .payloadEmpty:
            (
                "The body has no bytes, expected a JSON payload.",
                "Send the payload as the body; {} is enough where no content is meant."
            )
        case .payloadTooLarge(let size, let limit, let saving):
            (
                "The payload has \(size) bytes, \(size - limit) more than the limit of \(limit)\(saving?.words(limit) ?? "").",
                saving?.fix(limit) ?? "Send less, and let the app fetch the rest."
            )
        case .payloadNotJSON(let offset, let expected):
            (
                "The body is not JSON: at byte \(offset + 1), expected \(expected).",
                "Serialize the payload with a JSON library, and send its bytes unchanged."
            )
        case .token(let flaw): flaw.texts
        case .unknown(let environment):
            (
                "The device token is not registered in the \(environment.rawValue) environment of this server, expected one"
                    + " that is.", "Register it with mock-apns devices add, or serve with --unknown-tokens accept."
            )
        case .environment(let seen, let address):
            (
                "The device token is for \(seen.rawValue), but this address is \(address.rawValue).",
                "Send it to the \(seen.rawValue) address; builds of Xcode have sandbox tokens, TestFlight and the App Store"
                    + " production ones."
            )
        case .topic(let seen, let registered?):
            (
                "The topic is \(Words.quoted(seen)), but the device token belongs to \(Words.quoted(registered)).",
                "Send the token with the topic that it was registered for; each app and kind of token has its own."
            )
        case .topic(let seen, nil):
            (
                "The topic is \(Words.quoted(seen)), but the device token belonged to another one.",
                "Send the token with the topic that it was registered for; each app and kind of token has its own."
            )
        case .unregistered(let since):
            (
                "The app is no longer registered with this device token\(since.map { ", since \(Words.moment($0.seconds))" } ?? "").",
                "Delete the token, unless the app has registered again since."
            )
        case .expired(let since):
            (
                "The device token has expired\(since.map { ", at \(Words.moment($0.seconds))" } ?? "").",
                "Delete the token; the app gets a new one. A Live Activity's token ends with it."
            )
        case .rate(let count, let interval):
            (
                "The device token got more than \(count) pushes in \(Words.duration(interval)), the limit of this server.",
                "Send less often to one device, and retry with a delay; --device-rate sets the limit."
            )
        }
    }
}

extension PayloadSaving {
    fileprivate func words(_ limit: Int) -> String {
        let words = ways.map(\.words).joined(separator: " and ")
        guard let part else {
            return "; \(words) it has \(size) bytes, \(size <= limit ? "which fits" : "still too many")"
        }
        let isTooMuch = size > limit
        return
            "; \(words) its first \(part) bytes are \(size), \(isTooMuch ? "already too many" : "and the rest was not kept")"
    }

    fileprivate func fix(_ limit: Int) -> String? {
        guard size <= limit else { return nil }
        let end = part == nil ? "" : ", and send less if that is not enough"
        return "Serialize the payload \(ways.map(\.fix).joined(separator: " and "))\(end)."
    }
}

extension PayloadSaving.Way {
    fileprivate var words: String {
        switch self {
        case .utf8: "as UTF-8 instead of \\u escapes"
        case .slashes: "with / instead of \\/"
        case .compact: "without white space"
        }
    }

    fileprivate var fix: String {
        switch self {
        case .utf8: "as UTF-8 (ensure_ascii=False in Python, JSON_UNESCAPED_UNICODE in PHP)"
        case .slashes: "without escapes of slashes (JSON_UNESCAPED_SLASHES in PHP)"
        case .compact: "without indentation"
        }
    }
}

extension DeviceTokenFlaw {
    /// How to fix it.
    package var fix: String { texts.fix }

    fileprivate var texts: (what: String, fix: String) {
        let expected = "expected a device token in hex digits"
        switch self {
        case .channelID:
            return (
                "The path has a channel ID after /3/device/, \(expected).",
                "Broadcast with POST /4/broadcasts/apps/<bundle id> and the channel ID in apns-channel-id."
            )
        case .fcm:
            return (
                "The path has a registration token of FCM, \(expected).",
                "Send the token that the app gets in didRegisterForRemoteNotificationsWithDeviceToken."
            )
        case .expo:
            return (
                "The path has a token of Expo's push service, \(expected).",
                "Get the native token with getDevicePushTokenAsync, or send through Expo."
            )
        case .webPush:
            return (
                "The path has a URL, as of a Web Push subscription, \(expected).",
                "Web Push is another interface: POST to the subscription's own URL."
            )
        case .placeholder(let word):
            return (
                "The path has the placeholder \(Words.quoted(word)) in place of the token, \(expected).",
                "Check the variable that holds the token before sending."
            )
        case .dataDescription:
            return (
                "The path has the description of a Data value, which lacks most of its bytes, \(expected).",
                "In the app, use token.map { String(format: \"%02x\", $0) }.joined()."
            )
        case .decorated(let hex):
            return (
                "The device token has other characters around or between its digits, such as spaces, quotes, brackets or 0x,"
                    + " expected only its hex digits: \(Words.whole(hex)).", "Remove everything but the hex digits."
            )
        case .several(let count):
            return ("The path has \(count) device tokens, \(expected).", "Send a request for each device token.")
        case .base64(let hex):
            return (
                "The device token is in Base64, expected hex digits: \(Words.whole(hex)).",
                "Convert its bytes to hex; libraries that take Data often encode it as Base64."
            )
        case .uuid:
            return (
                "The path has a UUID, \(expected).",
                "Send the device token; the UUID is another identifier of the device or the user."
            )
        case .trailing(let rest):
            return (
                "The path goes on after the device token, with \(Words.quoted(rest)), expected nothing more.",
                "POST to /3/device/ and the token alone."
            )
        case .length(let count, isOdd: true):
            return (
                "The device token has \(count) characters, expected an even number of hex digits, usually 64.",
                "Look for a digit that was lost; each byte has two, also below 10 (%02x, not %x)."
            )
        case .length(let count, isOdd: false):
            return (
                "The device token has \(count) characters, expected at most \(2 * DeviceToken.maximumSize) hex digits, usually 64.",
                "Send one token for each request."
            )
        case .character(let character, let position):
            return (
                "Character \(position) of the device token is '\(character)', expected hex digits only.",
                "Send the token's bytes as hex digits."
            )
        case .binarySize(let size):
            return (
                "The device token has \(size) bytes, expected 32 on the binary interface.",
                "Send other tokens over HTTP/2."
            )
        }
    }
}

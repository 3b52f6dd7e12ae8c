@testable import MockAPNsRules

extension HintCase {
    private static let bytes = DeviceToken(hex: PushRequest.goodToken)?.bytes ?? []

    static let deviceTokens: [HintCase] = [
        device(ChannelScenario.channel.text, "has a channel ID after /3/device/"),
        device("c1:APA91bF", "a registration token of FCM"),
        device("ExponentPushToken[xyz]", "a token of Expo's push service"),
        device("https://web.push.apple.com/QGu", "a URL, as of a Web Push subscription"),
        device("undefined", "has the placeholder 'undefined' in place of the token"),
        device("[object Object]", "has the placeholder '[object Object]'"),
        device("$TOKEN", "has the placeholder '$TOKEN'"), device(":deviceToken", "has the placeholder ':device"),
        device("YOUR_DEVICE_TOKEN", "has the placeholder 'YOUR_DEVICE_TOKEN'"),
        device("{length = 32, bytes = 0x00fc13ad}", "the description of a Data value"),
        device("<00fc13ad ff785122>", "expected only its hex digits: '00fc13adff785122'."),
        device("\(PushRequest.goodToken),\(PushRequest.goodToken)", "The path has 2 device tokens"),
        device(ProviderTokenCase.encode(bytes), "in Base64, expected hex digits: '\(PushRequest.goodToken)'"),
        device("eabeae54-14a8-11e5-b60b-1697f925ec7b", "The path has a UUID"),
        device("00fc13ad/", "goes on after the device token, with '/'"),
        device("00fc13a", "has 7 characters, expected an even number"),
        device(String(repeating: "a", count: 202), "has 202 characters, expected at most 200"),
        device("00fc13ag", "Character 8 of the device token is 'g'"),
        HintCase("binary token", .badDeviceToken, "has 4 bytes, expected 32 on the binary interface") {
            $0.isBinary = true
            $0.request.setToken("00fc13ad")
        },
    ]

    private static func device(_ token: String, _ says: String) -> HintCase {
        HintCase("device token \(token.prefix(20))", .badDeviceToken, says) { $0.request.setToken(token) }
    }
}

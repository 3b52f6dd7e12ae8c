@testable import MockAPNsRules

extension CheckCase {
    static let paths: [CheckCase] = [
        .accepted("a good push") { _ in }, .refused("server going down", .shutdown) { $0.refusal = .shutdown },
        .refused("server without room for its world", .serviceUnavailable) { $0.refusal = .serviceUnavailable },

        .header(":method", "GET", .methodNotAllowed), .header(":method", "PUT", .methodNotAllowed),
        .header(":method", "DELETE", .methodNotAllowed), .header(":method", "HEAD", .methodNotAllowed),
        .header(":method", "OPTIONS", .methodNotAllowed),
        .header(":method", "post", .methodNotAllowed, "(methods are case-sensitive)"),
        .header(":method", "POSTS", .methodNotAllowed), .header(":method", "", .methodNotAllowed),
        .without(":method", .methodNotAllowed),

        .header(":path", "/", .badPath), .header(":path", "", .badPath), .header(":path", "*", .badPath),
        .header(":path", "/3/device", .badPath, "(no slash at the end)"),
        .header(":path", "/3/devices/" + PushRequest.goodToken, .badPath),
        .header(":path", "/2/device/" + PushRequest.goodToken, .badPath),
        .header(":path", "/3/Device/" + PushRequest.goodToken, .badPath),
        .header(":path", "3/device/" + PushRequest.goodToken, .badPath),
        .header(":path", "//3/device/" + PushRequest.goodToken, .badPath),
        .header(":path", "/5/broadcasts/apps/com.example.app", .badPath), .without(":path", .badPath),
        .header(":path", "/3/device/", .missingDeviceToken),

        .header(":scheme", "http", nil, "(not looked at)"),
        .header(":authority", "localhost:2197", nil, "(not looked at)"), .without(":authority", nil),
    ]

    static let deviceTokens: [CheckCase] = [
        .deviceToken(PushRequest.goodToken.uppercased(), nil, "upper case"), .deviceToken("00", nil, "1 byte"),
        .deviceToken(String(repeating: "ab", count: 48), nil, "48 bytes"),
        .deviceToken(String(repeating: "ab", count: 54), nil, "54 bytes"),
        .deviceToken(String(repeating: "ab", count: 80), nil, "80 bytes"),
        .deviceToken(String(repeating: "a", count: 199), .badDeviceToken, "199 digits"),
        .deviceToken(String(repeating: "a", count: 200), nil, "200 digits"),
        .deviceToken(String(repeating: "a", count: 201), .badDeviceToken, "201 digits"),
        .deviceToken(String(repeating: "a", count: 202), .badDeviceToken, "202 digits"),
        .deviceToken("a", .badDeviceToken, "1 digit"), .deviceToken("abc", .badDeviceToken, "odd"),
        .deviceToken(String(PushRequest.goodToken.dropLast()), .badDeviceToken, "63 digits"),
        .deviceToken(PushRequest.goodToken.dropLast() + "g", .badDeviceToken, "no hex digit at the end"),
        .deviceToken("g" + PushRequest.goodToken.dropFirst(), .badDeviceToken, "no hex digit at the start"),
        .deviceToken("zz", .badDeviceToken, "no hex digits, short"),
        .deviceToken(PushRequest.goodToken + "/", .badDeviceToken, "slash at the end"),
        .deviceToken(PushRequest.goodToken + "?x=1", .badDeviceToken, "query"),
        .deviceToken("%61%62", .badDeviceToken, "percent-encoded"),
        .deviceToken("0x" + PushRequest.goodToken.dropFirst(2), .badDeviceToken, "0x"),
        .deviceToken("<" + PushRequest.goodToken + ">", .badDeviceToken, "as a description prints it"),

        .deviceToken("dead0410", .unregistered, "asks for 410"),
        .deviceToken("DEAD0410", .unregistered, "asks for 410 in upper case"),
        .deviceToken("dead041001", .expiredToken, "asks for the second 410"),
        .deviceToken("dead041001" + String(repeating: "ff", count: 27), .expiredToken, "asks, and goes on"),
        .deviceToken("dead0503", .serviceUnavailable, "asks for 503"),
        .deviceToken("dead0200", nil, "asks for a status that no reason has"),
        .deviceToken("dead0410ff", .unregistered, "asks for a variant that no reason has"),
        .deviceToken("dead04", nil, "too short to ask"), .deviceToken("beef0410", nil, "begins otherwise"),
        .accepted("device token: asks for 410, nothing on demand") {
            $0.request.setToken("dead0410")
            $0.options.answersOnDemand = false
        },
    ]
}

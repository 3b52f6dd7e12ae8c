@testable import MockAPNsRules

extension CheckCase {
    static let headers: [CheckCase] = [
        .without("apns-id", nil), .header("apns-id", "EABEAE54-14A8-11E5-B60B-1697F925EC7B", nil, "(upper case)"),
        .header("apns-id", "ACDFB3EB-105B-D33C-7F29-8D09A01CC4EF", nil, "(no version known to UUIDs)"),
        .header("apns-id", "", .badMessageID), .header("apns-id", "1", .badMessageID),
        .header("apns-id", "eabeae5414a811e5b60b1697f925ec7b", .badMessageID, "(no dashes)"),
        .header("apns-id", "{eabeae54-14a8-11e5-b60b-1697f925ec7b}", .badMessageID),
        .header("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7", .badMessageID, "(35 characters)"),
        .header("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7b0", .badMessageID, "(37 characters)"),
        .header("apns-id", "eabeae54-14a8-11e5-b60b-1697f925ec7g", .badMessageID),
        .header("apns-id", "eabeae541-4a8-11e5-b60b-1697f925ec7b", .badMessageID, "(dash misplaced)"),
        .header("apns-id", "eabeae54_14a8_11e5_b60b_1697f925ec7b", .badMessageID),
        .accepted("apns-id in lower case, lower case required") { $0.options.requiresLowerCaseID = true },
        .refused("apns-id in upper case, lower case required", .badMessageID) {
            $0.options.requiresLowerCaseID = true
            $0.request.edit("apns-id") { $0.uppercased() }
        },

        .without("apns-expiration", nil), .header("apns-expiration", "1754405713", nil),
        .header("apns-expiration", "1", nil, "(long past)"),
        .header("apns-expiration", "0001754405713", nil, "(leading zeros)"),
        .header("apns-expiration", "9223372036854775807", nil, "(2^63 - 1)"),
        .header("apns-expiration", "0000000000000009223372036854775807", nil, "(2^63 - 1 after zeros)"),
        .header("apns-expiration", "99223372036854775807", .badExpirationDate, "(20 digits)"),
        .header("apns-expiration", "9223372036854775808", .badExpirationDate, "(2^63)"),
        .header("apns-expiration", "99999999999999999999999999", .badExpirationDate),
        .header("apns-expiration", "", .badExpirationDate),
        .header("apns-expiration", "1754405713.5", .badExpirationDate),
        .header("apns-expiration", "-1", .badExpirationDate), .header("apns-expiration", "+1", .badExpirationDate),
        .header("apns-expiration", "1e9", .badExpirationDate), .header("apns-expiration", "0x10", .badExpirationDate),
        .header("apns-expiration", "tomorrow", .badExpirationDate),
        .header("apns-expiration", "1 754", .badExpirationDate),
        .header("apns-expiration", "２", .badExpirationDate, "(a digit, but not of ASCII)"),

        .without("apns-priority", nil), .header("apns-priority", "10", nil), .header("apns-priority", "5", nil),
        .header("apns-priority", "1", nil), .header("apns-priority", "0", .badPriority),
        .header("apns-priority", "2", .badPriority), .header("apns-priority", "7", .badPriority),
        .header("apns-priority", "11", .badPriority), .header("apns-priority", "100", .badPriority),
        .header("apns-priority", "-5", .badPriority), .header("apns-priority", "5.0", .badPriority),
        .header("apns-priority", "high", .badPriority), .header("apns-priority", "", .badPriority),

        .without("apns-collapse-id", nil),
        .header("apns-collapse-id", String(repeating: "c", count: 63), nil, "(63 bytes)"),
        .header("apns-collapse-id", String(repeating: "c", count: 64), nil, "(64 bytes)"),
        .header("apns-collapse-id", String(repeating: "c", count: 65), .badCollapseID, "(65 bytes)"),
        .header("apns-collapse-id", String(repeating: "é", count: 32), nil, "(32 characters, 64 bytes)"),
        .header("apns-collapse-id", "c" + String(repeating: "é", count: 32), .badCollapseID, "(65 bytes)"),
        .header("apns-collapse-id", String(repeating: "😀", count: 16), nil, "(16 characters, 64 bytes)"),
        .header("apns-collapse-id", String(repeating: "😀", count: 17), .badCollapseID, "(68 bytes)"),

        .header("apns-unheard-of", "1", nil, "(ignored)"), .header("content-type", "text/plain", nil, "(ignored)"),
        .header("accept", "*/*", nil, "(ignored)"),
    ]

    static let duplicates: [CheckCase] =
        [
            "authorization", "apns-id", "apns-expiration", "apns-priority", "apns-topic", "apns-push-type",
            "apns-collapse-id",
        ].map { name in
            .refused("\(name) twice", .duplicateHeaders) { scenario in
                let value = scenario.request.headers.first { $0.name == name }?.value
                scenario.request.add(name, value ?? "")
            }
        } + [
            .refused("apns-id twice with two values", .duplicateHeaders) {
                $0.request.add("apns-id", "00000000-0000-0000-0000-000000000000")
            },
            .refused("unknown apns- header twice", .duplicateHeaders) {
                $0.request.add("apns-unheard-of", "1")
                $0.request.add("apns-unheard-of", "2")
            },
            .accepted("two unknown apns- headers") {
                $0.request.add("apns-unheard-of", "1")
                $0.request.add("apns-unheard-of-too", "1")
            }, .accepted("other header twice") { $0.request.add("user-agent", "another") },
        ]
}

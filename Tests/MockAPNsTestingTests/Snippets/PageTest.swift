import MockAPNsTesting

/// The test that the page creates from a push; `Tests/Browser/page_detail.py` compares it with the page's.
// swift-format-ignore
func pageTest(api: String, send: (APNsMock) async throws -> Void) async throws {
    let apns = try await APNsMock.connect(api: api)
    try await send(apns)
    try await apns.expect(
        exactly: 1,
        .topic("com.example.app"),
        .type("alert"),
        .priority(10),
        .environment("sandbox"),
        .delivery("delivered"),
        .payload("/aps/alert/title", "\"Now\" \\(title) \u{202e}日本"),
        .payload("/badge", -1),
        .payload("/list/0", 1.5),
        .payload("/list/1", .null),
        .payload("/list/2", false),
        within: .seconds(5)
    )
}

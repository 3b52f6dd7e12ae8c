extension Check {
    static let notStopping = Check(
        "not-stopping", .connection, [.shutdown, .serviceUnavailable], isStable: true,
        expects: "a server that is not shutting down, and can write to its --data",
        cause: { _, evidence in evidence.reason == .shutdown ? .stopping : .cannotKeep }
    ) { _, situation in situation.refusal }

    static let method = Check(
        "method", .path, [.methodNotAllowed], .header(.method), isStable: true, expects: "POST",
        cause: { request, _ in .method(seen: request[.method]?.text ?? "", expected: "POST") }
    ) { request, _ in request[.method]?.equals("POST") == true ? nil : .methodNotAllowed }

    static let path = Check(
        "path", .path, [.badPath], .header(.path), expects: "/3/device/<hex device token>",
        cause: { request, evidence in evidence.path(of: request, expected: "/3/device/<device token>") }
    ) { request, _ in request.devicePart == nil ? .badPath : nil }

    static let deviceTokenPresent = Check(
        "device-token-present", .path, [.missingDeviceToken], .header(.path),
        expects: "a device token after /3/device/",
        cause: { request, _ in .deviceTokenMissing(channel: request[.apnsChannelID]?.text) }
    ) { request, _ in request.devicePart?.isEmpty == false ? nil : .missingDeviceToken }
}

extension Evidence {
    /// The cause of a BadPath.
    func path(of request: borrowing RequestView, expected: String) -> Cause {
        let path = request[.path]?.text ?? ""
        let flaw = PathFlaw(path, of: request.service, judgedAs: service)
        let isOwn = flaw == .onlyChannels
        return .path(flaw, seen: path, expected: isOwn ? expected : PathFlaw.expected(inPlaceOf: path) ?? expected)
    }
}

extension Check {
    static let notStopping = Check(
        "not-stopping",
        .connection,
        [.shutdown, .serviceUnavailable],
        isStable: true,
        expects: "a server that is not shutting down, and can write to its --data"
    ) { _, situation in
        situation.refusal
    }

    static let method = Check(
        "method",
        .path,
        [.methodNotAllowed],
        .header(.method),
        isStable: true,
        expects: "POST"
    ) { request, _ in
        request[.method]?.equals("POST") == true ? nil : .methodNotAllowed
    }

    static let path = Check(
        "path",
        .path,
        [.badPath],
        .header(.path),
        expects: "/3/device/<hex device token>"
    ) { request, _ in
        request.devicePart == nil ? .badPath : nil
    }

    static let deviceTokenPresent = Check(
        "device-token-present",
        .path,
        [.missingDeviceToken],
        .header(.path),
        expects: "a device token after /3/device/"
    ) { request, _ in
        request.devicePart?.isEmpty == false ? nil : .missingDeviceToken
    }
}

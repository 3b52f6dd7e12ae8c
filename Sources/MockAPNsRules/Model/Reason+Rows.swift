extension Reason {
    /// The properties of this reason; the switch is exhaustive, so a case without a row does not compile.
    public var row: Row {
        switch self {
        case .badCollapseID:
            Row(
                name: "BadCollapseId",
                status: 400,
                variant: 1,
                meaning: "apns-collapse-id is longer than 64 bytes.",
                hint: "Shorten the collapse identifier; the limit counts bytes, not characters."
            )
        case .badDeviceToken:
            Row(
                name: "BadDeviceToken",
                status: 400,
                variant: 0,
                meaning: "The device token is not hex, is unknown, or is of the other environment.",
                hint: "Send the token as hex digits, to the environment that issued it."
            )
        case .badExpirationDate:
            Row(
                name: "BadExpirationDate",
                status: 400,
                variant: 2,
                meaning: "apns-expiration is not a whole number of UNIX seconds.",
                hint: "Send digits only: 0 for one attempt, or the UNIX second until which to store."
            )
        case .badMessageID:
            Row(
                name: "BadMessageId",
                status: 400,
                variant: 3,
                meaning: "apns-id is not a canonical UUID.",
                hint: "Send 8-4-4-4-12 hexadecimal digits, or leave the header out."
            )
        case .badPriority:
            Row(
                name: "BadPriority",
                status: 400,
                variant: 4,
                meaning: "apns-priority is not 10, 5 or 1, or is 10 on a background push.",
                hint: "Send 10 to deliver at once, 5 or 1 to save power; background pushes take 5."
            )
        case .badTopic:
            Row(
                name: "BadTopic",
                status: 400,
                variant: 5,
                meaning: "The value of apns-topic is malformed.",
                hint: "Send the app's bundle identifier, with the suffix its push type asks for."
            )
        case .deviceTokenNotForTopic:
            Row(
                name: "DeviceTokenNotForTopic",
                status: 400,
                variant: 6,
                meaning: "The device token belongs to another app or to another kind of push.",
                hint: "Send to the topic the token was registered for, if only by its first push here."
            )
        case .duplicateHeaders:
            Row(
                name: "DuplicateHeaders",
                status: 400,
                variant: 7,
                meaning: "A header that may occur once was repeated.",
                hint: "Set authorization and each apns- header once; look for middleware adding one."
            )
        case .idleTimeout:
            Row(
                name: "IdleTimeout",
                status: 400,
                variant: 8,
                meaning: "The connection was idle for too long.",
                hint: "Open a new connection, and keep one alive with an HTTP/2 PING."
            )
        case .invalidPushType:
            Row(
                name: "InvalidPushType",
                status: 400,
                variant: 9,
                meaning: "apns-push-type is unknown or does not fit the topic.",
                hint: "Send a documented push type in lower case, and the topic suffix that it asks for."
            )
        case .missingDeviceToken:
            Row(
                name: "MissingDeviceToken",
                status: 400,
                variant: 10,
                meaning: "The path ends after /3/device/.",
                hint: "Append the device token: POST /3/device/<hex token>."
            )
        case .missingTopic:
            Row(
                name: "MissingTopic",
                status: 400,
                variant: 11,
                meaning: "apns-topic is absent and nothing else tells the topic.",
                hint: "Set apns-topic to the app's bundle identifier; provider tokens always need it."
            )
        case .payloadEmpty:
            Row(
                name: "PayloadEmpty",
                status: 400,
                variant: 12,
                meaning: "The body has no bytes.",
                hint: "Send a JSON payload; {} is allowed where no content is meant."
            )
        case .topicDisallowed:
            Row(
                name: "TopicDisallowed",
                status: 400,
                variant: 13,
                meaning: "The credentials do not cover this topic.",
                hint: "Use a key for this topic; a connection learns of new topics by reconnecting."
            )
        case .badRequestPayload:
            Row(
                name: "BadRequestPayload",
                status: 400,
                variant: 14,
                meaning: "The body is not JSON (APNs itself accepts such a push and shows nothing).",
                hint: "Serialise the payload with a JSON library and send its bytes unchanged."
            )
        case .badCertificate:
            Row(
                name: "BadCertificate",
                status: 403,
                variant: 1,
                meaning: "The client certificate is not valid.",
                hint: "Renew the certificate, and send it with its private key."
            )
        case .badCertificateEnvironment:
            Row(
                name: "BadCertificateEnvironment",
                status: 403,
                variant: 2,
                meaning: "The client certificate is for the other environment.",
                hint: "Match the certificate with the sandbox or the production server."
            )
        case .badEnvironmentKeyInToken:
            Row(
                name: "BadEnvironmentKeyInToken",
                status: 403,
                variant: 3,
                meaning: "The signing key may not be used in this environment.",
                hint: "Use a key for this environment, or send to the other one."
            )
        case .badEnvironmentKeyIDInToken:
            Row(
                name: "BadEnvironmentKeyIdInToken",
                status: 403,
                variant: 4,
                meaning: "The same as BadEnvironmentKeyInToken, in the spelling that Apple documents.",
                hint: "Use a key for this environment, or send to the other one."
            )
        case .expiredProviderToken:
            Row(
                name: "ExpiredProviderToken",
                status: 403,
                variant: 5,
                meaning: "The provider token was issued more than an hour ago.",
                hint: "Issue a new one every 20 to 60 minutes, and set the clock right."
            )
        case .forbidden:
            Row(
                name: "Forbidden",
                status: 403,
                variant: 6,
                meaning: "The action is not allowed.",
                hint: "Do not retry; look at what the account may do."
            )
        case .invalidProviderToken:
            Row(
                name: "InvalidProviderToken",
                status: 403,
                variant: 0,
                meaning: "The provider token is malformed, its key unknown, or its signature wrong.",
                hint: "Check alg ES256, kid, iss and that the .p8 file belongs to the kid."
            )
        case .missingProviderToken:
            Row(
                name: "MissingProviderToken",
                status: 403,
                variant: 7,
                meaning: "There is neither a provider token nor a client certificate.",
                hint: "Send authorization: bearer <provider token>."
            )
        case .unrelatedKeyIDInToken:
            Row(
                name: "UnrelatedKeyIdInToken",
                status: 403,
                variant: 8,
                meaning: "The signing key is unrelated to the one this connection began with.",
                hint: "Open a connection of its own for each unrelated key."
            )
        case .badPath:
            Row(
                name: "BadPath",
                status: 404,
                variant: 0,
                meaning: "The path is not /3/device/<hex token>.",
                hint: "POST to /3/device/ followed by the device token."
            )
        case .methodNotAllowed:
            Row(
                name: "MethodNotAllowed",
                status: 405,
                variant: 0,
                meaning: "The method is not POST.",
                hint: "Send pushes with POST."
            )
        case .expiredToken:
            Row(
                name: "ExpiredToken",
                status: 410,
                variant: 1,
                meaning: "The device token has expired.",
                hint: "Stop sending to this token until the app registers again."
            )
        case .unregistered:
            Row(
                name: "Unregistered",
                status: 410,
                variant: 0,
                meaning: "The device token is no longer active for the topic.",
                hint: "Stop sending to it, unless the app registered again after the timestamp."
            )
        case .payloadTooLarge:
            Row(
                name: "PayloadTooLarge",
                status: 413,
                variant: 0,
                meaning: "The body is over the limit: 4096 bytes, or 5120 for VoIP.",
                hint: "Send less, and let the app fetch the rest."
            )
        case .tooManyProviderTokenUpdates:
            Row(
                name: "TooManyProviderTokenUpdates",
                status: 429,
                variant: 1,
                meaning: "The provider token changed more than once in 20 minutes.",
                hint: "Share one token among all requests and renew it every 20 to 60 minutes."
            )
        case .tooManyRequests:
            Row(
                name: "TooManyRequests",
                status: 429,
                variant: 0,
                meaning: "Too many pushes went to one device token in a row.",
                hint: "Send less often to one device, and retry with a delay."
            )
        case .internalServerError:
            Row(
                name: "InternalServerError",
                status: 500,
                variant: 0,
                meaning: "The server failed.",
                hint: "Retry later with back-off."
            )
        case .serviceUnavailable:
            Row(
                name: "ServiceUnavailable",
                status: 503,
                variant: 0,
                meaning: "The service is unavailable.",
                hint: "Retry later with back-off."
            )
        case .shutdown:
            Row(
                name: "Shutdown",
                status: 503,
                variant: 1,
                meaning: "The server is shutting down.",
                hint: "Retry on a new connection."
            )
        }
    }
}

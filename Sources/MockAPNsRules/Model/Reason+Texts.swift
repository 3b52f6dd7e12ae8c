extension Reason {
    /// When the service returns this reason.
    public var meaning: StaticString {
        switch self {
        case .badCollapseID: "apns-collapse-id is longer than 64 bytes."
        case .badDeviceToken: "The device token is not hex, is unknown, or is of the other environment."
        case .badExpirationDate: "apns-expiration is not a whole number of UNIX seconds."
        case .badMessageID: "apns-id is not a canonical UUID."
        case .badPriority: "apns-priority is not 10, 5 or 1, or is 10 on a background push."
        case .badTopic: "The value of apns-topic is malformed."
        case .deviceTokenNotForTopic: "The device token belongs to another app or to another kind of push."
        case .duplicateHeaders: "A header that may occur once was repeated."
        case .idleTimeout: "The connection was idle for too long."
        case .invalidPushType: "apns-push-type is unknown or does not fit the topic."
        case .missingDeviceToken: "The path ends after /3/device/."
        case .missingTopic: "apns-topic is absent and nothing else tells the topic."
        case .payloadEmpty: "The body has no bytes."
        case .topicDisallowed: "The credentials do not cover this topic."
        case .badRequestPayload:
            "The body is not JSON (APNs itself accepts such a push and shows nothing, but no such channel)."
        case .badChannelID: "apns-channel-id is not Base64, or is too long."
        case .badRequestParams: "The body has an unknown member, or no valid message-storage-policy."
        case .cannotCreateChannelConfig: "The app has as many channels as the environment allows: 10,000."
        case .channelNotRegistered: "The app has no such channel in this environment."
        case .featureNotEnabled: "The app does not have the broadcast capability."
        case .missingChannelID: "apns-channel-id is absent."
        case .missingPushType: "apns-push-type, or push-type in the body, is absent."
        case .badCertificate: "The client certificate is not valid."
        case .badCertificateEnvironment: "The client certificate is for the other environment."
        case .badEnvironmentKeyInToken: "The signing key may not be used in this environment."
        case .badEnvironmentKeyIDInToken:
            "The same as BadEnvironmentKeyInToken, in the spelling that Apple documents."
        case .expiredProviderToken: "The provider token was issued more than an hour ago."
        case .forbidden: "The action is not allowed."
        case .invalidProviderToken:
            "The provider token is malformed, its key unknown, or its signature wrong."
        case .missingProviderToken: "There is neither a provider token nor a client certificate."
        case .topicMismatch: "The credentials do not cover the bundle identifier in the path."
        case .unrelatedKeyIDInToken: "The signing key is unrelated to the one this connection began with."
        case .badPath: "The path is not /3/device/<hex token>, nor one of broadcasts and channels."
        case .methodNotAllowed: "The method is not POST, or not one that the path of channels allows."
        case .expiredToken: "The device token has expired."
        case .unregistered: "The device token is no longer active for the topic."
        case .payloadTooLarge:
            "The body exceeds 4096 bytes, 5120 (VoIP, broadcasts) or 2048 (binary interface)."
        case .tooManyProviderTokenUpdates: "The provider token changed more than once in 20 minutes."
        case .tooManyRequests: "Too many pushes went to one device token in a row."
        case .internalServerError: "The server failed."
        case .serviceUnavailable: "The service is unavailable."
        case .shutdown: "The server is shutting down."
        }
    }

    /// How to fix it in the provider.
    public var hint: StaticString {
        switch self {
        case .badCollapseID: "Shorten the collapse identifier; the limit counts bytes, not characters."
        case .badDeviceToken: "Send the token as hex digits, to the environment that issued it."
        case .badExpirationDate:
            "Send digits only: 0 for one attempt, or the UNIX second until which to store."
        case .badMessageID: "Send 8-4-4-4-12 hexadecimal digits, or leave the header out."
        case .badPriority: "Send 10 to deliver at once, 5 or 1 to save power; background pushes take 5."
        case .badTopic: "Send the app's bundle identifier, with the suffix its push type asks for."
        case .deviceTokenNotForTopic:
            "Send to the topic the token was registered for, if only by its first push here."
        case .duplicateHeaders:
            "Set authorization and each apns- header once; look for middleware adding one."
        case .idleTimeout: "Open a new connection, and keep one alive with an HTTP/2 PING."
        case .invalidPushType:
            "Send a documented push type in lower case, and the topic suffix that it asks for."
        case .missingDeviceToken: "Append the device token: POST /3/device/<hex token>."
        case .missingTopic:
            "Set apns-topic to the app's bundle identifier; only a certificate for one topic needs none."
        case .payloadEmpty: "Send a JSON payload; {} is allowed where no content is meant."
        case .topicDisallowed: "Use a key for this topic; a connection learns of new topics by reconnecting."
        case .badRequestPayload: "Serialise the payload with a JSON library and send its bytes unchanged."
        case .badChannelID: "Send the channel ID exactly as the server returned it."
        case .badRequestParams:
            "Send {\"message-storage-policy\":0,\"push-type\":\"LiveActivity\"}, with 0 or 1, and nothing else."
        case .cannotCreateChannelConfig: "Delete channels that are no longer used."
        case .channelNotRegistered: "Create the channel in this environment, with the bundle id of the path."
        case .featureNotEnabled: "Turn on the broadcast capability of the app."
        case .missingChannelID: "Set apns-channel-id; a channel id is never in the path."
        case .missingPushType: "Use liveactivity, the only push type of channels."
        case .badCertificate: "Renew the certificate, and send it with its private key."
        case .badCertificateEnvironment: "Match the certificate with the sandbox or the production server."
        case .badEnvironmentKeyInToken: "Use a key for this environment, or send to the other one."
        case .badEnvironmentKeyIDInToken: "Use a key for this environment, or send to the other one."
        case .expiredProviderToken: "Issue a new one every 20 to 60 minutes, and set the clock right."
        case .forbidden: "Do not retry; look at what the account may do."
        case .invalidProviderToken: "Check alg ES256, kid, iss and that the .p8 file belongs to the kid."
        case .missingProviderToken: "Send authorization: bearer <provider token>."
        case .topicMismatch: "Use a key or certificate for this app, or correct the bundle identifier."
        case .unrelatedKeyIDInToken: "Open a connection of its own for each unrelated key."
        case .badPath: "POST to /3/device/ followed by the device token."
        case .methodNotAllowed: "Send pushes and broadcasts with POST."
        case .expiredToken: "Stop sending to this token until the app registers again."
        case .unregistered: "Stop sending to it, unless the app registered again after the timestamp."
        case .payloadTooLarge: "Send less, and let the app fetch the rest."
        case .tooManyProviderTokenUpdates:
            "Share one token among all requests and renew it every 20 to 60 minutes."
        case .tooManyRequests: "Send less often to one device, and retry with a delay."
        case .internalServerError: "Retry later with back-off."
        case .serviceUnavailable: "Retry later with back-off."
        case .shutdown: "Retry on a new connection."
        }
    }
}

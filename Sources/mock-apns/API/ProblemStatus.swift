internal import MockAPNsAPI
internal import MockAPNsClient
internal import MockAPNsFormats

extension Problem.Kind {
    /// The exit code of a command for a problem of this type; only an assertion that fails is 1.
    var exitStatus: CommandFailure.Status {
        switch self {
        case .verificationFailed: .unmet
        // The server cannot answer now, or what was asked about is gone; another request does not help.
        case .namespaceGone, .tooBusy, .tooManyStreams, .cannotListen, .cannotKeep, .cannotRead, .notReady,
            .requestTimeout:
            .unreachable
        case .badParameter, .badPath, .badBody, .unknownPath, .unknownPush, .unknownDevice, .unknownToken,
            .unknownActivity, .unknownChannel, .unknownFault, .unknownPreset, .unknownKey, .unknownCertificate,
            .unknownNamespace, .unknownStrings, .unknownCategory, .unknownApp, .unknownSchema, .unknownSavedPush,
            .noCertificateAuthority, .notAuthorized, .methodNotAllowed, .hostNotAllowed, .shutdownNotAllowed,
            .originNotAllowed, .labelTaken, .tokenTaken, .keyTaken, .registrationTaken, .namespaceTaken,
            .standardNamespace, .bodyTooLarge, .unusableValue, .tooMany, .tooManyActivities, .tooManyChannels,
            .tooMuchWork, .tooManyFaults, .tooManyNamespaces, .tooManyStrings, .tooManyCategories, .tooManyApps,
            .tooManySchemas, .tooManySavedPushes, .tooManyPins, .notConvertible, .repeatedHeader:
            .usage
        }
    }
}

extension Problem.Kind {
    /// What to do next, for problems whose own text does not say it.
    var hint: String? {
        switch self {
        case .unknownDevice, .unknownToken: "mock-apns devices list shows the devices"
        case .unknownActivity: "mock-apns devices activity list shows the Live Activities of a device"
        case .unknownPush: "mock-apns pushes list shows the pushes"
        case .unknownChannel: "mock-apns channels list shows the channels"
        case .unknownFault: "mock-apns faults list shows the faults"
        case .unknownKey: "mock-apns keys list shows the keys"
        case .unknownCertificate: "mock-apns certs list shows the serial numbers"
        case .namespaceTaken: "choose another name; mock-apns ns list shows the namespaces"
        default: nil
        }
    }
}

extension APIResponse {
    /// The type of the problem document; `nil` for another response, or for a type of a newer server.
    var problemKind: Problem.Kind? {
        guard contentType == "application/problem+json", let type = JSONParser.value(of: body)?["type"]?.plainText
        else { return nil }
        return Problem.Kind.allCases.first { $0.type == type }
    }

    /// The exit code of a command that gets this response; by its status if the type is unknown.
    var exitStatus: CommandFailure.Status { problemKind?.exitStatus ?? (status >= 500 ? .unreachable : .usage) }
}

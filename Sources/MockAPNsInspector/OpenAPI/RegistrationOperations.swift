internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/registrations`.
enum RegistrationOperations {
    static let table = OperationTable(
        name: "registrations",
        description: "The apps on devices, each with its device token.",
        operations: [
            Operation(
                "GET",
                "/api/v1/registrations/{token}",
                "Show an app",
                answers: [.json(RegistrationShape.self, "The app.")],
                problems: [.unknownToken]
            ),
            Operation(
                "PATCH",
                "/api/v1/registrations/{token}",
                "Open, end or uninstall an app, or turn its notifications off",
                body: Operation.Body(schema: DeviceSchemas.appChange, example: ["state": "uninstalled"]),
                answers: [.json(RegistrationChangedShape.self, "The app, and what became of notifications.")],
                problems: [.unknownToken, .registrationTaken, .unusableValue]
            ),
            Operation(
                "POST",
                "/api/v1/registrations/{token}/rotate",
                "Give an app another device token",
                description: "The old one is dead from then on.",
                body: Operation.Body(
                    schema: .closed(["token": .tokenGiven.orNull]),
                    example: [:],
                    isRequired: false
                ),
                answers: [.json(RegistrationRotatedShape.self, "The app, with its new token.", status: 201)],
                problems: [.unknownToken, .tokenTaken, .registrationTaken, .unusableValue, .tooMany]
            ),
        ],
        schemas: [:]
    )
}

internal import ArgumentParser
internal import MockAPNsAPI
internal import MockAPNsRules

/// A device on the command line: `@label`, a device token, `dev_…`, or the label alone.
struct DeviceArgument: ExpressibleByArgument, Equatable {
    /// The form of a reference.
    enum Kind {
        case label
        case token
        case id
    }

    let reference: String
    let kind: Kind
    /// Added to the error when there is no such device.
    let hint: String?

    init?(argument text: String) {
        guard !text.isEmpty, text != "@" else { return nil }
        if text.hasPrefix("@") {
            (reference, kind, hint) = (text, .label, nil)
        } else if text.hasPrefix("dev_") {
            (reference, kind, hint) = (text, .id, nil)
        } else if let token = DeviceToken(hex: text) {
            (reference, kind) = (token.hex, .token)
            hint = text.count < 64 ? "'\(text)' is read as a device token; for a label, use @\(text)" : nil
        } else {
            (reference, kind, hint) = ("@\(text)", .label, nil)
        }
    }

    var defaultValueDescription: String { reference }

    /// The path of the device, or of a resource below it.
    func path(_ part: String? = nil) -> [String] { ["devices", reference] + [part].compactMap { $0 } }
}

/// The options of commands about one device.
struct DeviceOptions: ParsableArguments {
    @Argument(help: "The device: @label, a device token, or dev_..., as in devices list.")
    var device: DeviceArgument

    @OptionGroup var client: ClientOptions

    /// Prints the device, or a resource below it.
    func show<Content: Shape>(
        _ part: String? = nil,
        as type: Content.Type,
        _ text: (APIObject<Content>) throws -> String?
    ) async throws {
        let request = APIRequest("GET", device.path(part))
        try await client.show(request, hint: device.hint, as: type, text)
    }
}

internal import ArgumentParser
internal import MockAPNsRules

/// How a device is named on the command line: `@label`, a device token, `dev_…`, or the bare label.
struct DeviceArgument: ExpressibleByArgument, Equatable {
    /// What is meant.
    enum Kind {
        case label
        case token
        case id
    }

    static let help: ArgumentHelp =
        "The device: @label, a device token, or dev_..., as devices list shows it."

    /// As the API takes it.
    let reference: String
    let kind: Kind
    /// Said when the API does not know it.
    let hint: String?

    init?(argument text: String) {
        guard !text.isEmpty, text != "@" else { return nil }
        if text.hasPrefix("@") {
            (reference, kind, hint) = (text, .label, nil)
        } else if text.hasPrefix("dev_") {
            (reference, kind, hint) = (text, .id, nil)
        } else if let token = DeviceToken(hex: text) {
            (reference, kind) = (token.hex, .token)
            hint =
                text.count < 64 ? "'\(text)' can be read as a device token; for a label, write @\(text)" : nil
        } else {
            (reference, kind, hint) = ("@\(text)", .label, nil)
        }
    }

    var defaultValueDescription: String { reference }

    /// The path of the device, or of what lies below it.
    func path(_ parts: String...) -> [String] { ["devices", reference] + parts }
}

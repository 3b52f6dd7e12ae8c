internal import ArgumentParser
internal import MockAPNsAPI

struct DevicesInboxCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show the Notification Center of a device, newest first.",
        examples: "mock-apns devices inbox alice"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        try await options.show("inbox", as: InboxShape.self) { inbox in
            if let note = inbox.note { Console.standard.note(TerminalText.plain(note)) }
            guard inbox.notifications.isEmpty else { return inbox.text }
            let name = TerminalText.plain(inbox.name)
            Console.standard.note(
                "No notifications. mock-apns devices show \(name) prints tokens to push to."
            )
            return nil
        }
    }
}

struct DevicesStoredCommand: AsyncParsableCommand {
    static let configuration = command(
        "Show the notifications stored for a device: at most one for each app.",
        examples: "mock-apns devices offline alice",
        "mock-apns devices stored alice"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        try await options.show("stored", as: StoredShape.self) { answer in
            guard answer.stored.isEmpty else { return APIObject<PushShape>.table(answer.stored) }
            Console.standard.note(
                "No stored notifications. A push to an offline device is stored unless its apns-expiration is 0."
            )
            return nil
        }
    }
}

struct DevicesForgetCommand: AsyncParsableCommand {
    static let configuration = command(
        "Remove a device; its tokens become unknown.",
        examples: "mock-apns devices forget alice"
    )

    @OptionGroup var options: DeviceOptions

    func run() async throws {
        let device = options.device
        try await options.client.remove(device.path(), name: device.reference, hint: device.hint)
    }
}

extension APIObject<InboxShape> {
    var name: String { self.label ?? self.device }

    /// The badge, then the notifications, newest first, with an empty line between.
    var text: String {
        let title = "\(name), badge \(self.badge.map(String.init) ?? "none")"
        return ([TerminalText.plain(title)] + self.notifications.map(\.text)).joined(separator: "\n\n")
    }
}

extension APIObject<InboxShape.Notification> {
    /// The notification as people read it: when and which app, then its words, then what iOS did.
    var text: String {
        let badge = self.badge.map { "  badge \($0)" } ?? ""
        let words = [self.title, self.subtitle, self.body].compactMap { $0 }.filter { !$0.isEmpty }
        let lines =
            (words.isEmpty ? ["(no text)"] : words)
            + ["[\(self.reaction.summary)]"]
        return TerminalText.plain(
            "\(self.deliveredAt.map(TerminalText.time) ?? "?")  \(self.topic ?? "no topic")\(badge)"
        )
            + lines.map { "\n    " + TerminalText.plain($0) }.joined()
    }
}

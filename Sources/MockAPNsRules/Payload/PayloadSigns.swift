/// The members of a payload that tell which type of push it is, if no header does.
struct PayloadSigns: OptionSet {
    let rawValue: UInt8

    /// `aps` has an alert, a badge or a sound.
    static let visible = PayloadSigns(rawValue: 1)
    static let contentAvailable = PayloadSigns(rawValue: 2)
    static let contentChanged = PayloadSigns(rawValue: 4)
    static let event = PayloadSigns(rawValue: 8)
    /// `aps` has another member that only a Live Activity has.
    static let activity = PayloadSigns(rawValue: 16)
    /// The payload has `mdm`.
    static let mdm = PayloadSigns(rawValue: 32)

    private static let names: [(depth: Int, name: StaticString, sign: PayloadSigns)] = [
        (1, "mdm", .mdm), (2, "alert", .visible), (2, "badge", .visible), (2, "sound", .visible),
        (2, "content-available", .contentAvailable), (2, "content-changed", .contentChanged), (2, "event", .event),
        (2, "content-state", .activity), (2, "timestamp", .activity), (2, "attributes-type", .activity),
    ]

    init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ body: ByteSpan) {
        var found: PayloadSigns = []
        MemberNames.visit(body) { depth, holder, name in
            guard depth == 1 || depth == 2 && holder.equals("aps") else { return }
            for sign in Self.names where sign.depth == depth && name.equals(sign.name) { found.insert(sign.sign) }
        }
        self = found
    }

    /// The push type; inferred, because the behavior of APNs is not documented.
    var type: PushType {
        if contains(.mdm), !contains(.visible) { return .mdm }
        if contains(.event), contains(.activity) || !contains(.visible) { return .liveactivity }
        guard !contains(.visible) else { return .alert }
        if contains(.contentAvailable) { return .background }
        // Controls have the same payload, but their topic has a suffix.
        return contains(.contentChanged) ? .widgets : .alert
    }
}

extension PushType {
    /// The type as which a push is delivered: from the header, or else from the topic or the payload.
    ///
    /// Inferred: how the real service treats a push without the header is unknown. An unknown value of the header counts
    /// as none. Everything that asks for the type of a push asks this function.
    package static func delivered(
        header: ByteSpan?, topic: ByteSpan?, body: ByteSpan, service: Service = .push
    ) -> PushType {
        // Documented: broadcasts are for Live Activities, whatever the header says.
        if service == .broadcast { return .liveactivity }
        if let type = header.flatMap({ PushType($0) }) { return type }
        guard let topic else { return PayloadSigns(body).type }
        if let type = Topic(topic).suffixType { return type }
        return SpecialTopic(topic) == .deviceManagement ? .mdm : PayloadSigns(body).type
    }

    /// The type as which a push is delivered, from texts.
    package static func delivered(header: String?, topic: String?, body: [UInt8], service: Service = .push) -> PushType
    {
        var (name, app) = (header ?? "", topic ?? "")
        return name.withUTF8 { name in
            app.withUTF8 { app in
                body.withUnsafeBufferPointer { body in
                    delivered(
                        header: header == nil ? nil : ByteSpan(name), topic: topic == nil ? nil : ByteSpan(app),
                        body: ByteSpan(body), service: service)
                }
            }
        }
    }
}

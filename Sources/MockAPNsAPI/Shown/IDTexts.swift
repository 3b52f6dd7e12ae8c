internal import MockAPNsFormats
package import MockAPNsRules
package import MockAPNsWorld

/// The texts that name a device: `@label`, one of its device tokens, or its id.
package enum DeviceReferenceText {
    package static let expected = "@ and the label, a device token, or dev_ and 16 hexadecimal digits"

    private static let idPrefix = "dev_"

    package static func reference(_ text: String) -> DeviceReference? {
        if text.hasPrefix("@") {
            let label = text.dropFirst()
            return label.isEmpty ? nil : .label(String(label))
        }
        return id(text).map { .id($0) } ?? DeviceToken(hex: text).map { .token($0) }
    }

    package static func id(_ text: String) -> DeviceID? {
        let digits = text.dropFirst(idPrefix.count)
        guard text.hasPrefix(idPrefix), digits.utf8.count == 16, digits.utf8.allSatisfy({ HexDigit.value($0) != nil }),
            let number = UInt64(digits, radix: 16)
        else { return nil }
        return DeviceID(number: number)
    }

    package static func text(_ id: DeviceID) -> String {
        idPrefix + withUnsafeBytes(of: id.number.bigEndian) { HexDigit.text(of: $0) }
    }
}

/// The ids of channels: Base64, or Base64URL, which needs no escapes in a path.
package enum ChannelIDText {
    package static let expected = "the Base64 of a channel's 16 bytes"

    package static func id(_ text: String) -> ChannelID? {
        var standard = text.replacing("-", with: "+").replacing("_", with: "/")
        if standard.utf8.count == ChannelID.textLength - 2 { standard += "==" }
        return ChannelID(standard)
    }

    /// The part of a path.
    package static func part(_ id: ChannelID) -> String {
        String(id.text.replacing("+", with: "-").replacing("/", with: "_").prefix(ChannelID.textLength - 2))
    }
}

/// The ids of faults: `flt_` and a number.
package enum FaultIDText {
    package static let expected = "flt_ and a number"

    private static let prefix = "flt_"

    package static func text(_ id: FaultID) -> String { "\(prefix)\(id.number)" }

    package static func id(_ text: String) -> FaultID? {
        let digits = text.dropFirst(prefix.count)
        guard text.hasPrefix(prefix), digits.first != "0", let number = UInt64(digits: String(digits)),
            let number = UInt32(exactly: number)
        else { return nil }
        return FaultID(number: number)
    }
}

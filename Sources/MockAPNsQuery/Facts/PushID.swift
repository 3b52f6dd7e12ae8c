internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

/// The opaque id of a push: `psh_` and 16 characters, which encode its epoch and number in Crockford's Base32.
///
/// The width is fixed and the digits are in ASCII order, so ids sort in the order pushes arrived. Clients must not
/// parse ids. To refer to a push by its number, they can use `seq:1842`.
package struct PushID: Equatable {
    /// The journal's epoch, which increases with each reset.
    package let epoch: UInt64
    package let seq: UInt64

    private static let prefix = "psh_"
    private static let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    /// 30 bits: one reset per second for 34 years.
    private static let epochDigits = 6
    /// 50 bits: one million pushes per second for 35 years.
    private static let seqDigits = 10

    package init(epoch: UInt64, seq: UInt64) {
        self.epoch = epoch
        self.seq = seq
    }

    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let start = Self.prefix.utf8.count
        guard text.hasPrefix(Self.prefix), bytes.count == start + Self.epochDigits + Self.seqDigits,
            let epoch = Self.read(bytes[start..<start + Self.epochDigits]),
            let seq = Self.read(bytes[(start + Self.epochDigits)...])
        else { return nil }
        self.init(epoch: epoch, seq: seq)
    }

    package var text: String { Self.prefix + Self.write(epoch, Self.epochDigits) + Self.write(seq, Self.seqDigits) }

    private static func write(_ number: UInt64, _ width: Int) -> String {
        let bytes = (0..<width).reversed().map { digits[Int(number >> (5 * UInt64($0)) & 31)] }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func read(_ bytes: ArraySlice<UInt8>) -> UInt64? {
        bytes.reduce(0) { number, byte in
            guard let number, let digit = digits.firstIndex(of: byte) else { return nil }
            return number << 5 | UInt64(digit)
        }
    }
}

extension Journal.Extent { package func id(of seq: UInt64) -> String { PushID(epoch: epoch, seq: seq).text } }

/// A reference to a push in a URL path.
package enum PushReference: Equatable {
    case id(PushID)
    /// `seq:1842`
    case seq(UInt64)
    /// `apns:<apns-id>`
    case apnsID(String)

    package static let expected = "psh_ with 16 characters, seq:<number> or apns:<the apns-id of a response>"

    package init?(_ text: String) {
        if let id = PushID(text) {
            self = .id(id)
        } else if text.hasPrefix("seq:"), let seq = UInt64(digits: String(text.dropFirst(4))) {
            self = .seq(seq)
        } else if text.hasPrefix("apns:"), String(text.dropFirst(5)).isUUID {
            self = .apnsID(String(text.dropFirst(5)))
        } else {
            return nil
        }
    }
}

extension String {
    /// Whether this is a UUID in its canonical form, with capital letters or without.
    var isUUID: Bool {
        var text = self
        return text.withUTF8 { UniqueID.isCanonical(ByteSpan($0), lowerCaseOnly: false) }
    }
}

/// The public id of a connection: `c` and its number.
package struct ConnectionID {
    package let number: UInt64

    package init(_ number: UInt64) { self.number = number }

    package init?(_ text: String) {
        guard text.hasPrefix("c"), let number = UInt64(digits: String(text.dropFirst())) else { return nil }
        self.number = number
    }

    package var text: String { "c\(number)" }
}

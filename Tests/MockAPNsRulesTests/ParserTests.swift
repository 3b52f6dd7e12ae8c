import Foundation
import MockAPNsFormats
import TestSupport
import Testing

@testable import MockAPNsRules

/// The parsers that were written for speed, against slow and obvious ones, on generated input.
@Suite struct ParserTests {
    private static let digits = Array("0123456789abcdefABCDEF".utf8)

    // MARK: - Device tokens

    private static func naiveToken(_ text: [UInt8]) -> [UInt8]? {
        guard (2...200).contains(text.count), text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for start in stride(from: 0, to: text.count, by: 2) {
            let pair = String(decoding: text[start..<start + 2], as: UTF8.self)
            guard pair.utf8.allSatisfy({ digits.contains($0) }), let byte = UInt8(pair, radix: 16) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    @Test func `device token agrees with the naive reader`() {
        var generator = Generator(seed: 12)
        for round in 0..<10_000 {
            // The usual size has a reader of its own.
            var text = generator.array(round % 2 == 0 ? 64...64 : 0...204, of: Self.digits)
            if generator.chance(oneIn: 3) {
                text = generator.damaged(text, with: Self.digits + Array("/:@GgZ`\u{0} +-é".utf8))
            }
            let token = text.withSpan { DeviceToken(hex: $0) }
            #expect(token?.bytes == Self.naiveToken(text), "\(String(decoding: text, as: UTF8.self))")
            guard let token else { continue }
            #expect(token.hex == String(decoding: text, as: UTF8.self).lowercased())
            #expect(DeviceToken(hex: token.hex) == token)
            #expect(DeviceToken(hex: token.hex.uppercased()) == token)
        }
    }

    /// A foreign byte is found wherever it stands.
    @Test(arguments: [2, 62, 64, 66, 200]) func `refuses a device token with a byte that is not hex, at any place`(
        _ count: Int
    ) {
        for place in 0..<count {
            for foreign in Array("gG/:@`".utf8) {
                var text = [UInt8](repeating: UInt8(ascii: "f"), count: count)
                text[place] = foreign
                #expect(text.withSpan { DeviceToken(hex: $0) } == nil)
            }
        }
    }

    @Test func `device tokens of different sizes are different`() {
        let tokens = (1...100).compactMap { DeviceToken(hex: String(repeating: "00", count: $0)) }
        #expect(Set(tokens).count == 100)
        #expect(tokens.map(\.bytes.count) == Array(1...100))
    }

    @Test func `device tokens that differ in a bit are different`() {
        var bytes = [UInt8](repeating: 0, count: 32)
        var seen: Set<DeviceToken> = []
        for bit in 0..<256 {
            bytes[bit / 8] ^= 1 << (bit % 8)
            let token = DeviceToken(hex: HexDigit.text(of: bytes))
            #expect(token?.bytes == bytes)
            if let token { seen.insert(token) }
        }
        #expect(seen.count == 256)
    }

    // MARK: - Names

    /// The words themselves, and each with any one byte changed, one taken out and one put in.
    private static func neighbours(of word: [UInt8]) -> [[UInt8]] {
        var neighbours = [word]
        for place in word.indices {
            for byte in UInt8.min ... .max {
                var changed = word
                changed[place] = byte
                neighbours.append(changed)
            }
            var shorter = word
            shorter.remove(at: place)
            neighbours.append(shorter)
        }
        for place in 0...word.count {
            var longer = word
            longer.insert(UInt8(ascii: "-"), at: place)
            neighbours.append(longer)
        }
        return neighbours
    }

    @Test(arguments: HeaderName.allCases) func `only the exact name of a header is recognized`(_ name: HeaderName) {
        for text in Self.neighbours(of: Array(name.text.description.utf8)) {
            let expected = HeaderName.allCases.first { Array($0.text.description.utf8) == text } ?? .other
            #expect(text.withSpan { HeaderName($0) } == expected)
        }
        if name != .other { #expect(name.text.description.withSpan { HeaderName($0) } == name) }
    }

    @Test(arguments: PushType.allCases) func `only the exact name of a push type is recognized`(_ type: PushType) {
        #expect(type.name.withSpan { PushType($0) } == type)
        for text in Self.neighbours(of: Array(type.name.utf8)) {
            let expected = PushType.allCases.first { Array($0.name.utf8) == text }
            #expect(text.withSpan { PushType($0) } == expected)
        }
    }

    @Test(arguments: ["10", "5", "1"]) func `only 10, 5 and 1 are priorities`(_ number: String) {
        for text in Self.neighbours(of: Array(number.utf8)) {
            let expected = Priority.allCases.first { Array("\($0.rawValue)".utf8) == text }
            #expect(text.withSpan { Priority($0) } == expected)
        }
        #expect(Priority.standard == .immediate)
    }

    @Test func `every documented push type has its topic suffix, and there are no others`() {
        let documented = [
            "accessory": ".push-type.accessory", "alert": "", "background": "", "complication": ".complication",
            "controls": ".push-type.controls", "fileprovider": ".pushkit.fileprovider",
            "liveactivity": ".push-type.liveactivity", "location": ".location-query", "mdm": "",
            "pushtotalk": ".voip-ptt", "voip": ".voip", "widgets": ".push-type.widgets",
        ]
        let rows = PushType.allCases.map { ($0.name, $0.row.topicSuffix.description) }
        #expect(Dictionary(uniqueKeysWithValues: rows) == documented)
        #expect(PushType.allCases.filter { $0.row.payloadLimit != 4_096 } == [.voip])
        #expect(PushType.largestPayload == 5_120)
        #expect(PushType.allCases.filter(\.row.refusesImmediate) == [.background])
        #expect(PushType.allCases.filter(\.row.needsPermission) == [.alert])
        let types: [PushType] = [.alert, .background, .complication, .mdm, .voip]
        #expect(PushType.allCases.filter { !$0.row.needsProviderToken } == types)
    }

    // MARK: - Topics

    @Test func `the suffix of a topic selects its push type as the naive reader does`() {
        var generator = Generator(seed: 13)
        let pieces =
            PushType.allCases.map(\.row.topicSuffix.description) + [
                "com.example", ".app", ".", "voip", "-ptt", ".VOIP", "é",
            ]
        for _ in 0..<10_000 {
            let text = generator.array(0...4, of: pieces).joined()
            // No suffix is the end of another one, so there is at most one that fits.
            let fitting = PushType.allCases.filter {
                !$0.row.topicSuffix.description.isEmpty && text.hasSuffix($0.row.topicSuffix.description)
            }
            #expect(fitting.count <= 1)
            text.withSpan { span in
                let topic = Topic(span)
                #expect(topic.suffixType == fitting.first, "\(text)")
                let suffix = fitting.first?.row.topicSuffix.description ?? ""
                #expect(topic.bundleID.text == String(text.dropLast(suffix.count)))
                #expect(topic.value.text == text)
            }
        }
    }

    // MARK: - Ids and times

    @Test func `IDs are written as UUIDs`() {
        var generator = Generator(seed: 14)
        for _ in 0..<5_000 {
            let id = UniqueID(high: generator.next(), low: generator.next())
            let upper = Self.text(of: id, upperCase: true)
            let lower = Self.text(of: id, upperCase: false)
            let read = UUID(uuidString: upper).map { uuid in withUnsafeBytes(of: uuid.uuid) { Array($0) } }
            #expect(read == Self.bigEndian(id.high) + Self.bigEndian(id.low))
            #expect(upper == upper.uppercased())
            #expect(lower == upper.lowercased())
            #expect(lower.withSpan { UniqueID.isCanonical($0, lowerCaseOnly: true) })
            #expect(upper.withSpan { UniqueID.isCanonical($0, lowerCaseOnly: false) })
            let hasLetters = upper != lower
            #expect(upper.withSpan { UniqueID.isCanonical($0, lowerCaseOnly: true) } == !hasLetters)
        }
    }

    @Test func `canonical IDs agree with the naive reader`() {
        var generator = Generator(seed: 15)
        let alphabet = Self.digits + Array("-gG{} \u{0}_".utf8)
        for _ in 0..<10_000 {
            let id = UniqueID(high: generator.next(), low: generator.next())
            let written = Self.text(of: id, upperCase: generator.chance(oneIn: 2))
            let text = generator.damaged(Array(written.utf8), with: alphabet)
            let groups = String(decoding: text, as: UTF8.self).split(separator: "-", omittingEmptySubsequences: false)
            let isCanonical =
                groups.map(\.utf8.count) == [8, 4, 4, 4, 12]
                && groups.joined().utf8.allSatisfy { Self.digits.contains($0) }
            #expect(text.withSpan { UniqueID.isCanonical($0, lowerCaseOnly: false) } == isCanonical)
            let isLower = isCanonical && !text.contains { (0x41...0x46).contains($0) }
            #expect(text.withSpan { UniqueID.isCanonical($0, lowerCaseOnly: true) } == isLower)
        }
    }

    @Test func `an expiration is read as the naive reader does`() {
        var generator = Generator(seed: 16)
        let numbers = Array("0123456789".utf8)
        for _ in 0..<20_000 {
            // Sizes about the largest number come up often.
            var text = generator.array(generator.chance(oneIn: 2) ? 0...6 : 17...21, of: numbers)
            if generator.chance(oneIn: 3) { text = Array("922337203685477".utf8) + text.prefix(4) }
            if generator.chance(oneIn: 4) { text = generator.damaged(text, with: Array("+-. e/:".utf8)) }
            let isPlain = text.allSatisfy { numbers.contains($0) }
            let expected = isPlain ? Int64(String(decoding: text, as: UTF8.self)) : nil
            #expect(text.withSpan { Expiration($0)?.seconds } == expected, "\(String(decoding: text, as: UTF8.self))")
        }
    }

    private static func bigEndian(_ word: UInt64) -> [UInt8] { withUnsafeBytes(of: word.bigEndian) { Array($0) } }

    private static func text(of id: UniqueID, upperCase: Bool) -> String {
        let bytes = [UInt8](unsafeUninitializedCapacity: UniqueID.textLength) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            id.write(to: start, upperCase: upperCase)
            count = UniqueID.textLength
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

import Testing

@testable import MockAPNsCrypto

@Suite struct ECDSASignatureTests {
    private static func number(_ bytes: [UInt8]) -> [UInt8] { [UInt8](repeating: 0, count: 32 - bytes.count) + bytes }

    static let numbers: [[UInt8]] = [
        number([]), number([1]), number([0x7F]), number([0x80]), number([0xFF]), number([1, 0]), number([0x80, 0]),
        [UInt8](repeating: 0x7F, count: 32), [UInt8](repeating: 0xFF, count: 32),
        [0, 0x80] + [UInt8](repeating: 5, count: 30), [0, 0x7F] + [UInt8](repeating: 5, count: 30),
    ]

    @Test func `numbers of every length are converted to DER and back`() throws {
        for r in Self.numbers {
            for s in Self.numbers {
                let signature = try #require((r + s).withUnsafeBytes { ECDSASignature(raw: $0) })
                let der = signature.der
                #expect((8...72).contains(der.count))
                #expect(der.withUnsafeBytes { ECDSASignature(der: $0) } == signature, "\(r) \(s)")
            }
        }
    }

    static let refused: [(String, [UInt8])] = [
        ("empty", []), ("tag alone", [0x30]), ("empty sequence", [0x30, 0]), ("one integer", [0x30, 3, 2, 1, 1]),
        ("one integer and filler", [0x30, 6, 2, 4, 1, 2, 3, 4]), ("empty integers", [0x30, 4, 2, 0, 2, 0]),
        ("empty r", [0x30, 6, 2, 0, 2, 2, 1, 1]), ("empty s", [0x30, 6, 2, 2, 1, 1, 2, 0]),
        ("negative r", [0x30, 6, 2, 1, 0x80, 2, 1, 1]), ("negative s", [0x30, 6, 2, 1, 1, 2, 1, 0xFF]),
        ("zero padded", [0x30, 7, 2, 2, 0, 1, 2, 1, 1]), ("zero in two bytes", [0x30, 7, 2, 2, 0, 0, 2, 1, 1]),
        ("r runs over the end", [0x30, 6, 2, 5, 1, 2, 1, 1]), ("s runs over the end", [0x30, 6, 2, 1, 1, 2, 2, 1]),
        ("huge length", [0x30, 6, 2, 0xFF, 1, 2, 1, 1]), ("not an integer", [0x30, 6, 4, 1, 1, 2, 1, 1]),
        ("33 bytes", [0x30, 38, 2, 33, 1] + [UInt8](repeating: 0, count: 32) + [2, 1, 1]),
        ("34 bytes", [0x30, 39, 2, 34, 0, 0x80] + [UInt8](repeating: 0, count: 32) + [2, 1, 1]),
    ]

    @Test(arguments: refused) func `refuses all but strict DER`(_ name: String, _ bytes: [UInt8]) {
        #expect(bytes.withUnsafeBytes { ECDSASignature(der: $0) } == nil)
    }

    @Test func `random bytes are refused without a crash`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...80, using: &generator)
            var bytes = (0..<count).map { _ in UInt8.random(in: 0...40, using: &generator) }
            if count > 4 { bytes.replaceSubrange(0..<3, with: [0x30, UInt8(count - 2), 2]) }
            // Whatever parses as strict DER is written back as the same bytes.
            if let signature = bytes.withUnsafeBytes({ ECDSASignature(der: $0) }) { #expect(signature.der == bytes) }
        }
    }
}

import TestSupport
import Testing

@testable import MockAPNsFormats

@Suite struct ArchiveTests {
    private struct Everything: Archived, Equatable {
        var unsigned: [UInt64] = [0, 1, 127, 128, .max]
        var signed: [Int64] = [0, -1, 1, .min, .max]
        var small: [UInt8] = [0, 255]
        var fractions = [0, -0.5, 1e300, .infinity]
        var texts = ["", "a", "ü\u{0}𝄞"]
        var optional: [Int32?] = [nil, -7]
        var isTrue = true
        var set: Set<String> = ["b", "a"]

        init() {}

        func write(to archive: inout ArchiveWriter) {
            archive.write(unsigned)
            archive.write(signed)
            archive.write(small)
            archive.write(fractions)
            archive.write(texts)
            archive.write(optional)
            archive.write(isTrue)
            archive.write(set)
        }

        init(from archive: inout ArchiveReader) throws(ArchiveError) {
            unsigned = try archive.read()
            signed = try archive.read()
            small = try archive.read()
            fractions = try archive.read()
            texts = try archive.read()
            optional = try archive.read()
            isTrue = try archive.read()
            set = try archive.read()
        }
    }

    @Test func `values come back as they were`() throws {
        #expect(try Everything(archive: Everything().archive) == Everything())
    }

    @Test func `the bytes are those of the format`() {
        #expect(UInt64(300).archive == [3, 0xac, 0x02])
        #expect(Int64(-1).archive == [3, 1] && Int64(1).archive == [3, 2])
        #expect(1.0.archive == [3, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f])
        #expect("ab".archive == [3, 2, 0x61, 0x62])
        #expect(["b", "a"].archive == [3, 2, 1, 0x62, 1, 0x61] && Set(["b", "a"]).archive == ["a", "b"].archive)
        #expect((nil as Bool?).archive == [3, 0] && (true as Bool?).archive == [3, 1, 1])
    }

    @Test func `bytes that end too early, go on, or have a wrong value are refused`() throws {
        let whole = Everything().archive
        for end in whole.indices {
            #expect(throws: ArchiveError.cutShort) { try Everything(archive: Array(whole[..<end])) }
        }
        #expect(throws: ArchiveError.badValue) { try Everything(archive: whole + [0]) }
        #expect(throws: ArchiveError.badValue) { try Bool(archive: [3, 2]) }
        #expect(throws: ArchiveError.badValue) { try UInt8(archive: [3, 0x80, 0x02]) }
        #expect(throws: ArchiveError.badValue) { try String(archive: [3, 1, 0xff]) }
        #expect(throws: ArchiveError.badValue) { try UInt64(archive: [3] + Array(repeating: 0xff, count: 10)) }
    }

    @Test func `a count of more than there are bytes reserves no memory`() {
        let most = UInt64.max.archive
        #expect(throws: ArchiveError.cutShort) { try [UInt64](archive: most) }
        #expect(throws: ArchiveError.cutShort) { try String(archive: most) }
    }

    @Test func `another version is named`() {
        for version in [0, 1, 2, 4] as [UInt8] {
            #expect(throws: ArchiveError.otherVersion(version)) { try Bool(archive: [version, 1]) }
        }
    }

    @Test(arguments: UInt64(1)...40) func `changed bytes give a value or an error`(seed: UInt64) {
        var random = Generator(seed: seed)
        for _ in 0..<200 {
            var bytes = Everything().archive
            for _ in 0..<random.number(1...4) {
                bytes[random.number(1...bytes.count - 1)] = UInt8(truncatingIfNeeded: random.next())
            }
            guard let read = try? Everything(archive: bytes) else { continue }
            let again = try? Everything(archive: read.archive)
            #expect(again.map(\.archive) == read.archive)
        }
    }
}

import CMockAPNsIntercept
import Foundation
import Testing

@testable import mock_apns

/// A packet of the domain name system with one question.
struct Question {
    var name: String
    var type: UInt16 = 1
    var family: UInt16 = 1
    var header: [UInt8] = [0xab, 0xcd, 0x01, 0x20, 0, 1, 0, 0, 0, 0, 0, 0]
    /// What follows the question.
    var rest: [UInt8] = []

    /// The record of EDNS that a resolver adds.
    static let extended: [UInt8] = [0, 0, 41, 0x05, 0xc0, 0, 0, 0, 0, 0, 0]

    /// The question without its header.
    var asked: [UInt8] {
        let labels = name.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        return labels + [0] + [type, family].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] }
    }

    var packet: [UInt8] { header + asked + rest }
}

/// The answers that commands get in place of a name server's.
@Suite struct QuestionTests {
    /// The answer to a packet; `nil` if it is passed on.
    private func answer(_ packet: [UInt8]) -> [UInt8]? {
        let names = HostRoutes.names.map { (strdup($0.name), $0.address) }
        defer { for (name, _) in names { free(name) } }
        let rows = names.map { mockapns_intercept_name(name: $0, address: $1) }
        var answer = [UInt8](repeating: 0xee, count: Int(MOCKAPNS_INTERCEPT_ANSWER_SIZE) + 16)
        let size = mockapns_intercept_answer_question(rows, rows.count, packet, packet.count, &answer)
        #expect(answer.suffix(16).allSatisfy { $0 == 0xee })
        return size == 0 ? nil : Array(answer.prefix(size))
    }

    /// The header of an answer with a code and as many records.
    private func header(_ code: UInt8, records: UInt8 = 0) -> [UInt8] {
        [0xab, 0xcd, 0x81, 0x80 | code, 0, 1, 0, records, 0, 0, 0, 0]
    }

    @Test(arguments: [
        ("api.push.apple.com", 1), ("api.sandbox.push.apple.com", 2), ("API.Sandbox.push.apple.COM", 2),
        ("feedback.sandbox.push.apple.com", 11),
    ]) func `a question for a host gets its address`(_ name: String, _ last: UInt8) {
        let record: [UInt8] = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, 127, 197, 0, last]
        for type: UInt16 in [1, 255] {
            for rest in [[], Question.extended] {
                let question = Question(name: name, type: type, rest: rest)
                #expect(answer(question.packet) == header(0, records: 1) + question.asked + record)
            }
        }
    }

    @Test(arguments: [28, 5, 15, 65, 64] as [UInt16]) func `a question for other records of a host gets none`(
        _ type: UInt16
    ) {
        let question = Question(name: "api.push.apple.com", type: type, rest: Question.extended)
        #expect(answer(question.packet) == header(0) + question.asked)
    }

    @Test(arguments: [1, 28] as [UInt16]) func `a host with a search suffix does not exist`(_ type: UInt16) {
        for suffix in ["ns.svc.cluster.local", "com"] {
            let question = Question(name: "api.push.apple.com.\(suffix)", type: type)
            #expect(answer(question.packet) == header(3) + question.asked)
        }
    }

    @Test func `a question that does not want recursion is answered`() {
        let question = Question(name: "api.push.apple.com", type: 28, header: [1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(answer(question.packet)?.prefix(4) == [1, 2, 0x80, 0x80])
    }

    @Test(arguments: [
        "www.apple.com", "push.apple.com", "apple.com", "", "xapi.push.apple.com", "api.push.apple.co",
        "_443._https.api.push.apple.com", "ap.push.apple.com", "api-push.apple.com", "1-courier.push.apple.com",
    ]) func `other names are passed on`(_ name: String) { #expect(answer(Question(name: name).packet) == nil) }

    /// Packets that are not one plain question, by what is special about them.
    private static let others: [(String, [UInt8])] = {
        let name = "api.push.apple.com"
        let plain = Question(name: name)
        func header(_ place: Int, _ value: UInt8) -> [UInt8] {
            var header = plain.header
            header[place] = value
            return header
        }
        let long = [UInt8](repeating: 0x3f, count: 64)
        return [
            ("an answer", Question(name: name, header: header(2, 0x81)).packet),
            ("a notification", Question(name: name, header: header(2, 0x20)).packet),
            ("no question", Question(name: name, header: header(5, 0)).packet),
            ("two questions", Question(name: name, header: header(5, 2), rest: plain.asked).packet),
            ("257 questions", Question(name: name, header: header(4, 1)).packet),
            ("another class", Question(name: name, family: 3).packet),
            ("a label that is a pointer", plain.header + [0xc0, 12, 0, 1, 0, 1]),
            ("a pointer in the name", plain.header + [3, 0x61, 0x70, 0x69, 0xc0, 12, 0, 1, 0, 1]),
            ("a dot in a label", plain.header + [8] + Array("api.push".utf8) + plain.asked.dropFirst(9)),
            ("a label beyond the end", plain.header + [63, 0x61]),
            ("a name that is too long", plain.header + long + long + long + long + [0, 0, 1, 0, 1]),
            ("labels without an end", plain.header + Array((0..<40).map { _ in long }.joined())), ("nothing", []),
            ("zeros", [UInt8](repeating: 0, count: 512)), ("ones", [UInt8](repeating: 0xff, count: 65_535)),
        ]
    }()

    @Test(arguments: others) func `anything else is passed on`(_ what: String, _ packet: [UInt8]) {
        #expect(answer(packet) == nil, "\(what)")
    }

    @Test func `a packet that was cut off is passed on`() {
        let packet = Question(name: "api.push.apple.com").packet
        for size in 0..<packet.count { #expect(answer(Array(packet.prefix(size))) == nil, "\(size)") }
        #expect(answer(packet) != nil)
    }

    @Test func `the longest name with a suffix is answered`() {
        let host = "api.push.apple.com"
        // 255 bytes with the lengths of the labels and the end.
        let labels = [63, 63, 63, 42].map { String(repeating: "a", count: $0) }.joined(separator: ".")
        let question = Question(name: "\(host).\(labels)")
        #expect(question.asked.count == 255 + 4)
        #expect(answer(question.packet) == header(3) + question.asked)
        #expect(answer(Question(name: "\(host).\(labels)a").packet) == nil)
    }

    @Test func `random changes of a packet never lead outside of it`() {
        var generator = SystemRandomNumberGenerator()
        let packet = Question(name: "api.push.apple.com.ns.svc", rest: Question.extended).packet
        for _ in 0..<2_000 {
            var changed = packet
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                changed[Int.random(in: 0..<changed.count, using: &generator)] = .random(in: 0...255)
            }
            changed.removeLast(Int.random(in: 0...changed.count, using: &generator))
            guard let answer = answer(changed) else { continue }
            #expect(answer.starts(with: changed.prefix(2)) && answer[2] & 0x80 != 0)
        }
    }
}

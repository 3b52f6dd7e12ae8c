import TestSupport
import Testing

@testable import MockAPNsWorld

/// The numbers of topics.
@Suite struct TopicNamesTests {
    @Test func `an unknown topic is number 0`() {
        let names = TopicNames()
        #expect(names.number("com.example.app") == 0 && names.number("") == 0)
        #expect(names.name(0) == "" && names.name(1) == "")
    }

    @Test func `a topic keeps its number while it is used`() {
        var names = TopicNames()
        let (app, voip) = (names.retain("com.example.app"), names.retain("com.example.app.voip"))
        #expect(app != voip && app != 0 && voip != 0)
        for _ in 0..<3 { #expect(names.retain("com.example.app") == app) }
        for _ in 0..<3 {
            names.release(app)
            #expect(names.number("com.example.app") == app && names.name(app) == "com.example.app")
        }
        names.release(app)
        #expect(names.number("com.example.app") == 0 && names.name(app) == "")
        #expect(names.number("com.example.app.voip") == voip)
    }

    /// Who remembers the old number must not take the new topic for the old one.
    @Test func `a number is never used again`() {
        var names = TopicNames()
        var seen: Set<UInt32> = []
        for round in 0..<100 {
            let number = names.retain(round % 3 == 0 ? "com.example.app" : "com.example.\(round)")
            #expect(seen.insert(number).inserted)
            names.release(number)
        }
    }

    @Test(arguments: ["com.example.App", "com.example.app ", "com.example", "", "com.example.app.voip"])
    func `topics are compared to the byte`(other: String) {
        var names = TopicNames()
        let number = names.retain("com.example.app")
        #expect(names.number(other) == 0)
        #expect(names.retain(other) != number)
    }

    @Test func `releasing an unknown topic changes nothing`() {
        var names = TopicNames()
        let number = names.retain("com.example.app")
        let version = names.version
        for stranger in [0, number + 1, .max] { names.release(stranger) }
        #expect(names.number("com.example.app") == number && names.version == version)
    }

    /// The version tells those who remember numbers when to forget them.
    @Test(arguments: 1...10) func `agrees with a dictionary`(seed: UInt64) {
        var random = Generator(seed: seed)
        let topics = (0..<8).map { "com.example.app\($0)" }
        var names = TopicNames()
        var model: [String: (number: UInt32, users: Int)] = [:]
        var highest: UInt32 = 0
        for _ in 0..<2_000 {
            let topic = random.pick(topics)
            let (known, version) = (Set(model.keys), names.version)
            if random.number(0...1) == 0 {
                let number = names.retain(topic)
                if let entry = model[topic] {
                    #expect(number == entry.number)
                } else {
                    #expect(number > highest)
                    highest = number
                }
                model[topic] = (number, (model[topic]?.users ?? 0) + 1)
            } else if let entry = model[topic] {
                names.release(entry.number)
                model[topic] = entry.users == 1 ? nil : (entry.number, entry.users - 1)
            }
            #expect((names.version != version) == (Set(model.keys) != known))
            for topic in topics { #expect(names.number(topic) == model[topic]?.number ?? 0) }
            for (topic, entry) in model { #expect(names.name(entry.number) == topic) }
        }
        #expect(highest > 20)
    }

    @Test func `copies do not share changes`() {
        var names = TopicNames()
        let app = names.retain("com.example.app")
        let copy = names
        names.release(app)
        #expect(copy.number("com.example.app") == app && names.number("com.example.app") == 0)
        #expect(copy.version != names.version)
    }
}

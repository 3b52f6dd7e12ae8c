import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// The names of devices and their apps.
@Suite struct DeviceArgumentTests {
    @Test(
        arguments: [
            ("alice", "@alice", .label), ("@alice", "@alice", .label), ("@cafe", "@cafe", .label),
            ("abc", "@abc", .label), ("my phone", "@my phone", .label),
            ("dev_0000000000000003", "dev_0000000000000003", .id), ("CAFE", "cafe", .token),
            (String(repeating: "Ab", count: 32), String(repeating: "ab", count: 32), .token),
            (String(repeating: "ab", count: 101), "@" + String(repeating: "ab", count: 101), .label),
        ] as [(String, String, DeviceArgument.Kind)]) func `reads names of devices`(
            _ text: String, _ reference: String, _ kind: DeviceArgument.Kind
        )
    {
        let argument = DeviceArgument(argument: text)
        #expect(argument?.reference == reference)
        #expect(argument?.kind == kind)
    }

    @Test(arguments: ["", "@"]) func `refuses empty names`(_ text: String) {
        #expect(DeviceArgument(argument: text) == nil)
    }

    @Test func `a label that looks like a token is explained`() {
        #expect(DeviceArgument(argument: "cafe")?.hint?.contains("use @cafe") == true)
        #expect(DeviceArgument(argument: String(repeating: "ab", count: 32))?.hint == nil)
        #expect(DeviceArgument(argument: "alice")?.hint == nil)
    }

    private static let phone = Samples.device(registrations: [
        Samples.registration(token: "aa", topic: "com.a"),
        Samples.registration(token: "bb", topic: "com.b", state: "inactive"),
        Samples.registration(token: "cc", topic: "com.gone", state: "uninstalled"),
        Samples.registration(token: "dd", topic: "com.twice"),
        Samples.registration(token: "ee", topic: "com.twice", environment: "production"),
    ])

    @Test(arguments: [
        (["alice", "--topic", "com.a"], "aa"), (["alice", "--topic", "com.b"], "bb"),
        (["dd", "--topic", "com.twice"], "dd"), (["ee", "--topic", "com.twice"], "ee"),
    ]) func `finds the app`(_ arguments: [String], _ token: String) throws {
        let device = try Samples.decoded(Self.phone, as: DeviceShape.self)
        #expect(try AppArgument.parse(arguments).token(in: device) == token)
    }

    @Test func `the only app needs no topic`() throws {
        let phone = Samples.device(registrations: [
            Samples.registration(token: "cc", topic: "com.a", state: "rotated"),
            Samples.registration(token: "aa", topic: "com.a"),
        ])
        let device = try Samples.decoded(phone, as: DeviceShape.self)
        #expect(try AppArgument.parse(["alice"]).token(in: device) == "aa")
    }

    @Test(arguments: [
        (["alice"], "alice has several apps; choose one by its device token\n  com.a  sandbox  aa\n"),
        (
            ["alice", "--topic", "com.twice"],
            "alice has several apps with the topic com.twice; choose one by its device token\n"
                + "  com.twice  sandbox  dd\n  com.twice  production  ee"
        ), (["alice", "--topic", "com.gone"], "the app com.gone on alice is already uninstalled"),
        (["alice", "--topic", "com.x"], "alice has no app with the topic com.x; its topics: com.a, com.b, com.twice"),
    ]) func `reports several or no apps`(_ arguments: [String], _ words: String) throws {
        let device = try Samples.decoded(Self.phone, as: DeviceShape.self)
        let failure = #expect(throws: CommandFailure.self) { try AppArgument.parse(arguments).token(in: device) }
        #expect(failure?.status == .usage)
        #expect(failure?.message.hasPrefix(words) == true, "\(failure?.message ?? "")")
    }

    @Test func `asks for a topic where that is enough`() throws {
        let phone = Samples.device(registrations: [
            Samples.registration(token: "aa", topic: "com.a"), Samples.registration(token: "bb", topic: "com.b"),
        ])
        let device = try Samples.decoded(phone, as: DeviceShape.self)
        let failure = #expect(throws: CommandFailure.self) { try AppArgument.parse(["alice"]).token(in: device) }
        #expect(failure?.message.hasPrefix("alice has several apps; choose one with --topic\n") == true)
        let none = try Samples.decoded(Samples.device(registrations: []), as: DeviceShape.self)
        let absence = #expect(throws: CommandFailure.self) { try AppArgument.parse(["alice"]).token(in: none) }
        #expect(absence?.message == "alice has no installed app")
    }
}

import Foundation
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// Client commands against a scripted API.
@Suite struct ClientCommandTests {
    private static let token = String(repeating: "ab", count: 32)
    private static let change = #"{"registration":\#(Samples.registration()),\#(Samples.report())}"#
    private static let clock =
        #"{"mode":"frozen","now":"2030-01-01T00:00:00.000000Z","offsetSeconds":0,"nextDue":null,\#(Samples.report())}"#

    private static let channel = #"""
        {"bundleId":"com.a","createdAt":"2026-01-05T10:11:12.000000Z","environment":"sandbox","id":"ab",\#
        "metrics":{"delivered":1,"published":2,"subscriptions":3,"uniqueSubscribers":1},"storagePolicy":1,\#
        "stored":null,"subscribers":[{"device":"dev_0000000000000003","label":"alice","lastDelivered":null,\#
        "state":"online","waiting":false}]}
        """#

    /// A command, its requests and the API's responses.
    struct Case: CustomTestStringConvertible, Sendable {
        let line: [String]
        let asked: [String]
        let answers: [String]

        init(_ line: String, _ asked: [String], _ answers: [String]) {
            self.line = line.split(separator: " ").map(String.init)
            self.asked = asked
            self.answers = answers
        }

        var testDescription: String { line.joined(separator: " ") }
    }

    private static let activities =
        #"{"activities":[\#(Samples.activity()),\#(Samples.activity(id: "act_2", state: "dismissed"))]}"#

    static let cases: [Case] = [
        Case("devices list", ["GET /api/v1/devices "], [Samples.whole(DevicePageShape.self, "{}")]),
        Case(
            "devices list --state offline --topic com.a --query a&b --limit 5",
            ["GET /api/v1/devices?state=offline&topic=com.a&q=a%26b&limit=5 "],
            [Samples.whole(DevicePageShape.self, "{}")]),
        Case(
            "apps schema list com.a", ["GET /api/v1/apps/com.a/schemas "],
            [#"{"schemas":[{"name":"payload","size":2,"topic":"com.a"}]}"#]),
        Case(
            "apps schema put com.a payload /dev/null", ["PUT /api/v1/apps/com.a/schemas/payload "],
            [#"{"name":"payload","size":2,"topic":"com.a"}"#]),
        Case("devices show alice", ["GET /api/v1/devices/@alice "], [Samples.device()]),
        Case("devices show dev_0000000000000003", ["GET /api/v1/devices/dev_0000000000000003 "], [Samples.device()]),
        Case(
            "devices add --label alice --topic com.a --topic com.b --environment production --offline --low-power",
            [
                #"POST /api/v1/devices {"label":"alice","lowPower":true,"registrations":[{"environment":"production","topic":"com.a"},{"environment":"production","topic":"com.b"}],"state":"offline"}"#
            ], [Samples.device()]),
        Case(
            "devices add --topic com.a --token \(token)",
            [#"POST /api/v1/devices {"registrations":[{"token":"\#(token)","topic":"com.a"}]}"#], [Samples.device()]),
        Case(
            "devices add --label alice --os 17.4",
            [#"POST /api/v1/devices {"label":"alice","os":"17.4","registrations":[]}"#], [Samples.device()]),
        Case("devices activity list alice", ["GET /api/v1/devices/@alice/activities "], [activities]),
        Case(
            "devices activity show alice act_7", ["GET /api/v1/devices/@alice/activities/act_7 "], [Samples.activity()]),
        Case(
            "devices activity dismiss alice",
            ["GET /api/v1/devices/@alice/activities ", "POST /api/v1/devices/@alice/activities/act_1/dismiss {}"],
            [activities, Samples.activity()]),
        Case(
            "devices activity rotate alice act_1", ["POST /api/v1/devices/@alice/activities/act_1/rotate {}"],
            [Samples.activity()]),
        Case(
            #"devices activity start alice --topic com.a --type Ride --state {"minutes":5} --environment production"#,
            [
                #"POST /api/v1/devices/@alice/activities {"attributesType":"Ride","contentState":{"minutes":5},"environment":"production","topic":"com.a"}"#
            ], [Samples.activity()]),
        Case(
            "devices add --label ipad --mdm --push-magic M-7",
            [
                #"POST /api/v1/devices {"label":"ipad","pushMagic":"M-7","registrations":[{"topic":"com.apple.mgmt.External.mock"}]}"#
            ], [Samples.device()]),
        Case(
            "devices add --mdm --push-magic M-7 --topic com.apple.mgmt.External.1",
            [#"POST /api/v1/devices {"pushMagic":"M-7","registrations":[{"topic":"com.apple.mgmt.External.1"}]}"#],
            [Samples.device()]),
        Case(
            "devices add --label bob", [#"POST /api/v1/devices {"label":"bob","registrations":[]}"#], [Samples.device()]
        ),
        Case(
            "devices online alice", [#"PATCH /api/v1/devices/@alice {"state":"online"}"#],
            [#"{"device":\#(Samples.device()),\#(Samples.report())}"#]),
        Case(
            "devices offline @alice", [#"PATCH /api/v1/devices/@alice {"state":"offline"}"#],
            [#"{"device":\#(Samples.device()),\#(Samples.report())}"#]),
        Case(
            "devices uninstall \(token)", [#"PATCH /api/v1/registrations/\#(token) {"state":"uninstalled"}"#], [change]),
        Case(
            "devices uninstall alice",
            ["GET /api/v1/devices/@alice ", #"PATCH /api/v1/registrations/\#(Samples.token) {"state":"uninstalled"}"#],
            [Samples.device(), change]),
        Case(
            "devices rotate alice --topic com.example.app",
            ["GET /api/v1/devices/@alice ", "POST /api/v1/registrations/\(Samples.token)/rotate {}"],
            [Samples.device(), Samples.registration().dropLast() + #","previous":"\#(Samples.token)"}"#]),
        Case(
            "devices rotate \(token) --token beef", [#"POST /api/v1/registrations/\#(token)/rotate {"token":"beef"}"#],
            [Samples.registration().dropLast() + #","previous":"\#(token)"}"#]),
        Case(
            "devices app \(token) --state forceQuit --notifications off",
            [#"PATCH /api/v1/registrations/\#(token) {"appState":"forceQuit","notificationsEnabled":false}"#], [change]),
        Case(
            "devices app \(token) --notifications on",
            [#"PATCH /api/v1/registrations/\#(token) {"notificationsEnabled":true}"#], [change]),
        Case("devices inbox alice", ["GET /api/v1/devices/@alice/inbox "], [Samples.whole(InboxShape.self, "{}")]),
        Case("devices stored alice", ["GET /api/v1/devices/@alice/stored "], [Samples.whole(StoredShape.self, "{}")]),
        Case(
            "send --to @alice --title Hi --priority 5 --header x-a=b=c --header apns-topic --push-type alert",
            [
                #"POST /api/v1/pushes/send {"headers":{"apns-topic":null,"x-a":"b=c"},"priority":"5","pushType":"alert","title":"Hi","token":"@alice"}"#
            ],
            [
                #"{"push":\#(Samples.pushInFull()),"response":{"status":200,"body":"","headers":[],"durationMs":1,"packet":null},"page":"http://127.0.0.1:1/p/psh_1"}"#
            ]),
        Case(
            "send --ns t-42 --body Hi --topic com.a --expiration 0 --collapse-id a",
            [
                #"POST /api/v1/namespaces/t-42/pushes/send {"body":"Hi","collapseId":"a","expiration":"0","topic":"com.a"}"#
            ],
            [
                #"{"push":\#(Samples.pushInFull()),"response":{"status":200,"body":"","headers":[],"durationMs":1,"packet":null},"page":null}"#
            ]),
        Case(
            "send --dry-run --text {", [#"POST /api/v1/pushes/check {"text":"{"}"#],
            [
                Samples.whole(
                    PushCheckShape.self,
                    #"{"verdict":{"outcome":"accepted","status":200,"reason":null,"meaning":null,"hint":null}}"#)
            ]),
        Case(
            "resend psh_0000010000000001", ["POST /api/v1/pushes/psh_0000010000000001/resend {}"],
            [
                #"{"push":\#(Samples.pushInFull()),"response":{"status":200,"body":"","headers":[],"durationMs":1,"packet":null},"page":null}"#
            ]),
        Case(
            "resend latest --ns t-42",
            [
                "GET /api/v1/namespaces/t-42/pushes/latest ",
                "POST /api/v1/namespaces/t-42/pushes/psh_0000010000000001/resend {}",
            ],
            [
                Samples.pushInFull(),
                #"{"push":\#(Samples.pushInFull()),"response":{"status":200,"body":"","headers":[],"durationMs":1,"packet":null},"page":null}"#,
            ]), Case("feedback", ["GET /api/v1/feedback "], [#"{"feedback":[]}"#]),
        Case(
            "feedback list --since 2026-01-05T10:00:00+01:00",
            ["GET /api/v1/feedback?since=2026-01-05T10%3A00%3A00%2B01%3A00 "], [#"{"feedback":[]}"#]),
        Case("feedback clear", ["DELETE /api/v1/feedback "], [#"{"deleted":3}"#]),
        Case("clock", ["GET /api/v1/clock "], [clock]),
        Case("clock freeze", [#"PUT /api/v1/clock {"mode":"frozen"}"#], [clock]),
        Case("clock freeze T", [#"PUT /api/v1/clock {"mode":"frozen","now":"T"}"#], [clock]),
        Case("clock set T", [#"PUT /api/v1/clock {"mode":"frozen","now":"T"}"#], [clock]),
        Case("clock advance 1h", [#"POST /api/v1/clock/advance {"by":"1h"}"#], [clock]),
        Case("clock real", [#"PUT /api/v1/clock {"mode":"real"}"#], [clock]),
        Case("settings", ["GET /api/v1/settings "], [#"{"auth":"any","deviceRate":null,"errorLimit":3}"#]),
        Case("settings show --ns a", ["GET /api/v1/namespaces/a/settings "], [#"{"strict":true}"#]),
        Case(
            "settings set strict=false auth=any deviceRate=10/1s errorLimit=3 unknownTokens=null x=",
            [
                #"PATCH /api/v1/settings {"auth":"any","deviceRate":"10/1s","errorLimit":3,"strict":false,"unknownTokens":null,"x":""}"#
            ], [#"{"auth":"any"}"#]),
        Case(
            "channels create com.a --environment production --storage none",
            [#"POST /api/v1/channels {"environment":"production","storagePolicy":0,"topic":"com.a"}"#], [Self.channel]),
        Case(
            "channels list --topic com.a --limit 2", ["GET /api/v1/channels?topic=com.a&limit=2 "],
            [#"{"channels":[\#(Self.channel)],"matched":1}"#]),
        Case("channels show a/b==", ["GET /api/v1/channels/a%2Fb%3D%3D "], [Self.channel]),
        Case(
            "devices subscribe alice --topic com.a --channel ab",
            [#"POST /api/v1/devices/@alice/subscriptions {"channel":"ab","topic":"com.a"}"#],
            [#"{"bundleId":"com.a","channel":"ab","environment":"sandbox","lastDelivered":null,"waiting":false}"#]),
        Case("keys list", ["GET /api/v1/keys "], [#"{"keys":[],"auth":"verify"}"#]),
        Case(
            "reset --ns t-42", ["POST /api/v1/namespaces/t-42/reset {}"],
            [#"{"epoch":8,"seq":2,"cleared":{},"connections":"open"}"#]),
        Case("ns list --ns t-42", ["GET /api/v1/namespaces "], [#"{"namespaces":[]}"#]),
        Case(
            "ns create a --no-listener --ttl 5m --inherit b --environment production",
            [
                #"POST /api/v1/namespaces {"environment":"production","inherit":"b","listener":false,"name":"a","ttl":"5m"}"#
            ], [Samples.whole(NamespaceShape.self, #"{"name":"a","api":"x","ttlSeconds":300}"#)]),
        Case("reset", ["POST /api/v1/reset {}"], [#"{"epoch":8,"seq":2,"cleared":{},"connections":"open"}"#]),
        Case(
            "reset --only pushes,devices --only clock --close-connections",
            [#"POST /api/v1/reset {"connections":"close","only":["pushes","devices","clock"]}"#],
            [#"{"epoch":8,"seq":2,"cleared":{},"connections":"closed"}"#]),
    ]

    @Test(arguments: cases) func `prints the JSON of the API`(_ example: Case) throws {
        let api = try FakeAPI(example.answers.map { .json($0) })
        let outcome = try Program.run(example.line + ["--api", api.url])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked.map { "\($0.method) \($0.target) \($0.body)" } == example.asked)
        #expect(outcome.output == (example.answers.last ?? "") + "\n")
        #expect(outcome.errors == "")
    }

    @Test(arguments: cases) func `prints a text with --table`(_ example: Case) throws {
        let api = try FakeAPI(example.answers.map { .json($0) })
        let outcome = try Program.run(example.line + ["--table"], environment: ["MOCK_APNS_API": api.url + "/"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        // Not the JSON of the API; a Live Activity shows its own.
        #expect(!outcome.output.hasPrefix("{") && !outcome.output.contains("\"state\""))
        // Messages, such as that a list is empty, go to standard error.
        #expect(outcome.output.isEmpty != outcome.errors.isEmpty, "\(outcome)")
    }

    /// Commands whose output is a schema, for a file; with the text of its first answer.
    static let schemas: [(line: String, asked: String, answer: String, output: String, errors: String)] = [
        (
            "apps schema show com.a content-state:A", "/api/v1/apps/com.a/schemas/content-state%3AA",
            #"{"name":"content-state:A","schema":{"type":"object"},"size":2,"topic":"com.a"}"#,
            "{\n  \"type\": \"object\"\n}\n", ""
        ),
        (
            "apps schema infer --from pushes com.a payload", "/api/v1/apps/com.a/schemas/payload/inferred",
            #"{"name":"payload","pushes":2,"schema":{},"topic":"com.a"}"#, "{}\n", "mock-apns: made from 2 pushes\n"
        ),
    ]

    @Test(arguments: schemas, [[], ["--table"], ["--json"]]) func `prints a schema alone, unless JSON is asked for`(
        _ example: (line: String, asked: String, answer: String, output: String, errors: String), format: [String]
    ) throws {
        let api = try FakeAPI([.json(example.answer)])
        let outcome = try Program.run(
            example.line.split(separator: " ").map(String.init) + ["--api", api.url] + format)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(api.asked.map { "\($0.method) \($0.target)" } == ["GET \(example.asked)"])
        #expect(outcome.output == (format == ["--json"] ? example.answer + "\n" : example.output))
        #expect(outcome.errors == example.errors)
    }

    @Test func `a file is sent as it is`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let text = "[ {\"label\": \"é\"},\n {} ]\n"
        try Data(text.utf8).write(to: file)
        let answer =
            #"{"created":1,"updated":2,"devices":[{"id":"dev_1","label":"é","registrations":[{"token":"\#(Samples.token)","topic":"com.a","environment":"sandbox"}]}],\#(Samples.report())}"#
        let api = try FakeAPI([.json(answer), .json(answer)])
        let outcome = try Program.run(["devices", "add", "--file", file.path, "--api", api.url, "--no-json"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            outcome.output == """
                DEVICE  ID     TOPIC  ENVIRONMENT  TOKEN
                é       dev_1  com.a  sandbox      3f2a0000…9c01

                """)
        #expect(outcome.errors == "mock-apns: 1 created, 2 changed\n")
        let piped = try Program.run(["devices", "add", "--file", "-", "--api", api.url], input: text)
        #expect(piped.output == answer + "\n")
        #expect(
            api.asked == Array(repeating: FakeAPI.Asked(method: "PUT", target: "/api/v1/devices", body: text), count: 2)
        )
    }

    @Test(arguments: [["auth"], ["=any"], ["auth=any", "auth=verify"], []])
    func `settings need a name once and a value`(_ changes: [String]) throws {
        let outcome = try Program.run(["settings", "set"] + changes + ["--api", "http://127.0.0.1:1"])
        #expect(outcome.status == 64, "\(outcome.errors)")
    }

    @Test func `settings are a line each`() throws {
        let api = try FakeAPI([.json(#"{"strict":true,"deviceRate":null,"auth":"any","errorLimit":3}"#)])
        let outcome = try Program.run(["settings", "--api", api.url, "--table"])
        #expect(outcome.output == "auth        any\ndeviceRate  none\nerrorLimit  3\nstrict      true\n")
    }

    static let removals: [(command: String, target: String, body: String, told: String)] = [
        ("devices forget alice", "/api/v1/devices/@alice", "", "@alice removed"),
        ("channels rm a/b==", "/api/v1/channels/a%2Fb%3D%3D", "", "a/b== removed"),
        (
            "devices unsubscribe alice --topic com.a --channel ab", "/api/v1/devices/@alice/subscriptions",
            #"{"channel":"ab","topic":"com.a"}"#, "ab removed"
        ), ("certs revoke 5F3A", "/api/v1/certificates/5F3A", "", "5F3A revoked"),
    ]

    @Test(arguments: removals) func `removing has no result`(
        command: String, target: String, body: String, told: String
    ) throws {
        let api = try FakeAPI([.empty, .empty])
        let line = command.split(separator: " ").map(String.init) + ["--api", api.url]
        let silent = try Program.run(line)
        #expect(silent.status == 0 && silent.output == "" && silent.errors == "")
        let loud = try Program.run(line + ["--table"])
        #expect(loud.status == 0 && loud.output == "" && loud.errors == "mock-apns: \(told)\n")
        #expect(api.asked.first == FakeAPI.Asked(method: "DELETE", target: target, body: body))
    }

    private static let refusal =
        #"{"title":"T","status":409,"detail":"The label is taken.","errors":[{"path":"/label","message":"is 'alice'","suggestion":"alice2"}]}"#

    @Test(arguments: [400, 404, 409, 413, 422, 503]) func `a refusal goes to standard error`(_ status: Int) throws {
        let api = try FakeAPI([.json(Self.refusal, status: status)])
        let outcome = try Program.run(["devices", "add", "--label", "alice", "--api", api.url])
        #expect(outcome.status == (status >= 500 ? 69 : 64))
        #expect(outcome.output == "")
        #expect(outcome.errors == "mock-apns: the label is taken\n  label: is 'alice'; did you mean 'alice2'?\n")
    }

    @Test func `a hexadecimal label that is not found is explained`() throws {
        let api = try FakeAPI([
            .json(#"{"title":"T","detail":"There is no device 'cafe'."}"#, status: 404),
            .json(#"{"title":"T","detail":"Something else."}"#, status: 409),
        ])
        let unknown = try Program.run(["devices", "online", "cafe", "--api", api.url])
        #expect(
            unknown.errors == """
                mock-apns: there is no device 'cafe'
                  'cafe' is read as a device token; for a label, use @cafe

                """)
        #expect(try Program.run(["devices", "online", "cafe", "--api", api.url]).errors.contains("@cafe") == false)
    }

    @Test(arguments: [
        (["HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-type: text/html\r\n\r\nhi"], "is not a debug API"),
        (["HTTP/1.1 500 X\r\ncontent-length: 0\r\n\r\n"], "(status 500) is not a debug API"),
        (["SSH-2.0-OpenSSH\r\n"], "does not speak HTTP"), ([], "closed the connection before the end of its response"),
        (["HTTP/1.1 200 OK\r\ncontent-length: 200\r\n\r\n{"], "127.0.0.1"),
    ]) func `reports a server that is not mock-apns`(_ pieces: [String], _ words: String) throws {
        let api = try FakeAPI([FakeAPI.Script(pieces: pieces)])
        let outcome = try Program.run(["clock", "--api", api.url])
        #expect(outcome.status == 69)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(api.url) && outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func `a response of another version is an internal error`() throws {
        let api = try FakeAPI([.json("{}"), .json("{}")])
        let outcome = try Program.run(["clock", "--api", api.url, "--table"])
        #expect(outcome.status == 70)
        #expect(outcome.errors.contains("'offsetSeconds' is missing"))
        #expect(try Program.run(["clock", "--api", api.url]).output == "{}\n")
    }

    @Test func `a piped response ends with one line feed`() throws {
        let api = try FakeAPI([.json("{}\n")])
        #expect(try Program.run(["clock", "--api", api.url]).output == "{}\n")
    }
}

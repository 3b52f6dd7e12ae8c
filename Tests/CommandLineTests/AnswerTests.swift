import MockAPNsClient
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// The exact text of the API's responses.
@Suite struct AnswerTests {
    @Test func `devices are in columns`() throws {
        let devices = [
            Samples.device(registrations: [
                Samples.registration(), Samples.registration(token: "ab", topic: "com.example.app.voip"),
                Samples.registration(token: "cd", topic: "com.gone", state: "rotated"),
            ]), Samples.device(label: "null", state: "offline", lowPower: true, connectedClients: 1, registrations: []),
        ]
        let page = try Samples.decoded(
            #"{"devices":[\#(devices.joined(separator: ","))],"matched":2,"total":2,"note":null,"more":1}"#,
            as: DevicePageShape.self)
        #expect(
            APIObject<DeviceShape>.table(page.devices, full: false) == """
                DEVICE                STATE                          STORED  DELIVERED  LAST PUSH             TOPIC                 TOKEN
                alice                 online                              1          3  psh_0000010000000001  com.example.app       3f2a0000…9c01
                                                                                                              com.example.app.voip  ab
                dev_0000000000000003  offline, low power, connected       1          3  psh_0000010000000001  -                     -
                """)
        #expect(APIObject<DeviceShape>.table(page.devices, full: true).contains("  \(Samples.token)\n"))
    }

    @Test func `prints Live Activities`() throws {
        let ignored = #"[{"push":"psh_0000010000000003","at":"T","code":"no-aps","text":"No aps."}]"#
        let activity = try Samples.decoded(Samples.activity(ignored: ignored), as: ActivityShape.self)
        #expect(
            APIObject<ActivityShape>.table([activity], full: false) == """
                ACTIVITY  STATE   TYPE  TOPIC                                   STARTED               LAST PUSH             IGNORED  TOKEN OR CHANNEL
                act_1     active  Ride  com.example.app.push-type.liveactivity  2026-01-05 10:11:12Z  psh_0000010000000001        1  3f2a0000…9c01
                """)
        #expect(
            activity.sheet == """
                activity       act_1
                state          active
                type           Ride
                topic          com.example.app.push-type.liveactivity (sandbox)
                token          \(Samples.token)
                started        2026-01-05T10:11:12.345678Z by a push
                stale          2026-01-05T10:30:00.000000Z
                last push      psh_0000010000000001
                attributes     {"ride":1}
                content state  {"minutes":5}

                ignored
                  psh_0000010000000003  no-aps: No aps.
                """)
    }

    @Test(
        arguments: [
            (0, 0, 0, "null", "No devices. mock-apns devices add --label alice --topic com.example.app creates one."),
            (0, 0, 7, "null", "No matching devices; there are 7."), (1, 1, 7, "null", nil),
            (1, 3, 7, "null", "1 of 3 devices shown; --limit 3 shows more"),
            (1, 3_000, 7_000, "null", "1 of 3000 devices shown; --limit 1000 shows more"),
            (1, 1, 1, #""5 were\nforgotten""#, "5 were forgotten"),
            (1, 2, 2, #""x""#, "1 of 2 devices shown; --limit 2 shows more\nx"),
        ] as [(Int, Int, Int, String, String?)]) func `a list reports what it does not show`(
            _ count: Int, _ matched: Int, _ total: Int, _ note: String, _ text: String?
        ) throws
    {
        let devices = Array(repeating: Samples.device(), count: count).joined(separator: ",")
        let page = try Samples.decoded(
            #"{"devices":[\#(devices)],"matched":\#(matched),"total":\#(total),"note":\#(note)}"#,
            as: DevicePageShape.self)
        #expect(DevicesListCommand.note(page) == text)
    }

    @Test func `prints a device with its apps`() throws {
        let text = Samples.device(
            state: "offline",
            registrations: [
                Samples.registration(
                    stored: #""stored":"psh_0000010000000009","storedUntil":"2026-01-06T10:11:12.000000Z""#),
                Samples.registration(token: "ab", topic: "com.gone", state: "uninstalled"),
            ])
        #expect(
            try Samples.decoded(text, as: DeviceShape.self).sheet == """
                device     alice  dev_0000000000000003
                state      offline since 2026-01-05 10:11:12Z
                origin     described
                badge      2
                pushes     3 delivered, 1 discarded, 1 waiting
                last push  psh_0000010000000001
                channels   ASNFZ4mrze/+3LqYdlQyEA==

                com.example.app (sandbox)
                  token      \(Samples.token)
                  state      registered
                  app        background, notifications on
                  badge      none
                  pushes     4 accepted, 3 delivered, 1 discarded
                  last push  none
                  waiting    psh_0000010000000009 until 2026-01-06 10:11:12Z

                com.gone (sandbox)
                  token      ab
                  state      uninstalled since 2026-01-05 10:11:12Z
                  app        background, notifications on
                  badge      none
                  pushes     4 accepted, 3 delivered, 1 discarded
                  last push  none
                """)
        let bare = try Samples.decoded(Samples.device(label: "null", registrations: []), as: DeviceShape.self)
        #expect(bare.sheet.hasPrefix("device     dev_0000000000000003\nstate      online\n"))
        #expect(bare.sheet.hasSuffix("\n\nno apps"))
    }

    @Test func `prints the inbox as notifications`() throws {
        let inbox = try Samples.decoded(
            #"""
            {"device":"dev_3","label":"alice","badge":2,"note":null,"notifications":[
            {"deliveredAt":"2026-01-05T10:11:14.5Z","topic":"com.example.app","title":"Order placed","subtitle":"No. 7",
             "body":"On its\nway\u001b[31m","badge":2,"reaction":{"summary":"Banner."}},
            {"deliveredAt":"2026-01-05T10:11:12Z","topic":null,"title":null,"subtitle":null,"body":null,"badge":null,
             "reaction":{"summary":"Sound."}}],"broadcasts":[
            {"sentAt":"2026-01-05T10:11:15Z","bundleId":"com.example.app","channel":"ab==","event":"update",
             "state":"delivered","title":"Goal","body":"1:0"},
            {"sentAt":"2026-01-05T10:11:11Z","bundleId":"com.example.app","channel":"ab==","event":"end",
             "state":"stored-device-offline","title":null,"body":null}]}
            """#, as: InboxShape.self)
        #expect(
            inbox.text == """
                alice, badge 2

                2026-01-05 10:11:14Z  com.example.app  badge 2
                    Order placed
                    No. 7
                    On its way\u{fffd}[31m
                    [Banner.]

                2026-01-05 10:11:12Z  no topic
                    (no text)
                    [Sound.]

                2026-01-05 10:11:15Z  com.example.app  broadcast  delivered
                    Goal
                    1:0
                    [ab==]

                2026-01-05 10:11:11Z  com.example.app  broadcast  stored-device-offline
                    (end)
                    [ab==]
                """)
    }

    @Test(arguments: [
        (#"{"aps":{"alert":{"title":"Hi","subtitle":"You","body":"There"}}}"#, "Hi: You: There"),
        (#"{"aps":{"alert":"Plain"}}"#, "Plain"), (#"{"aps":{"alert":{"title-loc-key":"T","loc-key":"B"}}}"#, "T: B"),
        (#"{"aps":{"alert":{"title":1,"body":"Rest"}}}"#, "Rest"),
        (#"{"aps":{"content-available":1}}"#, "no text (alert)"), (#"{"aps":7}"#, "no text (alert)"),
        ("[1,2]", "no text (alert)"), ("null", "no text (alert)"), (#""text""#, "no text (alert)"),
        (#"{"aps":{"alert":{"body":""}}}"#, "no text (alert)"),
    ]) func `prints a push as a line`(_ payload: String, _ text: String) throws {
        let push = try Samples.decoded(Samples.push(payload: payload), as: PushShape.self)
        #expect(push.line(of: nil) == "2026-01-05 10:11:14Z  com.example.app  \(text)  [Banner.]")
    }

    /// An imported push may have any age.
    @Test(arguments: [("12.7", "12 s"), ("-3", "-3 s"), ("1e300", "1e+300 s")])
    func `prints the age of a provider token`(_ age: String, _ text: String) throws {
        let json = Samples.pushInFull().replacing("\"ageSeconds\":12,", with: "\"ageSeconds\":\(age),")
        let push = try Samples.decoded(json, as: PushShape.self)
        #expect(push.text.contains("verified, \(text) old\n"))
    }

    @Test func `a report lists few ids and counts the rest`() throws {
        let text = #"{\#(Samples.report(delivered: ["psh_a"], expired: 1_200))}"#
        let report = try Samples.decoded(text, as: DeliveriesShape.self)
        #expect(
            report.text(after: "alice is online", full: false) == """
                alice is online
                delivered  1: psh_a
                expired    1200: psh_0 psh_1 psh_2 psh_3 and 1196 more
                """)
        #expect(report.lines(full: true)[1].value?.hasSuffix("psh_999 and 200 more") == true)
        let few = try Samples.decoded("{\(Samples.report(expired: 5))}", as: DeliveriesShape.self)
        #expect(few.lines(full: false).map(\.value) == ["5: psh_0 psh_1 psh_2 psh_3 and 1 more"])
        #expect(few.lines(full: true).map(\.value) == ["5: psh_0 psh_1 psh_2 psh_3 psh_4"])
        let nothing = try Samples.decoded("{\(Samples.report())}", as: DeliveriesShape.self)
        #expect(nothing.text(after: "alice is online", full: false) == "alice is online")
    }

    @Test(arguments: [
        ("real", "0", "null", "clock     real\nnow       2030-01-01T00:00:00.000000Z\nnext due  nothing"),
        (
            "real", "3600", #""2030-01-02T00:00:00.000000Z""#,
            """
            clock     real
            now       2030-01-01T00:00:00.000000Z
            offset    3600 s ahead of the system's
            next due  2030-01-02T00:00:00.000000Z
            """
        ),
        (
            "real", "-0.5", "null",
            """
            clock     real
            now       2030-01-01T00:00:00.000000Z
            offset    0.5 s behind the system's
            next due  nothing
            """
        ), ("frozen", "12", "null", "clock     frozen\nnow       2030-01-01T00:00:00.000000Z\nnext due  nothing"),
    ]) func `prints the clock with its mode`(_ mode: String, _ offset: String, _ due: String, _ text: String) throws {
        let clock =
            #""mode":"\#(mode)","now":"2030-01-01T00:00:00.000000Z","offsetSeconds":\#(offset),"nextDue":\#(due)"#
        #expect(Table.sheet(try Samples.decoded("{\(clock)}", as: ClockShape.self).lines) == text)
        let idle = try Samples.decoded("{\(clock),\(Samples.report())}", as: ClockSetShape.self)
        #expect(idle.text(full: false).hasSuffix("happened  nothing was due"))
        let busy = try Samples.decoded("{\(clock),\(Samples.report(expired: 1))}", as: ClockSetShape.self)
        #expect(busy.text(full: false).hasSuffix("\nexpired   1: psh_0"))
    }

    @Test func `prints feedback, stored notifications and resets`() throws {
        let feedback = try Samples.decoded(
            #"""
            {"feedback":[{"token":"\#(Samples.token)","device":"alice","topic":"com.example.app",
            "unregisteredAt":"2026-01-05T10:11:12.345678Z","cause":"uninstalled","reported410":2,
            "lastReportedAt":null,"pushesAfterFirst410":1},
            {"token":"dead0410","device":null,"topic":null,"unregisteredAt":"2026-01-05T10:11:12.345678Z",
            "cause":"fault","reported410":12,"lastReportedAt":null,"pushesAfterFirst410":11}]}
            """#, as: FeedbackListShape.self)
        #expect(
            feedback.table(full: false) == """
                UNREGISTERED          CAUSE        410S  PUSHES AFTER  DEVICE  TOPIC            TOKEN
                2026-01-05 10:11:12Z  uninstalled     2             1  alice   com.example.app  3f2a0000…9c01
                2026-01-05 10:11:12Z  fault          12            11  -       -                dead0410
                """)
        let stored = try Samples.decoded(#"{"stored":[\#(Samples.push())]}"#, as: StoredShape.self)
        #expect(
            APIObject<PushShape>.table(stored.stored) == """
                PUSH                  RECEIVED              TOPIC            TYPE   TEXT
                psh_0000010000000001  2026-01-05 10:11:12Z  com.example.app  alert  Hi: There
                """)
        let reset = try Samples.decoded(
            #"{"epoch":8,"seq":1842,"cleared":{"pushes":40,"devices":2,"feedback":1},"connections":"open"}"#,
            as: ResetShape.self)
        #expect(
            reset.text == """
                epoch        8, after seq 1842
                cleared      2 devices, 1 feedback, 40 pushes
                connections  open
                """)
    }

    @Test(arguments: [
        (#"{"title":"T","detail":"D.","errors":[]}"#, "d"), (#"{"title":"T"}"#, "t"),
        (
            #"{"title":"T","detail":"D.","errors":[{"path":"/a","message":"is no member","suggestion":"b"},{"path":"","message":"m\u001b","suggestion":null}]}"#,
            "d\n  a: is no member; did you mean 'b'?\n  m\u{fffd}"
        ),
        (
            #"{"title":"T","detail":"'/a' is no member (did you mean 'b'?).","errors":[{"path":"/a","message":"is no member","suggestion":"b"}]}"#,
            "'a' is no member (did you mean 'b'?)"
        ),
        (
            #"{"title":"T","detail":"'/a': There is 'A'.","errors":[{"path":"/a","message":"there is 'A'","suggestion":null}]}"#,
            "'a': There is 'A'"
        ),
    ]) func `prints problems`(_ document: String, _ message: String) {
        let body = Array(document.utf8)
        let response = APIResponse(status: 400, contentType: "application/problem+json", body: body)
        #expect(response.problem == message)
        #expect(APIResponse(status: 400, contentType: "application/json", body: body).problem == nil)
    }

    @Test(arguments: [
        ("{}", "'devices' is missing"), (#"{"devices":1}"#, "'devices' is the number 1; expected a list"),
        ("[", "it is not JSON"), (#"{"devices":[{"id":"x"}],"matched":1,"total":1}"#, "'devices[0].stored' is missing"),
    ]) func `reports responses of other versions`(_ text: String, _ words: String) {
        let failure = #expect(throws: CommandFailure.self) {
            try Self.response(text).decoded(as: DevicePageShape.self) {
                APIObject<DeviceShape>.table($0.devices, full: false)
            }
        }
        #expect(failure?.status == .internalError)
        #expect(failure?.message.contains(words) == true, "\(failure?.message ?? "")")
    }

    @Test func `needs of a response only what it prints`() throws {
        let device =
            #"{"id":"dev_7","state":"online","stored":1,"delivered":2,"lowPower":false,"connectedClients":0,"registrations":[]}"#
        let older = #"{"devices":[\#(device)]}"#
        let table = try Self.response(older).decoded(as: DevicePageShape.self) {
            APIObject<DeviceShape>.table($0.devices, full: false)
        }
        #expect(table.contains("dev_7"))
        #expect(throws: CommandFailure.self) {
            try Self.response(older).decoded(as: DevicePageShape.self, DevicesListCommand.note)
        }
    }

    private static func response(_ text: String) -> APIResponse {
        APIResponse(status: 200, contentType: "application/json", body: Array(text.utf8))
    }
}

/// Texts for terminals.
@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain é 👨‍👩‍👧", "plain é 👨‍👩‍👧"), ("a\nb\tc\r\nd", "a b c  d"), ("\u{1b}[31mred\u{7}", "\u{fffd}[31mred\u{fffd}"),
        ("\u{9b}31m\u{7f}", "\u{fffd}31m\u{fffd}"), ("a\u{202e}b\u{2066}c", "a\u{fffd}b\u{fffd}c"),
        ("\u{2028}\u{85}", "  "),
    ]) func `control characters are replaced`(_ text: String, _ plain: String) {
        #expect(TerminalText.plain(text) == plain)
    }

    @Test(arguments: [
        ("2026-01-05T10:11:12.345678Z", "2026-01-05 10:11:12Z"), ("2026-01-05T10:11:12Z", "2026-01-05 10:11:12Z"),
        ("soon", "soon"), ("2026-01-05T10:11:12+01:00", "2026-01-05T10:11:12+01:00"), ("", ""),
    ]) func `prints times without unneeded digits`(_ text: String, _ shown: String) {
        #expect(TerminalText.time(text) == shown)
    }

    @Test func `columns are aligned`() {
        let rows = [["long text", "1", "x"], ["é", "123456", ""], ["b"]]
        #expect(
            Table.text(["A", .number("COUNT"), "LAST"], of: rows) { $0 } == """
                A           COUNT  LAST
                long text       1  x
                é          123456
                b
                """)
        #expect(Table.sheet([("a", "1"), ("name", "")]) == "a     1\nname")
    }
}

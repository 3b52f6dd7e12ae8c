import Foundation
import MockAPNs
import MockAPNsAPI
import MockAPNsFormats
import MockAPNsRules
import MockAPNsVerifying
import TestSupport
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsWorld

/// Pushes out of one server and into another.
@Suite struct ExchangeTests {
    /// Pushes of all sorts: delivered, stored and later discarded, refused by a rule and by the transport.
    private func fill(_ fixture: Fixture) async {
        _ = fixture.server.world.stopClock(at: Fixture.now)
        let device = #"{"label":"anna","state":"offline","registrations":[{"token":"abcd","topic":"com.example.app"}]}"#
        _ = await fixture.send("POST", "/api/v1/devices", device)
        fixture.open(7)
        var stored = PushDraft()
        stored.path = "/3/device/abcd"
        var binary = PushDraft()
        binary.body = [0xff, 0x00, 0x0a]
        var refused = PushDraft()
        refused.problem = ("the header list is too large", 431)
        var certified = PushDraft().setting("apns-topic", to: nil)
        certified.certificate = ClientCertificate(subject: "UID=com.example.app", issuer: "CN=authority")
        certified.certificate?.onlyTopic = "com.example.app"
        certified.certificate?.topics = ["com.example.app"]
        certified.certificate?.environments = [.sandbox]
        certified.certificate?.standing = .verified
        fixture.publish(
            PushDraft(), stored, stored, PushDraft().setting("apns-topic", to: nil),
            PushDraft().setting("authorization", to: nil),
            PushDraft().setting("apns-id", to: "0f8fad5b-d9cb-469f-a165-70867728950e"), binary, refused, certified)
        _ = await fixture.send("PATCH", "/api/v1/devices/@anna", #"{"state":"online"}"#)
    }

    /// An export without the numbers that are a server's own.
    private func blanked(_ lines: [UInt8]) throws -> [JSONValue] {
        try lines.split(separator: UInt8(ascii: "\n")).map { line in
            let value = try #require(JSONParser.value(of: Array(line)))
            guard case .object(var push) = value, case .object(var delivery)? = push["delivery"],
                case .array(let steps)? = delivery["timeline"]
            else { throw HTTPClient.Failure("no push: \(value)") }
            for name in ["id", "seq", "epoch", "imported"] { push[name] = nil }
            delivery["timeline"] = .array(
                steps.map { step in
                    guard case .object(var step) = step else { return step }
                    step["seq"] = nil
                    return .object(step)
                })
            push["delivery"] = .object(delivery)
            return .object(push)
        }
    }

    @Test func `an export has the same bytes as the API's values`() async throws {
        try await withFixture { fixture in
            await fill(fixture)
            let lines = await fixture.get("/api/v1/pushes/export").bytes.split(separator: UInt8(ascii: "\n"))
            #expect(lines.count == 9)
            for line in lines {
                let value = try #require(JSONParser.value(of: Array(line)))
                // A value writes its members in the order of their names.
                #expect(String(decoding: value.text, as: UTF8.self) == String(decoding: line, as: UTF8.self))
            }
        }
    }

    @Test func `export, import and export give the same but for ids and numbers`() async throws {
        try await withFixture { source in
            await fill(source)
            let first = await source.get("/api/v1/pushes/export")
            #expect(first.contentType == "application/x-ndjson")
            #expect(first[header: "X-Mock-APNs-Matched"] == "9")
            let lines = first.bytes
            try await withFixture { target in
                target.publish(PushDraft())
                let answer = await target.send("POST", "/api/v1/pushes/import", String(decoding: lines, as: UTF8.self))
                #expect(answer.status == 201)
                #expect(answer.text("imported") == "9")
                #expect(answer.text("kept") == "9")
                #expect(answer.text("firstSeq") == "4")
                #expect(SchemaCheck.strict.complaints(answer.json, as: "Imported") == [])
                let second = await target.get("/api/v1/pushes/export?after=3")
                #expect(try blanked(second.bytes) == blanked(lines))

                let pushes = await target.get("/api/v1/pushes?after=3").json
                guard case .array(let shown)? = pushes["pushes"] else { throw HTTPClient.Failure("no list") }
                #expect(shown.count == 9)
                for push in shown {
                    #expect(push["imported"] == true)
                    #expect(SchemaCheck.strict.complaints(push, as: "Push") == [])
                }
                #expect(await target.get("/api/v1/pushes/seq:1").text("imported") == "false")
            }
        }
    }

    /// What was odd where it arrived cannot be seen where the pushes before it are not.
    @Test func `an imported push has the warnings of the server it arrived at`() async throws {
        try await withFixture { source in
            source.publish(PushDraft(), PushDraft())
            let shown = await source.get("/api/v1/pushes/latest?fields=summary")
            let own = await source.get("/api/v1/pushes/seq:1")
            let count = try #require(shown.text("lintCount").flatMap { Int($0) })
            #expect(count == own.json["lints"].entries.count + 1)
            let line = await source.get("/api/v1/pushes/export?after=1")
            try await withFixture { target in
                let body = String(decoding: line.bytes, as: UTF8.self)
                #expect(await target.send("POST", "/api/v1/pushes/import", body).text("imported") == "1")
                let imported = await target.get("/api/v1/pushes/latest?fields=summary")
                #expect(imported.text("lintCount") == "\(count)")
            }
        }
    }

    @Test func `imported pushes are found like others and delivered to no device`() async throws {
        try await withFixture { source in
            await fill(source)
            let lines = String(decoding: await source.get("/api/v1/pushes/export").bytes, as: UTF8.self)
            try await withFixture { target in
                let device = #"{"label":"anna","registrations":[{"token":"abcd","topic":"com.example.app"}]}"#
                _ = await target.send("POST", "/api/v1/devices", device)
                _ = await target.send("POST", "/api/v1/pushes/import", lines)
                for (query, count) in [
                    ("outcome=rejected", "3"), ("reason=MissingTopic", "1"), ("status=431", "1"),
                    ("delivery=delivered-from-storage", "1"), ("delivery=discarded-collapsed", "1"),
                    ("keyId=ABC123DEFG", "6"), ("q=is:delivered", "5"), ("token=abcd", "2"),
                    ("apnsId=0F8FAD5B-D9CB-469F-A165-70867728950E", "1"), ("payload[/aps/alert/title]=Hi", "8"),
                    ("certificate=com.example.app", "1"), ("verification=verified", "6"),
                ] {
                    let answer = await target.get("/api/v1/pushes/count?" + query)
                    #expect(answer.text("count") == count, "\(query)")
                }
                #expect(await target.get("/api/v1/devices").text("total") == "1")
                let anna = await target.get("/api/v1/devices/@anna")
                #expect(anna.text("delivered") == "0")
                #expect(anna.text("lastPush") == "null")
                let seq = await target.get("/api/v1/pushes?delivery=delivered-from-storage").text("pushes", "0", "seq")
                let raw = await target.get("/api/v1/pushes/seq:\(seq ?? "")/raw")
                #expect(raw.bytes == PushDraft().body)
                let summary = await target.get("/api/v1/pushes?token=abcd&fields=summary")
                #expect(summary.text("pushes", "0", "device") == "anna")
                // A signature that was never there does not come to be.
                #expect(!lines.contains("c2lnbmF0dXJl"))
                let all = String(decoding: await target.get("/api/v1/pushes/export").bytes, as: UTF8.self)
                #expect(all.contains("(signature not kept)"))
            }
        }
    }

    @Test func `an imported push is found by the reason why the device ignored it`() async throws {
        try await withFixture { source in
            let topic = "com.example.app.push-type.liveactivity"
            let device = #"{"label":"anna","registrations":[{"token":"abcd","topic":"\#(topic)"}]}"#
            _ = await source.send("POST", "/api/v1/devices", device)
            source.open(7)
            var draft = PushDraft().setting("apns-topic", to: topic).setting("apns-push-type", to: "liveactivity")
            draft.path = "/3/device/abcd"
            draft.body = Array(#"{"aps":{"event":"update","timestamp":1,"content-state":{}}}"#.utf8)
            source.publish(draft)
            #expect(await source.get("/api/v1/pushes/count?q=is:ignored").text("count") == "1")
            let lines = String(decoding: await source.get("/api/v1/pushes/export").bytes, as: UTF8.self)
            try await withFixture { target in
                #expect(await target.send("POST", "/api/v1/pushes/import", lines).text("imported") == "1")
                for (search, count) in [
                    ("is:ignored", "1"), ("ignored:push-to-start-token", "1"), ("ignored:stale-timestamp", "0"),
                ] { #expect(await target.get("/api/v1/pushes/count?q=" + search).text("count") == count, "\(search)") }
            }
        }
    }

    @Test func `a mistake is reported with its line, and nothing is imported`() async throws {
        try await withFixture { source in
            await fill(source)
            let lines = String(decoding: await source.get("/api/v1/pushes/export").bytes, as: UTF8.self).split(
                separator: "\n"
            ).map(String.init)
            func changed(_ change: (inout [String: JSONValue]) -> Void) throws -> String {
                guard case .object(var push)? = JSONParser.value(of: Array(lines[0].utf8)) else {
                    throw HTTPClient.Failure("no push")
                }
                change(&push)
                return String(decoding: JSONValue.object(push).text, as: UTF8.self)
            }
            let cases: [(line: String, path: String, suggestion: String?)] = [
                ("{\"id\":", "line 2", nil), ("7", "line 2", nil),
                (try changed { $0["reqest"] = .null }, "line 2 /reqest", "request"),
                (try changed { $0["request"] = nil }, "line 2 /request", nil),
                (try changed { $0["environment"] = "sandbx" }, "line 2 /environment", "sandbox"),
                (try changed { $0["receivedAt"] = "yesterday" }, "line 2 /receivedAt", nil),
                (try changed { $0["epoch"] = "one" }, "line 2 /epoch", nil),
                (try changed { $0["lints"] = 5 }, "line 2 /lints", nil),
                (
                    try changed { push in
                        guard case .object(var delivery)? = push["delivery"] else { return }
                        delivery["state"] = "stored-device-offline"
                        push["delivery"] = .object(delivery)
                    }, "line 2 /delivery/state", nil
                ),
                (
                    try changed { push in
                        guard case .object(var request)? = push["request"] else { return }
                        request["bodyBase64"] = "%"
                        push["request"] = .object(request)
                    }, "line 2 /request/bodyBase64", nil
                ),
                (
                    try changed { push in
                        guard case .object(var request)? = push["request"] else { return }
                        request["headers"] = .array(Array(repeating: ["", ""], count: 66_000))
                        push["request"] = .object(request)
                    }, "line 2 /request", nil
                ),
            ]
            try await withFixture { target in
                for (line, path, suggestion) in cases {
                    let body = [lines[0], line, lines[1]].joined(separator: "\n")
                    let answer = await target.send("POST", "/api/v1/pushes/import", body)
                    #expect(answer.status == 400, "\(path)")
                    #expect(answer.text("errors", "0", "path") == path)
                    if let suggestion { #expect(answer.text("errors", "0", "suggestion") == suggestion) }
                    #expect(target.journal.extent.lastSeq == 0)
                }
                for body in ["", "\n \r\n"] {
                    #expect(await target.send("POST", "/api/v1/pushes/import", body).status == 400)
                }
                // What a later version adds is made anew where an export does not have it.
                let older = try changed { $0["lints"] = nil }
                #expect(await target.send("POST", "/api/v1/pushes/import", older + "\r\n\n").status == 201)
                #expect(await target.get("/api/v1/pushes/seq:1").json["lints"] != nil)
            }
        }
    }

    @Test(
        arguments: [
            ([0x1f, 0x8b, 8, 0], "is compressed with gzip; expected text in UTF-8: decompress it first"),
            ([0xef, 0xbb, 0xbf] + Array("{}".utf8), "begins with a byte order mark"),
            ([0xff, 0xfe, 0x7b, 0], "is in UTF-16; expected text in UTF-8: convert it first"),
        ] as [([UInt8], String)]) func `a body that is not UTF-8 is named as gzip, UTF-16 or other bytes`(
            bytes: [UInt8], expected: String
        ) async throws
    {
        try await withFixture { target in
            for path in ["/api/v1/pushes/import", "/api/v1/pushes/send"] {
                let answer = await target.send("POST", path, bytes: bytes, contentType: "application/json")
                #expect(answer.status == 400)
                #expect(
                    answer.text("detail")?.hasPrefix("The body \(expected)") == true, "\(answer.text("detail") ?? "")")
            }
            #expect(target.journal.extent.lastSeq == 0)
        }
    }

    @Test func `an import reports at most 20 mistakes`() async throws {
        try await withFixture { target in
            let lines = Array(repeating: "{}", count: 1_000).joined(separator: "\n")
            let answer = await target.send("POST", "/api/v1/pushes/import", lines)
            #expect(answer.status == 400 && answer.json["errors"].entries.count == 20)
            #expect(answer.text("detail")?.hasSuffix("Later mistakes are not listed. Nothing was imported.") == true)
            let long = #"{"request":""# + String(repeating: "x", count: 2 << 20) + #""}"#
            let refusal = await target.send("POST", "/api/v1/pushes/import", "\n" + long)
            #expect(
                refusal.text("errors", "0", "message") == "has \(long.utf8.count) bytes; no push has more than 2097152")
            #expect(refusal.text("errors", "0", "path") == "line 2")
        }
    }

    /// Long bodies, which a server that stops does not read to their end.
    static let long = [
        ("POST", "/api/v1/pushes/import", Array(repeating: "\n", count: 10).joined()),
        (
            "PUT", "/api/v1/devices",
            "[" + Array(repeating: #"{"registrations":[{"topic":"a.b"}]}"#, count: 300).joined(separator: ",") + "]"
        ),
    ]

    @Test(arguments: long) func `a stopping server does not read a long body to its end`(
        method: String, path: String, body: String
    ) async throws {
        var settings = APISettings()
        settings.searches.slice = .zero
        try await withFixture(settings: settings) { target in
            var request = APIRequest(method: method, target: path)
            request.set("Host", "127.0.0.1")
            request.set("Content-Type", "application/json")
            request.body = Array(body.utf8)
            let stopping = ClientPresence(begin: { _ in
                let stop = StopSignal()
                stop.ask(.shutdown)
                return stop
            })
            let answer = await target.api.answer(request, at: target.api.target(of: request), presence: stopping)
            #expect(answer.status == 503 && answer.text("type") == "urn:mock-apns:problem:not-ready")
            #expect(target.server.world.devices.devices(DeviceQuery()).total == 0)
        }
    }

    @Test func `an import larger than the journal reports what is kept`() async throws {
        try await withFixture { source in
            await fill(source)
            let lines = String(decoding: await source.get("/api/v1/pushes/export").bytes, as: UTF8.self)
            try await withFixture(configure: { $0.journal.records = 3 }) { target in
                let answer = await target.send("POST", "/api/v1/pushes/import", lines)
                #expect(answer.text("imported") == "9")
                // Three, and one that the transport refused: these have room of their own.
                #expect(answer.text("kept") == "4")
                _ = await target.send("POST", "/api/v1/reset")
                target.publish(PushDraft())
                #expect(await target.get("/api/v1/pushes/latest").text("imported") == "false")
            }
        }
    }

    @Test func `an export can be filtered and continued`() async throws {
        try await withFixture { fixture in
            for _ in 0..<161 { fixture.publish(PushDraft(), PushDraft().setting("apns-topic", to: nil)) }
            let all = await fixture.get("/api/v1/pushes/export?outcome=accepted")
            let seqs = try all.bytes.split(separator: UInt8(ascii: "\n")).map { line in
                try #require(JSONParser.value(of: Array(line))?.text(["seq"]).flatMap { Int($0) })
            }
            #expect(seqs == (0..<161).map { $0 * 5 + 1 })
            #expect(await fixture.get("/api/v1/pushes/export?outcome=x").status == 400)
            #expect(await fixture.get("/api/v1/pushes/export?format=har").status == 400)
            #expect(await fixture.get("/api/v1/pushes/export?after=9999").bytes == [])
        }
    }

    /// On threads of its own, which have no helper, and on those of a server.
    @Test(arguments: [true, false]) func `an export over a connection arrives whole`(onOwn: Bool) async throws {
        try await withInspector(threads: onOwn ? nil : .shared) { server, _, port in
            let fixture = Fixture(of: server)
            for _ in 0..<750 { fixture.publish(PushDraft()) }
            let url = "http://127.0.0.1:\(port)/api/v1/pushes/export"
            let (output, code) = try await Curl.run([url])
            #expect(code == 0)
            let lines = output.split(separator: "\n").map { JSONParser.value(of: Array($0.utf8)) }
            let expected = (0..<750).map { number in String(number * 3 + 1) }
            #expect(lines.map { line in line?.text(["seq"]) } == expected)
            let head = try await HTTPClient.ask("/api/v1/pushes/export", port: port, method: "HEAD")
            #expect(head.status == 200)
            #expect(head.body.isEmpty)
            let answer = try await HTTPClient.ask(
                "/api/v1/pushes/import", port: port, method: "POST", body: Array(output.utf8))
            #expect(answer.status == 201)
            #expect(answer.text("imported") == "750")
        }
    }
}

import MockAPNs
import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector

struct KeyRoutesTests {
    /// A public key on P-256.
    private static let publicKey =
        "-----BEGIN PUBLIC KEY-----\\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEaxfR8uEsQkf4vOblY6RA8ncDfYEt\\n"
        + "6zOg9KE5RdiYwpZP40Li/hp/m47n60p8D54WK84zV2sxXs7LtkBoN79R9Q==\\n-----END PUBLIC KEY-----\\n"

    private static let topical =
        #"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","topics":["com.b","com.a"],"environment":"production","#
        + #""publicKey":"\#(publicKey)"}"#

    /// Lends a fixture whose server was started with one key, of known name.
    private func withKeys(_ use: (Fixture) async throws -> Void) async throws {
        try await withFixture { configuration in
            configuration.keys = [
                Configuration.Key(
                    key: ProviderKey(keyID: "STARTKEY01", teamID: "EXAMPLE001"),
                    pem: Self.publicKey.replacing("\\n", with: "\n"))
            ]
        } _: {
            try await use($0)
        }
    }

    private func keyIDs(_ fixture: Fixture) async -> [String] {
        guard case .array(let keys)? = await fixture.get("/api/v1/keys").json["keys"] else { return [] }
        return keys.compactMap { $0.text(["keyId"]) }
    }

    @Test func `keys are added, shown and removed`() async throws {
        try await withKeys { fixture in
            let added = await fixture.send("POST", "/api/v1/keys", Self.topical)
            #expect(added.status == 201 && added[header: "Location"] == "/api/v1/keys/ABC123DEFG")
            try Golden.expect(added, is: "key")
            try Golden.expect(await fixture.get("/api/v1/keys"), is: "keys")
            let registered = fixture.server.world.ruleset.keys["ABC123DEFG"]?.key
            #expect(registered?.topics == ["com.a", "com.b"] && registered?.environment == .production)
            let one = await fixture.get("/api/v1/keys/ABC123DEFG")
            #expect(one.json == added.json)
            #expect(await fixture.send("DELETE", "/api/v1/keys/ABC123DEFG").status == 204)
            #expect(await fixture.send("DELETE", "/api/v1/keys/ABC123DEFG").status == 404)
            #expect(await fixture.get("/api/v1/keys/ABC123DEFG").status == 404)
            #expect(await keyIDs(fixture) == ["STARTKEY01"])
        }
    }

    @Test func `a private key is shown only when it is generated`() async throws {
        try await withKeys { fixture in
            let made = await fixture.send(
                "POST", "/api/v1/keys/generate", #"{"teamId":"DEF123GHIJ","topics":["com.a"]}"#)
            #expect(made.status == 201)
            try Golden.expect(made, is: "key-generated", volatile: ["keyId", "fileName", "p8", "publicKey"])
            let keyID = try #require(made.text("keyId"))
            #expect(made.text("fileName") == "AuthKey_\(keyID).p8")
            #expect(made[header: "Location"] == "/api/v1/keys/\(keyID)")
            #expect(made.text("p8")?.hasPrefix("-----BEGIN PRIVATE KEY-----") == true)
            for target in ["/api/v1/keys", "/api/v1/keys/\(keyID)", "/api/v1/info"] {
                let text = String(decoding: await fixture.get(target).bytes, as: UTF8.self)
                #expect(!text.contains("PRIVATE") && !text.contains("\"p8\""))
            }
            // What is given as a private key does not come back either.
            let p8 = try #require(made.json["p8"]).text
            let body = #"{"keyId":"OTHERKEY01","teamId":"DEF123GHIJ","p8":"# + String(decoding: p8, as: UTF8.self) + "}"
            let added = await fixture.send("POST", "/api/v1/keys", body)
            #expect(added.status == 201 && added.json["p8"] == nil)
            #expect(added.text("publicKey") == made.text("publicKey"))
            #expect(await fixture.send("POST", "/api/v1/keys/generate").status == 201)
            #expect(await fixture.send("POST", "/api/v1/keys/generate", #"{"keyId":"STARTKEY01"}"#).status == 409)
        }
    }

    @Test func `a reset restores the keys of the start and removes others`() async throws {
        try await withKeys { fixture in
            _ = await fixture.send("POST", "/api/v1/keys", Self.topical)
            _ = await fixture.send("DELETE", "/api/v1/keys/STARTKEY01")
            #expect(await keyIDs(fixture) == ["ABC123DEFG"])
            let other = await fixture.send("POST", "/api/v1/reset", #"{"only":["pushes","settings"]}"#)
            #expect(other.text("cleared", "keys") == "0")
            #expect(await keyIDs(fixture) == ["ABC123DEFG"])
            let answer = await fixture.send("POST", "/api/v1/reset", #"{"only":["keys"]}"#)
            #expect(answer.text("cleared", "keys") == "1")
            #expect(await keyIDs(fixture) == ["STARTKEY01"])
            // Another key of that name is not the one of the start.
            _ = await fixture.send("DELETE", "/api/v1/keys/STARTKEY01")
            let same = Self.topical.replacing("ABC123DEFG", with: "STARTKEY01")
            #expect(await fixture.send("POST", "/api/v1/keys", same).text("origin") == "api")
            #expect(await fixture.send("POST", "/api/v1/reset").text("cleared", "keys") == "1")
            #expect(await fixture.get("/api/v1/keys/STARTKEY01").text("origin") == "start")
        }
    }

    static let refusals: [(body: String, status: Int, path: String, suggestion: String?)] = [
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ"}"#, 400, "/publicKey", nil),
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","p8":null}"#, 400, "/publicKey", nil),
        (#"{"keyId":"abc","teamId":"DEF123GHIJ","p8":"x"}"#, 400, "/keyId", nil),
        (#"{"keyId":"ABC123DEFG","p8":"x"}"#, 400, "/teamId", nil),
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","p8":"x"}"#, 422, "/p8", nil),
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","publicKey":"x"}"#, 422, "/publicKey", nil),
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","p8":"x","publicKey":"y"}"#, 400, "/p8", nil),
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","p8":"x","topics":[]}"#, 400, "/topics", nil),
        (#"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","p8":"x","topics":[""]}"#, 400, "/topics/0", nil),
        (
            #"{"keyId":"ABC123DEFG","teamId":"DEF123GHIJ","p8":"x","environment":"sandbx"}"#, 400, "/environment",
            "sandbox"
        ), (#"{"keyID":"ABC123DEFG","teamId":"DEF123GHIJ","p8":"x"}"#, 400, "/keyID", "keyId"),
        (topical.replacing("ABC123DEFG", with: "STARTKEY01"), 409, "/keyId", nil),
    ]

    @Test(arguments: refusals) func `an invalid key is refused with the path of the mistake`(
        body: String, status: Int, path: String, suggestion: String?
    ) async throws {
        try await withKeys { fixture in
            let answer = await fixture.send("POST", "/api/v1/keys", body)
            #expect(answer.status == status)
            #expect(answer.text("errors", "0", "path") == path)
            #expect(answer.text("errors", "0", "suggestion") == suggestion ?? "null")
            #expect(await keyIDs(fixture) == ["STARTKEY01"])
        }
    }

    @Test func `an unknown key is reported with the nearest`() async throws {
        try await withKeys { fixture in
            let answer = await fixture.send("DELETE", "/api/v1/keys/STARTKEY02")
            try Golden.expect(answer, is: "problem-unknown-key")
        }
    }

    @Test func `a key has at most 400 topics`() async throws {
        try await withKeys { fixture in
            for (count, status) in [(400, 201), (401, 400)] {
                let topics = (0..<count).map { #""com.t\#($0)""# }.joined(separator: ",")
                let body = #"{"topics":[\#(topics)]}"#
                #expect(await fixture.send("POST", "/api/v1/keys/generate", body).status == status)
            }
        }
    }
}

import MockAPNsFormats
import MockAPNsWorld
import Testing

@testable import MockAPNsInspector
@testable import MockAPNsPreview

@Suite struct AppDescriptionRoutesTests {
    private static let path = "/api/v1/apps/com.example.app"

    /// A gray image of 4 × 1 pixels.
    private static let icon =
        "iVBORw0KGgoAAAANSUhEUgAAAAQAAAABCAAAAADcV1ARAAAAC0lEQVR42mNoAAIABQUCAT/3Vd0AAAAASUVORK5CYII="

    private static func body(name: String? = nil, icon: String? = nil) -> String {
        let members = ["name": name, "icon": icon.map { "data:image/png;base64," + $0 }]
        let json = JSONValue.object(members.compactMapValues { $0.map { JSONValue.string($0) } })
        return String(decoding: json.text, as: UTF8.self)
    }

    @Test func `an app is described, shown, replaced, reset and deleted`() async throws {
        try await withFixture { fixture in
            let new = await fixture.send("PUT", Self.path, Self.body(name: "Shop", icon: Self.icon))
            #expect(new.status == 201)
            #expect(new[header: "Location"] == Self.path)
            try Golden.expect(await fixture.get(Self.path), is: "app")
            #expect(await fixture.send("PUT", "/api/v1/apps/a.b", "{}").status == 201)
            try Golden.expect(await fixture.get("/api/v1/apps"), is: "apps")
            #expect(await fixture.send("PUT", Self.path + ".voip", Self.body(name: "Store")).status == 200)
            let replaced = await fixture.get(Self.path)
            #expect(replaced.text("name") == "Store" && replaced.text("icon") == "null")
            #expect(await fixture.send("DELETE", Self.path).status == 204)
            let gone = await fixture.get(Self.path)
            #expect(gone.status == 404 && gone.text("type") == "urn:mock-apns:problem:unknown-app")
            let reset = await fixture.send("POST", "/api/v1/reset", #"{"only":["apps"]}"#)
            #expect(reset.text("cleared", "apps") == "1")
            #expect(await fixture.get("/api/v1/apps").json["apps"].entries.isEmpty)
        }
    }

    static let mistakes: [(body: String, path: String)] = [
        (body(name: ""), "/name"), (body(name: String(repeating: "x", count: 65)), "/name"),
        (#"{"icon":"data:image/svg+xml;base64,AAAA"}"#, "/icon"), (body(icon: "AAAA"), "/icon"),
        (body(icon: icon + "=="), "/icon"), (body(icon: icon + "AAAA"), "/icon"), (body(icon: ""), "/icon"),
        (#"{"icon":1}"#, "/icon"), (#"{"icon":"https://example.com/a.png"}"#, "/icon"), (#"{"nmae":"x"}"#, "/nmae"),
    ]

    @Test(arguments: mistakes) func `a mistake is reported with its path`(body: String, path: String) async throws {
        try await withFixture { fixture in
            let answer = await fixture.send("PUT", Self.path, body)
            #expect(answer.status == 400 && answer.text("errors", "0", "path") == path, "\(answer)")
            #expect(await fixture.get("/api/v1/apps").json["apps"].entries.isEmpty)
        }
    }

    @Test func `describes at most 100 apps`() async throws {
        try await withFixture { fixture in
            for number in 0..<AppDescription.most {
                #expect(await fixture.send("PUT", "/api/v1/apps/a.\(number)", "{}").status == 201)
            }
            let refused = await fixture.send("PUT", "/api/v1/apps/b", "{}")
            #expect(refused.status == 422 && refused.text("type") == "urn:mock-apns:problem:too-many-apps")
            #expect(await fixture.send("PUT", "/api/v1/apps/a.0", Self.body(name: "A")).status == 200)
        }
    }

    @Test func `previews show the app's name and icon`() async throws {
        try await DeviceRoutesTests.withAlice { fixture in
            fixture.publish(DeviceRoutesTests.push())
            #expect(await fixture.get("/api/v1/pushes/seq:1/preview").text("app", "name") == "App")
            _ = await fixture.send("PUT", Self.path, Self.body(name: "A <b> Shop", icon: Self.icon))
            #expect(await fixture.get("/api/v1/pushes/seq:1/preview").text("app", "name") == "A <b> Shop")
            let notes = await fixture.get("/api/v1/pushes/seq:1/preview").json["notes"]?.text ?? []
            #expect(String(decoding: notes, as: UTF8.self).contains("Approximate: fonts, where"))
            for view in PreviewView.allCases where view != .liveActivity {
                let answer = await fixture.get("/api/v1/pushes/seq:1/preview.svg?view=\(view.rawValue)")
                let reader = try PreviewPictureTests.read(answer)
                #expect(reader.title.hasSuffix(": A <b> Shop"))
                let text = String(decoding: answer.bytes, as: UTF8.self)
                #expect(text.contains("href=\"data:image/png;base64,\(Self.icon)\""), "\(view)")
            }
        }
    }
}

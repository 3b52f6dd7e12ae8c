import Foundation
import Testing

@testable import MockAPNsAPI
@testable import mock_apns

/// `mock-apns preview` against a scripted API.
struct PreviewCommandTests {
    private static let preview = Samples.whole(
        PreviewShape.self,
        """
        {"kind":"alert","headline":"An alert","summary":"S.","language":"de",
        "app":{"bundleId":"com.example.app","name":"App"},
        "title":{"text":"A\\u001b[31m","source":"text"},"subtitle":null,
        "body":{"text":"KEY","source":"key-not-found"},"badge":{"meaning":"B."},"sound":{"meaning":"No sound."},
        "interruptionLevel":{"meaning":"L."},
        "appStates":[{"appState":"background","isShown":true,"summary":"Banner."}],"notes":["N\\u0007."]}
        """)

    private static func picture(_ body: String) -> FakeAPI.Script {
        let head = "HTTP/1.1 200 OK\r\ncontent-type: image/svg+xml\r\ncontent-length: \(body.utf8.count)\r\n\r\n"
        return FakeAPI.Script(pieces: [head + body])
    }

    @Test func `a preview is printed as text`() throws {
        let api = try FakeAPI([.json(Samples.whole(PushShape.self, #"{"id":"psh_7"}"#)), .json(Self.preview)])
        let arguments = ["preview", "latest", "--language", "de-AT", "--app-state", "background", "--table"]
        let outcome = try Program.run(arguments + ["--api", api.url])
        #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
        #expect(
            outcome.output == """
                kind        alert: An alert
                app         App (com.example.app)
                language    de
                title       A\u{fffd}[31m
                body        KEY (key not found)
                badge       B.
                sound       No sound.
                level       L.
                background  Banner.
                note: N\u{fffd}.

                """)
        #expect(
            api.asked.map(\.target) == [
                "/api/v1/pushes/latest", "/api/v1/pushes/psh_7/preview?language=de-AT&appState=background",
            ])
    }

    @Test func `a picture goes to a file or to standard output`() throws {
        let svg = "<svg>é</svg>\n"
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).svg")
        defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: file) } }
        let api = try FakeAPI([Self.picture(svg), Self.picture(svg)])
        let picture = ["--view", "banner", "--appearance", "dark", "--crop", "notification", "--time-zone", "+02:00"]
        let arguments = ["preview", "12"] + picture + ["--api", api.url]
        let written = try Program.run(arguments + ["-o", file.path])
        #expect(written.status == 0 && written.output == "", "\(written)")
        #expect(try String(contentsOf: file, encoding: .utf8) == svg)
        let printed = try Program.run(arguments + ["-o", "-"])
        #expect(printed.status == 0 && printed.output == svg, "\(printed)")
        let target =
            "/api/v1/pushes/seq%3A12/preview.svg?view=banner&appearance=dark" + "&crop=notification&timeZone=%2B02%3A00"
        #expect(api.asked.map(\.target) == [target, target])
    }

    @Test func `reports what the server refuses and writes nothing`() throws {
        let problem = #"{"title":"T","detail":"'view' has the value 'x'.","errors":[]}"#
        let api = try FakeAPI([.json(problem, status: 400)])
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).svg")
        let outcome = try Program.run(["preview", "12", "--view", "x", "-o", file.path, "--api", api.url])
        #expect(outcome.status == 64 && outcome.errors.contains("'view' has the value 'x'"), "\(outcome)")
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: [["--view", "banner"], ["--appearance", "dark"], ["--crop", "device"], ["--time-zone", "Z"]])
    func `options for pictures need -o`(_ options: [String]) throws {
        let outcome = try Program.run(["preview", "12", "--api", "http://127.0.0.1:9"] + options)
        #expect(outcome.status == 64 && outcome.errors.contains("need -o"), "\(outcome)")
    }
}

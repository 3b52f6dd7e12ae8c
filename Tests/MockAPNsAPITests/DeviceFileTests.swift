import MockAPNsRules
import MockAPNsWorld
import Testing

@testable import MockAPNsAPI

@Suite struct DeviceFileTests {
    private func read(_ text: String) throws(ArgumentError) -> [DeviceDraft] {
        try DeviceFile.drafts(fromJSON: Array(text.utf8))
    }

    @Test(arguments: ["[DEVICE, {}]", #"{"devices": [DEVICE, {}]}"#]) func `a file describes devices`(
        form: String
    ) throws {
        let device = """
            {"label": "alice", "state": "offline", "lowPower": true, "registrations": [
              {"token": "AABB", "topic": "com.example.app", "environment": "production",
               "appState": "terminated", "notificationsEnabled": false},
              {"topic": "com.example.app.voip"}]}
            """
        let drafts = try read(form.replacing("DEVICE", with: device))
        #expect(drafts.count == 2)
        #expect(drafts[0].label == "alice")
        #expect(drafts[0].isOnline == false)
        #expect(drafts[0].savesPower == true)
        let apps = drafts[0].registrations
        #expect(apps.map(\.topic) == ["com.example.app", "com.example.app.voip"])
        #expect(apps.map(\.token) == [DeviceToken(hex: "aabb"), nil])
        #expect(apps.map(\.environment) == [.production, .sandbox])
        #expect(apps.map(\.appState) == [.terminated, nil])
        #expect(apps.map(\.allowsNotifications) == [false, nil])
        #expect(drafts[1].label == nil)
        #expect(drafts[1].isOnline == nil)
        #expect(drafts[1].registrations.isEmpty)
    }

    @Test func `a file may describe nothing`() throws {
        #expect(try read("[]").isEmpty)
        #expect(try read(#"{"devices":[]}"#).isEmpty)
    }

    static let mistakes: [(String, String)] = [
        ("", "the file is empty; expected JSON"),
        ("[{]", "the file is not JSON: at line 1, column 3 (byte 2) is ']'; expected '\"'"),
        ("\n\n [{]", "the file is not JSON: at line 3, column 4 (byte 5) is ']'; expected '\"'"),
        ("{}", "devices is missing; expected a list of objects"),
        (#"{"device":[]}"#, "device is not a member of this object; it takes: devices (did you mean 'devices'?)"),
        ("5", "the file is the number 5; expected a list of objects"),
        (#"[{},{"label":7}]"#, "devices[1].label is the number 7; expected a label: text of 1 to 100 bytes"),
        (
            #"{"devices":[{"registrations":[{"topic":"a","appstate":"x"}]}]}"#,
            "devices[0].registrations[0].appstate is not a member of this object;"
                + " it takes: token, topic, environment, appState, notificationsEnabled (did you mean 'appState'?)"
        ),
        (
            #"[{"state":"up"},{"state":"down"}]"#,
            "devices[0].state is 'up'; expected online or offline; more mistakes follow"
        ),
    ]

    @Test(arguments: mistakes) func `a mistake fits on a line`(text: String, message: String) {
        #expect { try read(text) } throws: { error in
            let description = (error as? ArgumentError)?.description ?? ""
            return description.hasPrefix(message) && !description.contains("\n")
        }
    }
}

import Foundation
import MockAPNsTesting
import TestSupport

/// A provider that sends pushes with curl, with a connection for each.
struct Provider {
    let host: String
    let port: Int
    let trust: String
    let key: APNsMock.Key

    func orderShipped(_ id: String, to token: String) async throws {
        try await send(title: "Order shipped", to: token, members: #","orderID":"\#(id)""#)
    }

    /// Returns the status of the response; `nil` if there was none.
    @discardableResult func send(
        title: String, to token: String, members: String = "", lifetime: Int = 86_400, bearer: String? = nil
    ) async throws -> String? {
        let payload = #"{"aps":{"alert":{"title":"\#(title)"}}\#(members)}"#
        return try await send(payload, to: token, lifetime: lifetime, bearer: bearer)
    }

    /// Sends a payload.
    @discardableResult func send(
        _ payload: String, to token: String, topic: String = "com.example.app", type: String = "alert",
        lifetime: Int = 86_400, bearer: String? = nil
    ) async throws -> String? {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let roots = directory.appending(path: "roots.pem")
        try Data(trust.utf8).write(to: roots)
        let expiration = Int(Date.now.timeIntervalSince1970) + lifetime
        let authorization = if let bearer { bearer } else { try await key.token() }
        let (output, _) = try await Curl.run([
            "--http2", "--cacert", roots.path, "--header", "authorization: bearer \(authorization)", "--header",
            "apns-topic: \(topic)", "--header", "apns-push-type: \(type)", "--header", "apns-priority: 10", "--header",
            "apns-expiration: \(expiration)", "--data", payload, "--output", directory.appending(path: "body").path,
            "--write-out", "%{http_code}", "https://\(host):\(port)/3/device/\(token)",
        ])
        return output == "000" ? nil : output
    }
}

extension Provider {
    /// Sends a push to the Live Activity of a ride; its timestamp is this number of seconds from now.
    @discardableResult func ride(
        _ event: String, minutes: Int, to token: String?, ahead: Int = 0, members: String = ""
    ) async throws -> String? {
        let start =
            #""attributes-type":"RideAttributes","attributes":{"ride":4711},"input-push-token":1,"#
            + #""alert":{"title":"On the way","body":"Here in \#(minutes) minutes"},"#
        let timestamp = Int(Date.now.timeIntervalSince1970) + ahead
        let payload =
            #"{"aps":{"event":"\#(event)","timestamp":\#(timestamp),\#(event == "start" ? start : "")"#
            + #""content-state":{"minutes":\#(minutes)}\#(members)}}"#
        return try await send(
            payload, to: token ?? "", topic: "com.example.rides.push-type.liveactivity", type: "liveactivity")
    }

    init(_ apns: APNsMock) { self.init(host: apns.host, port: apns.port, trust: apns.trustRootsPEM, key: apns.key) }
}

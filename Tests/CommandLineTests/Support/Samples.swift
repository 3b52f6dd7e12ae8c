import Foundation
import MockAPNsClient

@testable import MockAPNsAPI
@testable import MockAPNsFormats
@testable import mock_apns

/// Responses of the API, as text.
enum Samples {
    static let token = "3f2a" + String(repeating: "0", count: 56) + "9c01"

    static func registration(
        token: String = token, topic: String = "com.example.app", environment: String = "sandbox",
        state: String = "registered", stored: String = #""stored":null,"storedUntil":null"#
    ) -> String {
        """
        {"token":"\(token)","device":"dev_0000000000000003","label":"alice","topic":"\(topic)",\
        "environment":"\(environment)","appState":"background","notificationsEnabled":true,"state":"\(state)",\
        "deadSince":\(state == "registered" ? "null" : "\"2026-01-05T10:11:12.345678Z\""),"accepted":4,\
        "delivered":3,"discarded":1,"badge":null,\(stored),"held":null,"lastPush":null}
        """
    }

    static func device(
        label: String = #""alice""#, state: String = "online", lowPower: Bool = false, connectedClients: Int = 0,
        registrations: [String] = [registration()]
    ) -> String {
        """
        {"id":"dev_0000000000000003","label":\(label),"state":"\(state)","lowPower":\(lowPower),\
        "origin":"described","offlineSince":\(state == "online" ? "null" : "\"2026-01-05T10:11:12.345678Z\""),\
        "connectedClients":\(connectedClients),"delivered":3,"discarded":1,"stored":1,"badge":2,\
        "subscriptions":["ASNFZ4mrze/+3LqYdlQyEA=="],\
        "lastPush":{"id":"psh_0000010000000001","seq":12},"registrations":[\(registrations.joined(separator: ","))]}
        """
    }

    static func activity(id: String = "act_1", state: String = "active", ignored: String = "[]") -> String {
        let text = """
            {"id":"\(id)","state":"\(state)","attributesType":"Ride","topic":"com.example.app.push-type.liveactivity",\
            "environment":"sandbox","token":"\(token)","startedAt":"2026-01-05T10:11:12.345678Z","startedBy":"push",\
            "staleAt":"2026-01-05T10:30:00.000000Z","lastPush":"psh_0000010000000001","attributes":{"ride":1},\
            "contentState":{"minutes":5},"ignored":\(ignored)}
            """
        return whole(ActivityShape.self, text)
    }

    static func push(payload: String = #"{"aps":{"alert":{"title":"Hi","body":"There"}}}"#) -> String {
        let text = """
            {"id":"psh_0000010000000001","seq":1,"receivedAt":"2026-01-05T10:11:12.345678Z",\
            "apns":{"topic":"com.example.app","pushType":"alert"},"request":{"payload":\(payload)},\
            "delivery":{"state":"delivered","timeline":[\
            {"seq":1,"at":"2026-01-05T10:11:12.345678Z","event":"received"},\
            {"seq":3,"at":"2026-01-05T10:11:14.000000Z","event":"delivered","detail":null}],\
            "reaction":{"appState":"background","summary":"Banner.","presentation":"banner","callbacks":[]}}}
            """
        return whole(PushShape.self, text)
    }

    /// A push as in `/api/v1/pushes/{id}`.
    static func pushInFull(
        verdict: String =
            #"{"outcome":"accepted","status":200,"reason":null,"meaning":null,"hint":null,"checks":[{"id":"path","ok":true}],"problem":null}"#,
        body: String = "{}", base64: String? = nil, lints: String = "[]", bodyKept: Bool = true, tls: String = "null"
    ) -> String {
        let encoded = base64 ?? Data(body.utf8).base64EncodedString()
        let text = """
            {"id":"psh_0000010000000001","seq":1,"receivedAt":"2026-01-05T10:11:12.345678Z","environment":"sandbox",\
            "request":{"method":"POST","path":"/3/device/\(token)",\
            "headers":[["apns-topic","com.example.app"],["x-odd","a\\u001b[31m"]],\
            "bodySize":\(base64 == nil ? body.utf8.count : 0),"bodyKept":\(bodyKept),"bodyBase64":"\(encoded)",\
            "payload":null},\
            "apns":{"id":"0c6b","topic":"com.example.app","pushType":"alert","token":"\(token)"},\
            "auth":{"kind":"token","keyId":"ABC123DEFG","teamId":"DEF123GHIJ","ageSeconds":12,\
            "verification":"verified"},\
            "connection":{"id":"c7","streamId":15,"remote":"127.0.0.1:51644","tls":\(tls)},\
            "verdict":\(verdict),\
            "delivery":{"state":"delivered","status":"Delivered to Device","detail":null,"device":"alice",\
            "timeline":[{"seq":1,"at":"2026-01-05T10:11:12.345678Z","event":"received","detail":null},\
            {"seq":2,"at":"2026-01-05T10:11:12.345900Z","event":"responded","status":200,"detail":null},\
            {"seq":3,"at":"2026-01-05T10:11:14.000000Z","event":"delivered","detail":"from-storage"}],\
            "reaction":{"summary":"Banner."}},"verifiedBy":["vfy_3"],"lints":\(lints)}
            """
        return whole(PushShape.self, text)
    }

    /// A delivery report, without the braces around it.
    static func report(delivered: [String] = [], expired: Int = 0) -> String {
        let ids = delivered.map { "\"\($0)\"" }.joined(separator: ",")
        let old = (0..<min(expired, 1_000)).map { "\"psh_\($0)\"" }.joined(separator: ",")
        return """
            "delivered":[\(ids)],"expired":[\(old)],"discarded":[],"inactive":[],"unregistered":[],\
            "deliveredCount":\(delivered.count),"expiredCount":\(expired),"discardedCount":0,"inactiveCount":0,\
            "unregisteredCount":0
            """
    }

    /// An object as text; required members that `text` leaves out have neutral values.
    static func whole<Content: Shape>(_ shape: Content.Type, _ text: String) -> String {
        let schema = APIObject<Content>.schema(nil, .response)
        let json = completed(JSONParser.value(of: Array(text.utf8)) ?? .null, as: schema.json, schema.named)
        return String(decoding: json.text, as: UTF8.self)
    }

    /// An object; members that `text` leaves out have neutral values.
    static func decoded<Content: Shape>(_ text: String, as type: Content.Type) throws -> APIObject<Content> {
        APIObject(reading: ValueReader(try JSONParser.parse(Array(text.utf8), repeatedNames: .refused)))
    }

    /// `named` has the schemas to which others refer; the lists of words are not among them.
    private static func completed(_ json: JSONValue?, as schema: JSONValue, _ named: [String: JSONValue]) -> JSONValue {
        if case .string(let reference)? = schema["$ref"] {
            let name = reference.split(separator: "/").last.map(String.init) ?? ""
            return named[name].map { completed(json, as: $0, named) } ?? json ?? ""
        }
        if case .array(let choices)? = schema["anyOf"] {
            return json.map { $0 == .null ? $0 : completed($0, as: choices[0], named) } ?? .null
        }
        switch json {
        case .array(let values)?: return .array(values.map { completed($0, as: schema["items"] ?? [:], named) })
        case .object(var members)?:
            let required = schema["required"].entries.compactMap(\.plainText)
            for (name, member) in schema["properties"].sortedMembers
            where members[name] != nil || required.contains(name) {
                members[name] = completed(members[name], as: member, named)
            }
            return .object(members)
        case let json?: return json
        case nil: break
        }
        let types = SchemaCheck.types(of: schema)
        if types.contains("null") { return .null }
        return switch types.first {
        case "array": []
        case "boolean": false
        case "integer", "number": 0
        case "object": completed([:], as: schema, named)
        case "string": ""
        default: schema["const"] ?? .null
        }
    }
}

import MockAPNsRules
import MockAPNsWorld

/// A push as a widespread client library sends it, with nothing wrong.
///
/// The bodies are those of the libraries' own examples, or what their types encode, with the topic and the priority that
/// they set. To add one, add a row.
public struct HealthyPush: Sendable, CustomStringConvertible {
    /// The library, or the service, that sends it.
    public let sender: String
    /// The push type.
    public let type: PushType
    /// The topic.
    public let topic: String
    /// The payload.
    public let body: String

    /// The sender and the beginning of the payload.
    public var description: String { "\(sender): \(body.prefix(60))" }

    private init(_ sender: String, _ type: PushType, _ body: String, topic: String? = nil) {
        self.sender = sender
        self.type = type
        self.topic = topic ?? "com.example.app" + type.row.topicSuffix.description
        self.body = body
    }

    /// The request.
    public var draft: PushDraft {
        var draft = PushDraft.clean.setting("apns-push-type", to: type.name).setting("apns-topic", to: topic).setting(
            "apns-priority", to: type == .background ? "5" : "10")
        draft.body = Array(body.utf8)
        if SpecialTopic(topic: topic) != nil {
            draft = draft.setting("authorization", to: nil)
            draft.certificate = ClientCertificate(subject: "UID=\(topic)", issuer: "CN=authority")
            draft.certificate?.onlyTopic = topic
        }
        return draft
    }

    /// At least one of every push type.
    public static let all: [HealthyPush] = [
        HealthyPush("curl", .alert, #"{"aps":{"alert":"Hi"}}"#),
        HealthyPush("curl", .alert, #"{"aps":{"alert":"Hi","sound":"default","badge":0}}"#),
        HealthyPush(
            "APNSwift", .alert,
            #"{"aps":{"alert":{"title":"Order","subtitle":"No. 7","body":"Shipped"},"badge":1,"sound":"ping.aiff","#
                + #""thread-id":"orders","category":"ORDER","mutable-content":1,"target-content-id":"w","#
                + #""interruption-level":"time-sensitive","relevance-score":0.5},"order":{"id":7,"open":true}}"#),
        HealthyPush(
            "APNSwift", .alert,
            #"{"aps":{"alert":{"title-loc-key":"T","title-loc-args":["a"],"loc-key":"B","loc-args":[]},"#
                + #""sound":{"critical":1,"name":"alarm.caf","volume":1}}}"#),
        HealthyPush("APNSwift", .background, #"{"aps":{"content-available":1},"sync":"all"}"#),
        HealthyPush(
            "APNSwift", .liveactivity,
            #"{"aps":{"timestamp":1767607872,"event":"start","content-state":{"left":3},"attributes-type":"Trip","#
                + #""attributes":{"id":"7"},"alert":{"title":"On the way","body":"7 minutes","sound":"ding.caf"}}}"#),
        HealthyPush(
            "APNSwift", .liveactivity,
            #"{"aps":{"timestamp":1767607871,"event":"update","content-state":{"left":2},"stale-date":1767608872}}"#),
        HealthyPush(
            "APNSwift", .liveactivity,
            #"{"aps":{"timestamp":1767607872,"event":"end","content-state":{"left":0},"dismissal-date":1767607872}}"#),
        HealthyPush("APNSwift", .voip, #"{"callerName":"Ann","uuid":"3F2A0000-0000-4000-8000-000000009C01"}"#),
        HealthyPush("APNSwift", .pushtotalk, #"{"activeSpeaker":"Ann"}"#),
        HealthyPush("APNSwift", .location, #"{"aps":{}}"#),
        HealthyPush("APNSwift", .complication, #"{"aps":{"content-available":1},"steps":7000}"#),
        HealthyPush(
            "APNSwift", .fileprovider,
            #"{"container-identifier":"NSFileProviderWorkingSetContainerItemIdentifier","domain":"d"}"#),
        HealthyPush("APNSwift", .widgets, #"{"aps":{"content-changed":true}}"#),
        HealthyPush("APNSwift", .controls, #"{"aps":{"content-changed":true}}"#),
        HealthyPush(
            "APNSwift", .accessory,
            #"{"aps":{"encryptedData":"AAEC","sessionIdentifier":"3F2A0000-0000-4000-8000-000000009C01","#
                + #""keyID":"a2V5","messageIndex":"7"}}"#),
        HealthyPush(
            "Pushy", .alert,
            #"{"aps":{"alert":{"body":"Hi","summary-arg":"Ann","summary-arg-count":2},"badge":9},"a":["b"]}"#),
        HealthyPush("apns2", .alert, #"{"aps":{"alert":"Hi","badge":42,"sound":"default"},"key":"val"}"#),
        HealthyPush("apns2", .alert, #"{"aps":{"alert":"Hi","content-available":1,"mutable-content":1}}"#),
        HealthyPush("node-apn", .alert, #"{"messageFrom":"Ann","aps":{"alert":"You have mail","badge":3}}"#),
        HealthyPush("node-apn", .background, #"{"aps":{"content-available":1},"badge":3,"alert":"for the app"}"#),
        HealthyPush(
            "FCM", .alert,
            #"{"aps":{"alert":{"title":"Hi","body":"a"},"mutable-content":1},"gcm.message_id":"1","#
                + #""google.c.a.e":"1","fcm_options":{"image":"https://example.com/a.png"}}"#),
        HealthyPush("Expo", .alert, #"{"aps":{"alert":{"title":"Hi","body":"a"}},"body":{"a":1},"scopeKey":"@a/b"}"#),
        HealthyPush(
            "OneSignal", .alert,
            #"{"aps":{"alert":{"title":"Hi","body":"a"},"sound":"default"},"custom":{"i":"1","a":{"b":"c"}}}"#),
        HealthyPush("sygnal", .alert, #"{"room_id":"!a:b","event_id":"$c","aps":{"alert":{"loc-key":"M"},"badge":1}}"#),
        HealthyPush("nanomdm", .mdm, #"{"mdm":"2F5A-77"}"#, topic: "com.apple.mgmt.External.7"),
        HealthyPush("passkit", .alert, "{}", topic: "pass.com.example.card"),
        HealthyPush("passkit", .background, #"{"aps":{}}"#, topic: "pass.com.example.card"),
        HealthyPush(
            "Safari", .alert, #"{"aps":{"alert":{"title":"Hi","body":"a","action":"View"},"url-args":["boarding"]}}"#,
            topic: "web.com.example"),
    ]
}

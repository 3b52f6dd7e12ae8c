import MockAPNsFormats
import Testing

@testable import MockAPNsRules

/// The table of kinds, and which one a push is.
@Suite struct PushKindTests {
    @Test func `every push type has a kind, and names are different`() {
        #expect(Set(PushKind.allCases.map(\.row.type)) == Set(PushType.allCases))
        #expect(Set(PushKind.allCases.map(\.row.name)).count == PushKind.allCases.count)
        for kind in PushKind.allCases {
            #expect(!kind.row.effect.isEmpty && !kind.row.source.isEmpty && !kind.payload.isEmpty, "\(kind)")
            #expect(kind.row.effect.hasSuffix("."), "\(kind)")
        }
    }

    private static let managed = "com.apple.mgmt.External.7"

    static let rows: [(PushType, String?, String, Bool, PushKind)] = [
        (.alert, nil, #"{"aps":{"alert":"x"}}"#, false, .alert),
        (.background, nil, #"{"aps":{"content-available":1}}"#, false, .background), (.voip, nil, "{}", false, .voip),
        (.complication, nil, "{}", false, .complication), (.fileprovider, nil, "{}", false, .fileProvider),
        (.location, nil, "{}", false, .location),
        (.liveactivity, nil, #"{"aps":{"event":"start"}}"#, false, .activityStart),
        (.liveactivity, nil, #"{"aps":{"event":"update"}}"#, false, .activityUpdate),
        (.liveactivity, nil, #"{"aps":{"event":"end"}}"#, false, .activityUpdate),
        (.liveactivity, nil, "{}", false, .activityUpdate),
        (.liveactivity, nil, #"{"aps":{"event":"update"}}"#, true, .broadcast),
        (.pushtotalk, nil, #"{"activeSpeaker":"Ann"}"#, false, .pushToTalk),
        (.pushtotalk, nil, #"{"aps":{"ptt-push-type":"service-update"}}"#, false, .serviceUpdate),
        (.pushtotalk, nil, #"{"aps":{"ptt-push-type":"Service-Update"}}"#, false, .pushToTalk),
        (.widgets, nil, "{}", false, .widgets), (.controls, nil, "{}", false, .controls),
        (.accessory, nil, "{}", false, .accessory), (.mdm, managed, "{}", false, .deviceManagement),
        (.mdm, nil, "{}", false, .deviceManagement), (.alert, managed, "{}", false, .deviceManagement),
        (.alert, "pass.com.example", "{}", false, .wallet), (.background, "pass.com.example", "{}", false, .wallet),
        (.alert, "web.com.example", "{}", false, .website),
    ]

    @Test(arguments: rows.indices) func `a push is of the kind that receives it`(index: Int) {
        let (type, topic, body, isBroadcast, kind) = Self.rows[index]
        let reading = PayloadReading(
            JSONParser.value(of: Array(body.utf8)), type: type, special: SpecialTopic(topic: topic),
            isBroadcast: isBroadcast, at: Timestamp(seconds: 0))
        #expect(reading.kind == kind)
    }

    @Test func `every kind has a push in the table`() { #expect(Set(Self.rows.map(\.4)) == Set(PushKind.allCases)) }

    @Test(arguments: [("right", false), ("wrong", true), (nil, false)] as [(String?, Bool)])
    func `a device ignores an MDM push with another PushMagic`(enrolled: String?, isIgnored: Bool) {
        let reading = PayloadReading(
            JSONParser.value(of: Array(#"{"mdm":"right"}"#.utf8)), type: .mdm, special: .deviceManagement,
            pushMagic: enrolled, at: Timestamp(seconds: 0))
        #expect(reading.isIgnored == isIgnored)
        #expect(reading.specialProblems.map(\.way) == (isIgnored ? [["mdm"]] : []))
    }

    @Test func `who may send a kind`() {
        #expect(PushKind.activityUpdate.credentials == "provider token")
        #expect(PushKind.fileProvider.credentials == "provider token")
        #expect(PushKind.broadcast.credentials == "provider token or certificate")
        #expect(PushKind.wallet.credentials == "the certificate that signs the pass")
        #expect(PushKind.allCases.filter(\.row.isProductionOnly) == [.wallet])
        #expect(PushKind.serviceUpdate.row.budget?.text == "6 an hour at priority 10")
        #expect(PushKind.location.row.budget?.text == "360 in 24 hours")
    }
}

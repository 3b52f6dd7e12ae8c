import MockAPNsFormats
import Testing

@testable import MockAPNsPreview

/// The tables of members that senders use: each row has an effect, and none is misspelt.
///
/// The rows are written here once more, so that a changed or removed one fails; a new row is added in both places.
@Suite struct MemberTableTests {
    private func payload(_ name: String, _ value: JSONValue, in holder: String?) -> JSONValue {
        holder.map { [$0: [name: value]] } ?? [name: value]
    }

    @Test func `a caller is found under every name of the table`() {
        let names = [
            "callerName", "caller_name", "callerDisplayName", "nameCaller", "localizedCallerName", "displayName",
            "caller", "from", "twi_from", "handle", "number",
        ]
        let videos = ["hasVideo", "has_video", "isVideo", "video"]
        let holders: [String?] = [nil, "data", "call", "extra"]
        #expect(names == IncomingCall.names && videos == IncomingCall.videos)
        #expect(holders.compactMap(\.self) == IncomingCall.holders)
        for holder in holders {
            for name in names {
                let call = IncomingCall(payload: payload(name, "Alice", in: holder))
                #expect(call.name == "Alice" && call.medium == "Audio", "\(name)")
            }
            for name in videos { #expect(IncomingCall(payload: payload(name, true, in: holder)).hasVideo, "\(name)") }
        }
        // An earlier name wins.
        for (first, second) in zip(names, names.dropFirst()) {
            let both = IncomingCall(payload: [second: "Bob", first: "Alice"])
            #expect(both.name == "Alice", "\(first)")
        }
    }

    @Test func `an image is found under every name of the table`() {
        let names = [
            "image", "image-url", "image_url", "imageUrl", "imageURL", "media-url", "media_url", "mediaUrl", "mediaURL",
            "attachment-url", "attachment_url", "attachmentUrl", "attachmentURL", "attachment", "picture", "photo",
            "media",
        ]
        let holders: [String?] = [nil, "fcm_options", "data", "aps"]
        #expect(names == PreviewAttachment.names)
        #expect(holders.compactMap(\.self) == PreviewAttachment.holders)
        for holder in holders {
            for name in names {
                let address = PreviewAttachment.address(in: payload(name, "https://a/b.png", in: holder))
                #expect(address == "https://a/b.png", "\(name)")
            }
        }
        #expect(PreviewAttachment.address(in: ["image": "b.png"]) == nil)
    }

    @Test func `an ending of the table is left out of the app's name`() {
        let endings = ["ios", "watchkitapp", "clip", "debug", "dev", "staging", "beta"]
        #expect(endings == PreviewedApp.endings)
        for ending in endings {
            for text in [ending, ending.uppercased()] {
                #expect(PreviewedApp(topic: "com.example.shop.\(text)").name == "Shop", "\(text)")
            }
        }
    }
}

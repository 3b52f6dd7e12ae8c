internal import MockAPNsFormats
internal import MockAPNsQuery

/// The image that an app's service extension may attach to a notification.
///
/// The app alone knows where its payload has the image. The members are those that widespread senders use: Firebase's
/// `fcm_options.image` (documented) and common names (inferred).
enum PreviewAttachment {
    static let holders = ["fcm_options", "data", "aps"]
    static let names = [
        "image", "image-url", "image_url", "imageUrl", "imageURL", "media-url", "media_url", "mediaUrl", "mediaURL",
        "attachment-url", "attachment_url", "attachmentUrl", "attachmentURL", "attachment", "picture", "photo", "media",
    ]
    private static let longest = 2_048

    /// Returns the first address of the web in these members.
    static func address(in payload: JSONValue?) -> String? {
        for place in [payload] + holders.map({ payload?[$0] }) {
            for name in names {
                guard let text = place?[name]?.string, isOfWeb(text) else { continue }
                return text
            }
        }
        return nil
    }

    private static func isOfWeb(_ text: String) -> Bool {
        let start = text.prefix(8).lowercased()
        return text.utf8.count <= longest && (start.hasPrefix("https://") || start.hasPrefix("http://"))
    }
}

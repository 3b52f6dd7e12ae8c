internal import MockAPNsUpstream

/// Cases that need something of the user: a device, a client certificate, or the consent to make a channel.
extension DriftCatalogue {
    // MARK: A device

    /// The most pushes that a device gets.
    package static let mostToDevice = 20
    /// The case after whose refusal no other push is sent to the device.
    package static let firstToDevice = "device-accepted"

    private static func device(
        _ id: String, _ decides: String, _ source: String, _ choices: [DriftCase.Choice] = [], isRefused: Bool = false,
        _ change: @escaping DriftCase.Change = { _, _ in }
    ) -> DriftCase {
        DriftCase(
            id: "device-\(id)", decides: decides, source: source, choices: choices, need: .device,
            hasErrorBody: isRefused
        ) { draft, provider in
            draft.path = "/3/device/\(provider.ownDeviceToken ?? "")"
            draft.set("apns-push-type", "background")
            draft.set("apns-priority", "5")
            draft.body = Array(#"{"aps":{"content-available":1}}"#.utf8)
            change(&draft, provider)
        }
    }

    private static func silent(_ size: Int) -> [UInt8] {
        Array("{\"aps\":{\"content-available\":1},\"a\":\"\(String(repeating: "a", count: size - 38))\"}".utf8)
    }

    private static let strict = [DriftCase.Choice("--behavior invalid-json=reject", "BadRequestPayload")]

    /// Silent pushes: of the type background, with priority 5, and nothing to show in them.
    static let devices = [
        device("accepted", "a silent push to a device", "documented: 200, apns-unique-id in the sandbox"),
        device("id-lower", "an apns-id in lower case, which the answer repeats", "documented") { draft, _ in
            draft.set("apns-id", "123e4567-e89b-12d3-a456-426655440000")
        },
        device(
            "id-upper", "an apns-id in upper case, which the answer repeats", "inferred",
            [DriftCase.Choice("--behavior apns-id-case=lower", "BadMessageId")]
        ) { draft, _ in draft.set("apns-id", "123E4567-E89B-12D3-A456-426655440001") },
        device("expiration-zero", "an expiration of 0", "documented") { draft, _ in draft.set("apns-expiration", "0") },
        device("expiration-past", "an expiration in the past", "observed") { draft, _ in
            draft.set("apns-expiration", "1")
        },
        device("expiration-milliseconds", "an expiration in milliseconds", "inferred") { draft, _ in
            draft.set("apns-expiration", "4102444800000")
        },
        device("collapse-64", "a collapse ID of 64 bytes", "documented") { draft, _ in
            draft.set("apns-collapse-id", String(repeating: "a", count: 64))
        },
        device("token-upper", "the device token in upper case", "inferred") { draft, provider in
            draft.path = "/3/device/\(provider.ownDeviceToken?.uppercased() ?? "")"
        }, device("body-4096", "a body of 4,096 bytes", "documented") { draft, _ in draft.body = silent(4_096) },
        device("body-4097", "a body of 4,097 bytes", "documented: PayloadTooLarge", isRefused: true) { draft, _ in
            draft.body = silent(4_097)
        },
        device("body-not-json", "a body that is not JSON", "observed: rpush/rpush#113", strict) { draft, _ in
            draft.body = Array("{".utf8)
        },
        device("expect", "expect: 100-continue", "RFC 9110; the rest is unknown") { draft, _ in
            draft.set("expect", "100-continue")
        },
        device("topic-other", "a device token with the topic of another kind", "observed", isRefused: true) {
            $0.set("apns-topic", "\($1.topic).complication")
        },
    ].map(withContentType)

    // MARK: A client certificate

    private static func certificate(
        _ id: String, _ decides: String, _ source: String, _ change: @escaping DriftCase.Change = { _, _ in }
    ) -> DriftCase {
        DriftCase(
            id: "certificate-\(id)", decides: decides, source: source, choices: [], place: .certificate,
            need: .certificate
        ) { draft, provider in
            draft.credential = .absent
            change(&draft, provider)
        }
    }

    static let certificates =
        ([
            certificate("accepted", "a push with a client certificate to an unknown device", "documented"),
            certificate("token-word", "a provider token that is ignored", "documented") { draft, _ in
                draft.credential = .text("bearer word")
            }, certificate("topic-absent", "no topic", "documented") { draft, _ in draft.set("apns-topic", nil) },
            certificate("topic-other", "a topic that the certificate does not have", "observed: TopicDisallowed") {
                draft, _ in draft.set("apns-topic", "com.example.another-app")
            },
            certificate("id-word", "an apns-id that is not a UUID", "documented") { draft, _ in
                draft.set("apns-id", "word")
            }, certificate("method-put", "the method PUT", "inferred") { draft, _ in draft.method = "PUT" },
        ]
        + [
            ("location", ".location-query"), ("fileprovider", ".pushkit.fileprovider"),
            ("liveactivity", ".push-type.liveactivity"), ("pushtotalk", ".voip-ptt"), ("widgets", ".push-type.widgets"),
            ("controls", ".push-type.controls"), ("accessory", ".push-type.accessory"), ("voip", ".voip"),
        ].map { type, suffix in
            certificate(type, "the push type \(type) with a certificate", "inferred: TopicDisallowed") {
                draft, provider in
                draft.set("apns-push-type", type)
                draft.set("apns-topic", provider.topic + suffix)
            }
        }).map(withContentType)

    // MARK: A channel

    private static func channel(
        _ id: String, _ method: String, _ decides: String, _ source: String, rest: String = "channels",
        body: String = "", isRefused: Bool = true, _ change: @escaping DriftCase.Change = { _, _ in }
    ) -> DriftCase {
        DriftCase(
            id: "channel-\(id)", decides: decides, source: source, choices: [], place: .channels, need: .channels,
            hasErrorBody: isRefused
        ) { draft, provider in
            draft.method = method
            draft.path = "/1/apps/\(provider.topic)/\(rest)"
            draft.headers = []
            draft.body = Array(body.utf8)
            change(&draft, provider)
        }
    }

    private static let description = #"{"message-storage-policy":0,"push-type":"LiveActivity"}"#

    /// The channel that is made is deleted in any case; nothing is sent to it.
    static let channels = [
        channel("create-empty", "POST", "a channel without a description", "documented: BadRequestPayload"),
        channel("create-word", "POST", "a description that is not JSON", "documented: BadRequestPayload", body: "{"),
        channel("create-member", "POST", "an unknown member", "documented: BadRequestParams", body: #"{"a":1}"#),
        channel(
            "create-policy", "POST", "a storage policy of 2", "inferred: BadRequestParams",
            body: #"{"message-storage-policy":2,"push-type":"LiveActivity"}"#),
        channel(
            "create-type", "POST", "another push type", "inferred: InvalidPushType",
            body: #"{"message-storage-policy":0,"push-type":"alert"}"#),
        channel(
            "create-no-type", "POST", "no push type", "inferred: MissingPushType",
            body: #"{"message-storage-policy":0}"#),
        channel("no-token", "GET", "no provider token", "observed: MissingProviderToken", rest: "all-channels") {
            draft, _ in draft.credential = .absent
        }, channel("put", "PUT", "the method PUT", "inferred: MethodNotAllowed", body: description),
        channel("path", "GET", "a path that does not exist", "inferred: BadPath", rest: "channel"),
        channel("read-no-id", "GET", "no apns-channel-id", "documented: MissingChannelId"),
        channel("read-word", "GET", "a channel ID that is not Base64", "documented: BadChannelId") { draft, _ in
            draft.set("apns-channel-id", "!")
        },
        channel("read-long", "GET", "a channel ID of 100 characters", "documented: BadChannelId") { draft, _ in
            draft.set("apns-channel-id", String(repeating: "A", count: 100))
        },
        channel("read-unknown", "GET", "a channel that does not exist", "documented: ChannelNotRegistered") {
            draft, _ in draft.set("apns-channel-id", "AAAAAAAAAAAAAAAAAAAAAA==")
        },
        channel("id-word", "GET", "an apns-request-id that is not a UUID", "documented: BadMessageId") { draft, _ in
            draft.set("apns-request-id", "word")
        }, channel("create", "POST", "a channel", "documented: 201", body: description, isRefused: false),
        channel("read", "GET", "its description", "documented: 200", isRefused: false) { draft, _ in
            draft.set("apns-channel-id", DriftDraft.channelMark)
        }, channel("list", "GET", "the list of channels", "documented: 200", rest: "all-channels", isRefused: false),
        channel("delete", "DELETE", "its end", "documented: 204", isRefused: false) { draft, _ in
            draft.set("apns-channel-id", DriftDraft.channelMark)
        },
        channel("read-deleted", "GET", "a channel after its end", "documented: ChannelNotRegistered") { draft, _ in
            draft.set("apns-channel-id", DriftDraft.channelMark)
        },
        channel("delete-deleted", "DELETE", "the end of a channel after its end", "documented: ChannelNotRegistered") {
            draft, _ in draft.set("apns-channel-id", DriftDraft.channelMark)
        },
    ].map(withContentType)

    /// The cases that need the channel that the first of them makes: all or none are sent.
    package static let channelLife = [
        "channel-create", "channel-read", "channel-list", "channel-delete", "channel-read-deleted",
        "channel-delete-deleted",
    ]
}

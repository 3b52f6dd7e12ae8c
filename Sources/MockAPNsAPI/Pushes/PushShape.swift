package import MockAPNsFormats
internal import MockAPNsRules

package final class PushShape: Shape {
    package static let definition = Definition(PushShape(), "Push")
    package let apns = Member<APIObject<APNs>>()
    package let auth = Member<APIObject<Authentication>>()
    package let clockTime = Member<String>(.time, "The time of arrival on the world's clock.")
    package let connection = Member<APIObject<Connection>>()
    package let delivery = Member<APIObject<DeliveryShape>>()
    package let environment = Member<String>(.environment)
    package let epoch = Member<UInt64>("The number of resets before the push, plus one.")
    package let faults = Member<[String]>(.faultID, "The faults that fired for the push.")
    package let id = Member<String>(.pushID)
    package let imported = Member<Bool>("Whether the push was recorded by another server.")
    package let lints = Member<[APIObject<LintShape>]>("Warnings about the push.")
    package let namespace = Member<String>()
    package let note = Member<String?>("A note written by a person.")
    package let pinned = Member<Bool>("Whether the push stays when others are dropped to make room.")
    package let `protocol` = Member<String>(
        .words(ProviderInterface.pushProtocols), "Whether the push came over HTTP/2 or by the binary interface.")
    package let receivedAt = Member<String>(.time, "The time of arrival on the system's clock.")
    package let request = Member<APIObject<Request>>()
    package let response = Member<APIObject<Response>>()
    package let routedBy = Member<String>("Why the push belongs to its namespace.")
    package let service = Member<String>(.service)
    package let seq = Member<UInt64>("The number of the push. Every list uses it as its cursor.")
    package let verdict = Member<APIObject<VerdictShape>>()
    package let verifiedBy = Member<[String]>("The verifications that matched the push.")
}

extension PushShape {
    package final class Request: Shape {
        package static let definition = Definition(Request())
        package let bodyBase64 = Member<Base64Bytes>("The body, byte for byte.")
        package let bodyKept = Member<Bool>("Whether the whole body is available; not if it is far over the limit.")
        package let bodySize = Member<Int>()
        package let headerBlockSize = Member<Int?>("The size of the headers in HPACK, if measured.")
        package let headers = Member<[[String]]>(
            "Pairs of name and value, in the order received; of the binary interface, the fields of the frame.")
        package let limitShare = Member<Double>("The body's size, divided by the limit of its push type.")
        package let method = Member<String>()
        package let path = Member<String>()
        package let payload = Member<JSONValue>("The body as JSON; null if it is not JSON.")
    }

    /// APNs' own headers.
    package final class APNs: Shape {
        package static let definition = Definition(APNs())
        package let bundleId = Member<String?>("The app in the path; null for a push to a device.")
        package let channel = Member<String?>("The channel of a broadcast or of a channel request.")
        package let collapseId = Member<String?>()
        package let expiration = Member<UInt64?>()
        package let id = Member<String?>()
        package let priority = Member<UInt64?>()
        package let pushType = Member<String>()
        package let pushTypeDerived = Member<Bool>("Whether the type comes from the payload.")
        package let token = Member<String?>(.token)
        package let topic = Member<String?>()
        package let uniqueId = Member<String?>()
    }

    package final class Authentication: Shape {
        package static let definition = Definition(Authentication())
        package let ageSeconds = Member<Double?>()
        package let certificate = Member<String?>("The app of the client certificate.")
        package let issuedAt = Member<String?>(.time)
        package let issuedAtSeconds = Member<Double?>()
        package let keyId = Member<String?>()
        package let kind = Member<String>(.words(["certificate", "token", "none"]))
        package let meaning = Member<String>()
        package let reason = Member<String?>(
            .reason, "Why APNs rejects such a provider token; null if it does not, or if that depends on more.")
        package let teamId = Member<String?>()
        package let verification = Member<String>(.tokenVerification)
    }

    package final class Connection: Shape {
        package static let definition = Definition(Connection())
        package let id = Member<String>()
        package let pushesOnConnection = Member<UInt64>()
        package let remote = Member<String?>()
        package let replica = Member<UInt64?>("The server that has received it, if several share the world.")
        package let streamId = Member<Int64>()
        package let tls = Member<APIObject<TLSShape>?>()
    }

    package final class Response: Shape {
        package static let definition = Definition(Response())
        package let body = Member<String>()
        package let durationMs = Member<Double>()
        package let headers = Member<[[String]]>("Pairs of name and value.")
        package let packet = Member<APIObject<Packet>?>("The error packet of the binary interface.")
        package let status = Member<Int>("On the binary interface, the status that HTTP/2 would have.")
    }

    package final class Packet: Shape {
        package static let definition = Definition(Packet())
        package let meaning = Member<String>()
        package let status = Member<Int>()
    }
}

/// A warning about a push.
package final class LintShape: Shape {
    package static let definition = Definition(LintShape())
    package let hint = Member<String>("How to fix it.")
    package let id = Member<String>()
    package let learn = Member<String>("The path of the documentation.")
    package let message = Member<String>()
    package let pointer = Member<String?>("The place in the payload, as a JSON Pointer.")
    package let severity = Member<String>(.word(.severity))
}

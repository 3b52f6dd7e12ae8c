internal import MockAPNs
package import MockAPNsFormats
package import MockAPNsQuery
package import MockAPNsRules
internal import MockAPNsWorld

package final class PushShape: Shape {
    package typealias Source = ShownPush
    package static let definition = Definition(PushShape(), "Push")
    package let apns = Member<APIObject<APNs>> { APIObject($0.facts) }
    package let auth = Member<APIObject<Authentication>> { APIObject($0.facts) }
    package let clockTime = Member<String>(.time, "The time of arrival on the world's clock.") {
        $0.record.clockTime.rfc3339
    }
    package let connection = Member<APIObject<Connection>> { APIObject($0.facts) }
    package let delivery = Member<APIObject<DeliveryShape>> { APIObject($0.facts) }
    package let environment = Member<String>(.environment) { $0.record.environment.rawValue }
    package let epoch = Member<UInt64>("The number of resets before the push, plus one.") { $0.record.epoch }
    package let faults = Member<[String]>(.faultID, "The faults that fired for the push.") {
        $0.record.faults.map(FaultIDText.text)
    }
    package let forward = OptionalMember<APIObject<ForwardShape>>(
        "The answer of the push service that it was forwarded to; absent if it was not."
    ) { $0.subject.context.world.forwards[$0.record.seq].map { APIObject($0) } }
    package let id = Member<String>(.pushID) { $0.facts.id }
    package let imported = Member<Bool>("Whether the push was recorded by another server.") { _ in false }
    package let lints = Member<[APIObject<LintShape>]>("Warnings about the push.") { push in
        push.subject.context.lints(of: push.facts).map { APIObject($0) }
    }
    package let namespace = Member<String> { $0.subject.name }
    package let note = Member<String?>("A note written by a person.") { push in
        push.subject.journal.note(on: push.record.seq, epoch: push.record.epoch) ?? nil
    }
    package let pinned = Member<Bool>("Whether the push stays when others are dropped to make room.") {
        $0.record.isPinned
    }
    package let `protocol` = Member<String>(
        .words(ProviderInterface.pushProtocols), "Whether the push came over HTTP/2 or by the binary interface."
    ) { $0.record.pushProtocol }
    package let receivedAt = Member<String>(.time, "The time of arrival on the system's clock.") {
        $0.record.receivedAt.rfc3339
    }
    package let request = Member<APIObject<Request>> { APIObject($0.facts) }
    package let response = Member<APIObject<Response>> { APIObject($0.facts) }
    package let routedBy = Member<String>("Why the push belongs to its namespace.") { $0.record.routing.rawValue }
    package let service = Member<String>(.service) { $0.record.service.rawValue }
    package let seq = Member<UInt64>("The number of the push. Every list uses it as its cursor.") { $0.record.seq }
    package let verdict = Member<APIObject<VerdictShape>> { APIObject(ShownVerdict($0.facts, in: $0.subject)) }
    package let verifiedBy = Member<[String]>("The verifications that matched the push.") {
        $0.subject.context.verifications.ids(of: $0.record.seq)
    }
}

extension PushShape {
    package final class Request: Shape {
        package typealias Source = PushFacts
        package static let definition = Definition(Request())
        package let bodyBase64 = Member<Base64Bytes>("The body, byte for byte.") { Base64Bytes($0.record.request.body) }
        package let bodyKept = Member<Bool>("Whether the whole body is available; not if it is far over the limit.") {
            $0.hasBody
        }
        package let bodySize = Member<Int> { Int($0.record.head.bodyLength) }
        package let headerBlockSize = Member<Int?>("The size of the headers in HPACK, if measured.") { push in
            let length = push.record.head.headerBlockLength
            return length == 0 ? nil : Int(length)
        }
        package let headers = Member<[[String]]>(
            "Pairs of name and value, in the order received; of the binary interface, the fields of the frame."
        ) { $0.headers.map { [$0.name, $0.value] } }
        package let limitShare = Member<Double>("The body's size, divided by the limit of its push type.") {
            (1_000 * Double($0.record.head.bodyLength) / Double($0.payloadLimit)).rounded() / 1_000
        }
        package let method = Member<String> { $0.method }
        package let path = Member<String> { $0.path }
        package let payload = Member<JSONValue>("The body as JSON; null if it is not JSON.") { $0.payload ?? .null }
    }

    /// APNs' own headers.
    package final class APNs: Shape {
        package typealias Source = PushFacts
        package static let definition = Definition(APNs())
        package let bundleId = Member<String?>("The app in the path; null for a push to a device.") {
            $0.record.bundleID
        }
        package let channel = Member<String?>("The channel of a broadcast or of a channel request.") {
            $0.record.channel
        }
        package let collapseId = Member<String?> { $0.record.request[.apnsCollapseID] }
        package let expiration = Member<UInt64?> { $0.number(.apnsExpiration) }
        package let id = Member<String?> { push in
            let name = push.record.service == .push ? HeaderName.apnsID : .apnsRequestID
            return push.record.answer.id ?? push.record.request[name]
        }
        package let priority = Member<UInt64?> { $0.number(.apnsPriority) }
        package let pushType = Member<String> { $0.pushType.name }
        package let pushTypeDerived = Member<Bool>("Whether the type comes from the payload.") { $0.pushType.isDerived }
        package let token = Member<String?>(.token) { $0.token?.hex }
        package let topic = Member<String?> { $0.record.request[.apnsTopic] }
        package let uniqueId = Member<String?> { $0.record.answer.uniqueID }
    }

    package final class Authentication: Shape {
        package typealias Source = PushFacts
        package static let definition = Definition(Authentication())
        package let ageSeconds = Member<Double?> { push in
            push.issuedInCalendar.map { (push.record.clockTime.seconds - $0).rounded(.down) }
        }
        package let certificate = Member<String?>("The app of the client certificate.") { $0.record.certificate }
        package let issuedAt = Member<String?>(.time) {
            $0.issuedInCalendar.map { Timestamp(microseconds: Int64($0 * 1_000_000)).rfc3339 }
        }
        package let issuedAtSeconds = Member<Double?> { $0.record.issuedAt }
        package let keyId = Member<String?> { $0.record.keyID }
        package let kind = Member<String>(.words(["certificate", "token", "none"])) {
            $0.record.certificate != nil ? "certificate" : $0.hasToken ? "token" : "none"
        }
        package let meaning = Member<String> { $0.record.verification.meaning.description }
        package let reason = Member<String?>(
            .reason, "Why APNs rejects such a provider token; null if it does not, or if that depends on more."
        ) { $0.record.verification.reason?.name }
        package let teamId = Member<String?> { $0.record.teamID }
        package let verification = Member<String>(.tokenVerification) { $0.record.verification.rawValue }
    }

    package final class Connection: Shape {
        package typealias Source = PushFacts
        package static let definition = Definition(Connection())
        package let id = Member<String> { ConnectionID($0.record.connectionID).text }
        package let pushesOnConnection = Member<UInt64> { UInt64($0.record.requestOnConnection) }
        package let remote = Member<String?> { $0.record.connection?.remoteAddress }
        package let replica = Member<UInt64?>("The server that has received it, if several share the world.") {
            Replica.number(ofConnection: $0.record.connectionID)
        }
        package let streamId = Member<Int64> { Int64($0.record.streamID) }
        package let tls = Member<APIObject<TLSShape>?> { $0.record.connection.flatMap(TLSShape.object) }
    }

    package final class Response: Shape {
        package typealias Source = PushFacts
        package static let definition = Definition(Response())
        package let body = Member<String> { $0.record.answer.body }
        package let durationMs = Member<Double> { Double($0.record.answer.microseconds) / 1_000 }
        package let headers = Member<[[String]]>("Pairs of name and value.") {
            $0.record.answer.headers.map { [$0.name, $0.value] }
        }
        package let packet = Member<APIObject<Packet>?>("The error packet of the binary interface.") {
            $0.record.sentPacket.map { APIObject($0) }
        }
        package let status = Member<Int>("On the binary interface, the status that HTTP/2 would have.") {
            Int($0.record.answer.status)
        }
    }

    package final class Packet: Shape {
        package typealias Source = GatewayStatus
        package static let definition = Definition(Packet())
        package let meaning = Member<String> { $0.text }
        package let status = Member<Int> { Int($0.rawValue) }
    }
}

/// A warning about a push.
package final class LintShape: Shape {
    package typealias Source = LintFinding
    package static let definition = Definition(LintShape())
    package let hint = Member<String>("How to fix it.") { $0.fix }
    package let id = Member<String> { $0.lint.id }
    package let learn = Member<String>("The path of the documentation.") { $0.lint.learn }
    package let message = Member<String> { $0.message }
    package let pointer = Member<String?>("The place in the payload, as a JSON Pointer.") { $0.pointer }
    package let severity = Member<String>(.word(.severity)) { $0.severity.rawValue }
}

extension PushFacts {
    var id: String { PushID(epoch: record.epoch, seq: record.seq).text }

    /// A header that should be a number; `nil` if it is absent or not a number.
    func number(_ name: HeaderName) -> UInt64? { record.request[name].flatMap { UInt64(digits: $0) } }

    /// When its provider token says that it was issued: a token may claim any time, and one outside the calendar is
    /// shown as a number only.
    fileprivate var issuedInCalendar: Double? {
        record.issuedAt.flatMap { (0...Timestamp.lastWritableSecond).contains($0) ? $0 : nil }
    }
}

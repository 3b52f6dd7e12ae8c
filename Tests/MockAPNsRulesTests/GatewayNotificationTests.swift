import TestSupport
import Testing

@testable import MockAPNsRules

/// What a notification of the binary interface becomes, and what is sent for it.
@Suite struct GatewayNotificationTests {
    /// Every status, and the reasons with which a push gets it.
    private static let rows: [(status: GatewayStatus, number: UInt8, reasons: [Reason])] = [
        (.noErrors, 0, []),
        (.processingError, 1, [.internalServerError, .serviceUnavailable, .badPriority, .tooManyRequests]),
        (.missingDeviceToken, 2, [.missingDeviceToken]), (.missingTopic, 3, [.missingTopic]),
        (.missingPayload, 4, [.payloadEmpty]), (.invalidTokenSize, 5, []), (.invalidTopicSize, 6, [.badTopic]),
        (.invalidPayloadSize, 7, [.payloadTooLarge]), (.invalidToken, 8, [.badDeviceToken, .deviceTokenNotForTopic]),
        (.shutdown, 10, [.shutdown, .idleTimeout]), (.protocolError, 128, [.badRequestPayload]),
        (.unknown, 255, [.forbidden, .badCertificate, .methodNotAllowed]),
    ]

    @Test func `every status has its number and its reasons`() {
        #expect(Self.rows.map(\.status) == GatewayStatus.allCases)
        for row in Self.rows {
            #expect(row.status.rawValue == row.number)
            #expect(row.status.packet(identifier: 0x0102_0304) == [8, row.number, 1, 2, 3, 4])
            for reason in row.reasons { #expect(GatewayStatus(rejecting: reason, problem: nil) == row.status) }
        }
    }

    @Test func `the size of a token has its own status`() {
        let status = GatewayStatus(rejecting: .badDeviceToken, problem: .invalidTokenSize)
        #expect(status == .invalidTokenSize)
    }

    @Test(arguments: [Reason.unregistered, .expiredToken])
    func `an uninstalled app is a matter of the feedback service`(_ reason: Reason) {
        #expect(GatewayStatus(rejecting: reason, problem: nil) == nil)
        #expect(GatewayStatus(rejecting: reason, problem: nil, reportsUnregistered: true) == .invalidToken)
    }

    @Test func `the request has the frame's fields`() {
        var notification = GatewayNotification(command: 2)
        notification.token = [0xab, 0x01]
        notification.tokenLength = 2
        notification.payload = [0x7b, 0x7d]
        notification.payloadLength = 2
        notification.identifier = 5
        notification.expiration = 0
        notification.priority = 10
        notification.withRequest(topic: "com.example.app") { request in
            #expect(request[.path]?.text == "/3/device/ab01")
            #expect(request[.apnsTopic]?.text == "com.example.app")
            #expect(request[.apnsExpiration]?.text == "0")
            #expect(request[.apnsPriority]?.text == "10")
            #expect(request[.authorization] == nil)
            #expect(Array(request.body.bytes) == [0x7b, 0x7d])
            let others = request.fields.filter { $0.name == .other }.map {
                "\(request.name(of: $0).text)=\(request.value(of: $0).text)"
            }
            #expect(others == ["command=2", "identifier=5"])
        }
    }

    @Test func `fields that are absent stay absent`() {
        GatewayNotification(command: 0).withRequest(topic: nil) { request in
            #expect(request[.apnsTopic] == nil && request[.apnsExpiration] == nil && request[.apnsPriority] == nil)
            #expect(request.devicePart?.isEmpty == true && request.bodyLength == 0)
        }
    }
}

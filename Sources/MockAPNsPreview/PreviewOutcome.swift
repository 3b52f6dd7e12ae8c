internal import MockAPNsRules
internal import MockAPNsWorld

package struct PreviewOutcome: Equatable {
    package let isDelivered: Bool
    package let allowsNotifications: Bool
    /// The label above a notification that was refused, is waiting or was not delivered; otherwise `nil`.
    package let label: String?
    package let note: String?

    init(_ record: PushRecord) {
        let state = record.delivery?.state
        isDelivered = state == .delivered || state == .deliveredFromStorage
        allowsNotifications = state != .discardedDisabled && record.delivery?.allowsNotifications != false
        note = Self.note(record, state, isDelivered)
        switch state {
        case _ where record.answer.status != 200: label = "REFUSED"
        case .storedDeviceOffline?, .storedPowerConsiderations?: label = "WAITING"
        case .some where !isDelivered: label = "NOT DELIVERED"
        default: label = nil
        }
    }

    private static func note(_ record: PushRecord, _ state: DeliveryEvent?, _ isDelivered: Bool) -> String? {
        guard record.answer.status == 200 else {
            let status = record.answer.status == 0 ? "without an answer" : "with \(record.answer.status)"
            let reason = record.verdict.reason.map { " \($0.name)" } ?? ""
            return "Refused \(status)\(reason): no device gets it."
        }
        guard !isDelivered else { return nil }
        switch state {
        case .discardedDisabled?: return "The user has turned notifications off for the app: it is not shown."
        case .storedDeviceOffline?, .storedPowerConsiderations?: return "It waits for the device."
        case let state?: return "\(state.row.status?.description ?? "Not delivered"): no device has it."
        case nil: return "It was not delivered to any device of this server."
        }
    }
}

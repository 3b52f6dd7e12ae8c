package import MockAPNsFormats
internal import MockAPNsRules

extension DeviceOptions.UninstallDetection: Archived {}
extension RegistrationState: Archived {}
extension Device.Origin: Archived {}

extension DeviceID: MemberwiseArchived {
    package static let format = ArchiveFormat(DeviceID.init(index:generation:), \.index, \.generation)
}

extension DeviceReference: MemberwiseArchived {
    package static let format = ArchiveFormat<Self>(
        cases: ArchiveCase(Self.label) { if case .label(let label) = $0 { label } else { nil } },
        ArchiveCase(Self.token) { if case .token(let token) = $0 { token } else { nil } },
        ArchiveCase(Self.id) { if case .id(let id) = $0 { id } else { nil } })
}

extension DeviceDraft: MemberwiseArchived {
    package static let format = ArchiveFormat(
        DeviceDraft.init(label:isOnline:savesPower:registrations:subscriptions:), \.label, \.isOnline, \.savesPower,
        \.registrations, \.subscriptions)
}

extension DeviceDraft.Registration: MemberwiseArchived {
    package static let format = ArchiveFormat(
        DeviceDraft.Registration.init(token:topic:environment:appState:allowsNotifications:), \.token, \.topic,
        \.environment, \.appState, \.allowsNotifications)
}

extension DeviceChange: MemberwiseArchived {
    package static let format = ArchiveFormat(changing: DeviceChange(), \.isOnline, \.savesPower, \.label)
}

extension RegistrationChange: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: RegistrationChange(), \.appState, \.allowsNotifications, \.state)
}

extension DeviceOptions: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: DeviceOptions(), \.uninstallDetection, \.inactiveAfter, \.selfRegisteredLimit, \.registrationLimit)
}

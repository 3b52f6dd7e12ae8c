internal import MockAPNsFormats
internal import MockAPNsRules
package import MockAPNsWorld

extension Problem {
    /// `prefix` is removed from the error's pointer, for a body that is only a part of what the world was given.
    package init(_ error: DeviceError, dropping prefix: String = "") {
        let kind: Kind =
            switch error.code {
            case .unknownDevice: .unknownDevice
            case .unknownToken: .unknownToken
            case .labelTaken: .labelTaken
            case .tokenTaken: .tokenTaken
            case .registrationTaken: .registrationTaken
            case .badValue: .unusableValue
            case .tooMany: .tooMany
            case .unknownActivity: .unknownDevice
            case .unknownChannel: .unknownChannel
            }
        self.init(kind, refusing: String(error.pointer.trimmingPrefix(prefix)), error.message)
        if kind == .unknownDevice || kind == .unknownToken { complaints = [] }
    }

    package init(_ error: ChannelError) {
        let kind: Kind =
            switch error.code {
            case .unknownDevice: .unknownDevice
            case .unknownChannel: .unknownChannel
            case .unknownApp: .unusableValue
            case .tooMany: .tooMany
            }
        self.init(kind, refusing: error.pointer, error.message)
    }

    package init(_ error: FaultError) {
        let kind: Kind =
            switch error.code {
            case .unknownFault: .unknownFault
            case .badValue: .unusableValue
            case .tooMany: .tooManyFaults
            }
        let (pointer, message) = (error.pointer, error.message)
        let hasPlace = kind == .unusableValue || !pointer.isEmpty
        self.init(
            kind, pointer.isEmpty ? Problem.sentence(message) : "'\(pointer)' \(message).",
            complaints: hasPlace ? [Complaint(path: pointer, message: message)] : [])
    }
}

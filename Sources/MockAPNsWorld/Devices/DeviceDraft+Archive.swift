package import MockAPNsFormats
internal import MockAPNsRules

extension DeviceOptions.UninstallDetection: Archived {}
extension RegistrationState: Archived {}
extension Device.Origin: Archived {}

extension DeviceID: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(index)
        archive.write(generation)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(index: try archive.read(), generation: try archive.read())
    }
}

extension DeviceReference: Archived {
    package func write(to archive: inout ArchiveWriter) {
        switch self {
        case .label(let label):
            archive.write(byte: 0)
            archive.write(label)
        case .token(let token):
            archive.write(byte: 1)
            archive.write(token)
        case .id(let id):
            archive.write(byte: 2)
            archive.write(id)
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.byte() {
        case 0: self = .label(try archive.read())
        case 1: self = .token(try archive.read())
        case 2: self = .id(try archive.read())
        default: throw .badValue
        }
    }
}

extension DeviceDraft: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(label)
        archive.write(isOnline)
        archive.write(savesPower)
        archive.write(registrations)
        archive.write(subscriptions)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            label: try archive.read(), isOnline: try archive.read(), savesPower: try archive.read(),
            registrations: try archive.read(), subscriptions: try archive.read())
    }
}

extension DeviceDraft.Registration: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(token)
        archive.write(topic)
        archive.write(environment)
        archive.write(appState)
        archive.write(allowsNotifications)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            token: try archive.read(), topic: try archive.read(), environment: try archive.read(),
            appState: try archive.read(), allowsNotifications: try archive.read())
    }
}

extension DeviceChange: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(isOnline)
        archive.write(savesPower)
        archive.write(label)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        isOnline = try archive.read()
        savesPower = try archive.read()
        label = try archive.read()
    }
}

extension RegistrationChange: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(appState)
        archive.write(allowsNotifications)
        archive.write(state)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        appState = try archive.read()
        allowsNotifications = try archive.read()
        state = try archive.read()
    }
}

extension DeviceOptions: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(uninstallDetection)
        archive.write(inactiveAfter)
        archive.write(selfRegisteredLimit)
        archive.write(registrationLimit)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        uninstallDetection = try archive.read()
        inactiveAfter = try archive.read()
        selfRegisteredLimit = try archive.read()
        registrationLimit = try archive.read()
    }
}

package import MockAPNsFormats

extension HTTP2Code: Archived {}
extension FaultAction.Break: Archived {}
extension FaultAction.Body: Archived {}
extension FaultAction.Delay.Distribution: Archived {}
extension FaultAction.GoAway.LastStream: Archived {}
extension FaultAction.GoAway.Close: Archived {}
extension FaultAction.GoAway.Aftermath: Archived {}

extension FaultAction: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        switch self {
        case .respond(let response): archive.write(response)
        case .delay(let delay): archive.write(delay)
        case .resetStream(let code): archive.write(code)
        case .goAway(let frame): archive.write(frame)
        case .connection(let kind): archive.write(kind)
        case .settings(let frame): archive.write(frame)
        case .handshake(let kind): archive.write(kind)
        case .body(let body): archive.write(body)
        case .lose, .duplicate: break
        case .slow(let rate): archive.write(rate)
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.read(String.self) {
        case "respond": self = .respond(try archive.read())
        case "delay": self = .delay(try archive.read())
        case "stream": self = .resetStream(try archive.read())
        case "goaway": self = .goAway(try archive.read())
        case "connection": self = .connection(try archive.read())
        case "settings": self = .settings(try archive.read())
        case "handshake": self = .handshake(try archive.read())
        case "body": self = .body(try archive.read())
        case "lose": self = .lose
        case "duplicate": self = .duplicate
        case "slow": self = .slow(try archive.read())
        default: throw .badValue
        }
    }
}

extension FaultAction.Header: MemberwiseArchived {
    package static let format = ArchiveFormat(FaultAction.Header.init(_:_:), \.name, \.value)
}

extension FaultAction.Response: MemberwiseArchived {
    package static let format = ArchiveFormat(
        FaultAction.Response.init(status:reason:headers:body:), \.status, \.reason, \.headers, \.body)
}

extension FaultAction.Delay: MemberwiseArchived {
    package static let format = ArchiveFormat(
        FaultAction.Delay.init(_:jitter:distribution:), \.time, \.jitter, \.distribution)
}

extension FaultAction.GoAway: MemberwiseArchived {
    package static let format = ArchiveFormat(
        FaultAction.GoAway.init(code:lastStream:debug:close:then:respond:), \.code, \.lastStream, \.debug, \.close,
        \.then, \.respond)
}

extension FaultAction.SettingsFrame: MemberwiseArchived {
    package static let format = ArchiveFormat(
        changing: FaultAction.SettingsFrame(), \.maxConcurrentStreams, \.initialWindow, \.delay, \.replaceWithGoAway)
}

extension FaultAction.Handshake: MemberwiseArchived {
    package static let format = ArchiveFormat<Self>(
        cases: ArchiveCase(.refuse), ArchiveCase(Self.delay) { if case .delay(let time) = $0 { time } else { nil } },
        ArchiveCase(.expiredCertificate), ArchiveCase(.wrongHost), ArchiveCase(.noApplicationProtocol),
        ArchiveCase(Self.alert) { if case .alert(let number) = $0 { number } else { nil } })
}

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

extension FaultAction.Header: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(name)
        archive.write(value)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(try archive.read(), try archive.read())
    }
}

extension FaultAction.Response: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(status)
        archive.write(reason)
        archive.write(headers)
        archive.write(body)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            status: try archive.read(), reason: try archive.read(), headers: try archive.read(),
            body: try archive.read())
    }
}

extension FaultAction.Delay: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(time)
        archive.write(jitter)
        archive.write(distribution)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(try archive.read(), jitter: try archive.read(), distribution: try archive.read())
    }
}

extension FaultAction.GoAway: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(code)
        archive.write(lastStream)
        archive.write(debug)
        archive.write(close)
        archive.write(then)
        archive.write(respond)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init(
            code: try archive.read(), lastStream: try archive.read(), debug: try archive.read(),
            close: try archive.read(), then: try archive.read(), respond: try archive.read())
    }
}

extension FaultAction.SettingsFrame: Archived {
    package func write(to archive: inout ArchiveWriter) {
        archive.write(maxConcurrentStreams)
        archive.write(initialWindow)
        archive.write(delay)
        archive.write(replaceWithGoAway)
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        self.init()
        maxConcurrentStreams = try archive.read()
        initialWindow = try archive.read()
        delay = try archive.read()
        replaceWithGoAway = try archive.read()
    }
}

extension FaultAction.Handshake: Archived {
    package func write(to archive: inout ArchiveWriter) {
        switch self {
        case .refuse: archive.write(byte: 0)
        case .delay(let time):
            archive.write(byte: 1)
            archive.write(time)
        case .expiredCertificate: archive.write(byte: 2)
        case .wrongHost: archive.write(byte: 3)
        case .noApplicationProtocol: archive.write(byte: 4)
        case .alert(let number):
            archive.write(byte: 5)
            archive.write(byte: number)
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.byte() {
        case 0: self = .refuse
        case 1: self = .delay(try archive.read())
        case 2: self = .expiredCertificate
        case 3: self = .wrongHost
        case 4: self = .noApplicationProtocol
        case 5: self = .alert(try archive.byte())
        default: throw .badValue
        }
    }
}

internal import MockAPNsRules

extension FaultDraft {
    private static let longestName = 100
    /// An hour, in microseconds.
    private static let longestWait: Int64 = 3_600_000_000
    /// The maximum length of debug data, and of the value of a header field, in bytes.
    private static let longestText = 1_024
    private static let longestHeaderName = 256
    private static let nameCharacters = "abcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    /// RFC 9113, section 6.9.1.
    private static let largestWindow: UInt32 = 2_147_483_647
    private static let reservedHeaders = [
        "apns-id", "apns-unique-id", "content-length", "connection", "transfer-encoding",
    ]

    func check() throws(FaultError) {
        if let name, name.isEmpty || name.utf8.count > Self.longestName {
            throw .bad("/name", "is '\(name.prefix(20))'; expected text of 1 to \(Self.longestName) bytes")
        }
        try checkTrigger()
        let isForConnection = action.row.stage == .connection
        if isForConnection || isForIdle, match != nil {
            let moment = isForIdle ? "while a connection is idle" : "when a connection is accepted"
            let why = "is about pushes, and '\(action.name)' happens \(moment)"
            throw .bad("/match", "\(why); expected connection alone")
        }
        if isForConnection {
            let why = "is given, and '\(action.name)' happens when a connection is accepted"
            if when.afterIdle != nil { throw .bad("/when/afterIdle", why) }
            if when.afterRequests != 0 { throw .bad("/when/afterRequests", why) }
            if !connections.ids.isEmpty {
                let why = "is given, and '\(action.name)' happens before a connection has shown its id"
                throw .bad("/match/connection/id", "\(why); expected remote")
            }
        }
        try checkAction()
    }

    private func checkTrigger() throws(FaultError) {
        try Self.check(when.skip, from: 0, at: "/when/skip")
        if let times = when.times, times < 1 {
            throw .bad("/when/times", "is \(times); expected a number from 1 on, or none for no limit")
        }
        try Self.check(when.every, from: 1, at: "/when/every")
        if !(0...1).contains(when.probability) {
            throw .bad("/when/probability", "is \(when.probability); expected a number from 0 to 1")
        }
        if let idle = when.afterIdle, idle < 1 {
            throw .bad("/when/afterIdle", "is not a time; expected a duration above 0")
        }
        try Self.check(when.afterRequests, from: 0, at: "/when/afterRequests")
        if let from = when.from, let until = when.until, from >= until {
            throw .bad("/when/until", "is not after from; expected a later time")
        }
    }

    private func checkAction() throws(FaultError) {
        switch action {
        case .respond(let response): try Self.check(response, at: "/do/respond")
        case .delay(let delay):
            try Self.check(wait: delay.time, at: "/do/delay/for")
            try Self.check(wait: delay.jitter, at: "/do/delay/jitter")
        case .goAway(let frame): try Self.check(frame, at: "/do/goaway")
        case .settings(let settings): try Self.check(settings)
        case .handshake(.delay(let time)): try Self.check(wait: time, at: "/do/handshake")
        case .slow(let rate): try Self.check(rate, from: 1, at: "/do/slow/bytesPerSecond")
        case .resetStream, .connection, .handshake, .body, .lose, .duplicate: break
        }
    }

    private static func check(_ response: FaultAction.Response, at place: String) throws(FaultError) {
        guard (200...599).contains(response.status) else {
            throw .bad("\(place)/status", "is \(response.status); expected a status from 200 to 599")
        }
        guard response.status != 200 || response.reason == nil else {
            throw .bad("\(place)/reason", "is given, and a response with status 200 has none")
        }
        for (position, header) in response.headers.enumerated() {
            let isName = header.name.utf8.allSatisfy { nameCharacters.contains($0) }
            let isFitting = (1...longestHeaderName).contains(header.name.utf8.count)
            guard isName, isFitting, !reservedHeaders.contains(header.name) else {
                throw .bad(
                    "\(place)/headers",
                    "has the name '\(header.name.prefix(40))' at \(position); expected up to \(longestHeaderName) letters in lower"
                        + " case, digits, - and _, and none of the fields that the server sets itself")
            }
            let isValue = header.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
            guard isValue, header.value.utf8.count <= longestText else {
                let why = "has a value that cannot be sent"
                let expected = "expected up to \(longestText) printable ASCII characters"
                throw .bad("\(place)/headers/\(header.name)", "\(why); \(expected)")
            }
        }
        guard response.headers.count <= 10 else {
            throw .bad("\(place)/headers", "has \(response.headers.count) fields; expected 10 at most")
        }
    }

    private static func check(_ frame: FaultAction.GoAway, at place: String) throws(FaultError) {
        let length = frame.debug.utf8.count
        guard length <= longestText else {
            throw .bad("\(place)/debug", "has \(length) bytes; expected \(longestText) at most")
        }
        guard frame.then == nil || frame.close == .never else {
            throw .bad("\(place)/then", "is given, and the connection is closed; expected close to be never")
        }
        if let response = frame.respond { try check(response, at: "\(place)/respond") }
    }

    private static func check(_ settings: FaultAction.SettingsFrame) throws(FaultError) {
        if settings == FaultAction.SettingsFrame() {
            let members = "maxConcurrentStreams, initialWindow, delay or replaceWithGoaway"
            throw .bad("/do/settings", "is empty; expected \(members)")
        }
        if let window = settings.initialWindow, window > largestWindow {
            throw .bad("/do/settings/initialWindow", "is \(window); expected \(largestWindow) at most")
        }
        if let delay = settings.delay { try check(wait: delay, at: "/do/settings/delay") }
        if let frame = settings.replaceWithGoAway {
            let place = "/do/settings/replaceWithGoaway"
            guard frame.respond == nil, frame.then == nil else {
                throw .bad(place, "has \(frame.then == nil ? "respond" : "then"), which needs a push")
            }
            try check(frame, at: place)
        }
    }

    private static func check(_ number: Int, from least: Int, at place: String) throws(FaultError) {
        guard number >= least else { throw .bad(place, "is \(number); expected a number from \(least) on") }
    }

    private static func check(wait: Int64, at place: String) throws(FaultError) {
        guard (0...longestWait).contains(wait) else {
            throw .bad(place, "is \(wait / 1_000) ms; expected a duration from 0ms to 1h")
        }
    }
}

/// The reason why an operation on faults failed.
public typealias FaultError = WorldError<FaultProblem>

/// A problem with faults.
public enum FaultProblem: String, Sendable {
    case unknownFault
    /// A value is invalid, or incompatible with another one.
    case badValue
    case tooMany
}

extension FaultError {
    /// The message is the rest of a sentence that begins with the location.
    static func bad(_ pointer: String, _ message: String) -> FaultError { FaultError(.badValue, message, at: pointer) }
}

extension FaultAction {
    /// A value that an action must not have.
    package struct Flaw: Error {
        /// Where it is in the action, as a JSON pointer without the slash at its beginning.
        package let pointer: String
        /// The rest of a sentence that begins with the location.
        package let message: String

        init(_ pointer: String, _ message: String) { (self.pointer, self.message) = (pointer, message) }
    }

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

    /// Throws if a value cannot be sent, or is incompatible with another one.
    package func check() throws(Flaw) {
        switch self {
        case .respond(let response): try Self.check(response, at: "respond")
        case .delay(let delay):
            try Self.check(wait: delay.time, at: "delay/for")
            try Self.check(wait: delay.jitter, at: "delay/jitter")
        case .goAway(let frame): try Self.check(frame, at: "goaway")
        case .settings(let settings): try Self.check(settings)
        case .handshake(.delay(let time)): try Self.check(wait: time, at: "handshake")
        case .slow(let rate):
            guard rate >= 1 else { throw Flaw("slow/bytesPerSecond", "is \(rate); expected a number from 1 on") }
        case .resetStream, .connection, .handshake, .body, .lose, .duplicate: break
        }
    }

    private static func check(_ response: FaultAction.Response, at place: String) throws(Flaw) {
        guard (200...599).contains(response.status) else {
            throw Flaw("\(place)/status", "is \(response.status); expected a status from 200 to 599")
        }
        guard response.status != 200 || response.reason == nil else {
            throw Flaw("\(place)/reason", "is given, and a response with status 200 has none")
        }
        for (position, header) in response.headers.enumerated() {
            let isName = header.name.utf8.allSatisfy { nameCharacters.contains($0) }
            let isFitting = (1...longestHeaderName).contains(header.name.utf8.count)
            guard isName, isFitting, !reservedHeaders.contains(header.name) else {
                throw Flaw(
                    "\(place)/headers",
                    "has the name '\(header.name.prefix(40))' at \(position); expected up to \(longestHeaderName) letters in lower"
                        + " case, digits, - and _, and none of the fields that the server sets itself")
            }
            let isValue = header.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f }
            guard isValue, header.value.utf8.count <= longestText else {
                let why = "has a value that cannot be sent"
                let expected = "expected up to \(longestText) printable ASCII characters"
                throw Flaw("\(place)/headers/\(header.name)", "\(why); \(expected)")
            }
        }
        guard response.headers.count <= 10 else {
            throw Flaw("\(place)/headers", "has \(response.headers.count) fields; expected 10 at most")
        }
    }

    private static func check(_ frame: FaultAction.GoAway, at place: String) throws(Flaw) {
        let length = frame.debug.utf8.count
        guard length <= longestText else {
            throw Flaw("\(place)/debug", "has \(length) bytes; expected \(longestText) at most")
        }
        guard frame.then == nil || frame.close == .never else {
            throw Flaw("\(place)/then", "is given, and the connection is closed; expected close to be never")
        }
        if let response = frame.respond { try check(response, at: "\(place)/respond") }
    }

    private static func check(_ settings: FaultAction.SettingsFrame) throws(Flaw) {
        if settings == FaultAction.SettingsFrame() {
            let members = "maxConcurrentStreams, initialWindow, delay or replaceWithGoaway"
            throw Flaw("settings", "is empty; expected \(members)")
        }
        if let window = settings.initialWindow, window > largestWindow {
            throw Flaw("settings/initialWindow", "is \(window); expected \(largestWindow) at most")
        }
        if let delay = settings.delay { try check(wait: delay, at: "settings/delay") }
        if let frame = settings.replaceWithGoAway {
            let place = "settings/replaceWithGoaway"
            guard frame.respond == nil, frame.then == nil else {
                throw Flaw(place, "has \(frame.then == nil ? "respond" : "then"), which needs a push")
            }
            try check(frame, at: place)
        }
    }

    private static func check(wait: Int64, at place: String) throws(Flaw) {
        guard (0...longestWait).contains(wait) else {
            throw Flaw(place, "is \(wait / 1_000) ms; expected a duration from 0ms to 1h")
        }
    }
}

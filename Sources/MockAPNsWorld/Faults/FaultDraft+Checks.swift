internal import MockAPNsRules

extension FaultDraft {
    private static let longestName = 100

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
        do throws(FaultAction.Flaw) { try action.check() } catch { throw .bad("/do/\(error.pointer)", error.message) }
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

    private static func check(_ number: Int, from least: Int, at place: String) throws(FaultError) {
        guard number >= least else { throw .bad(place, "is \(number); expected a number from \(least) on") }
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

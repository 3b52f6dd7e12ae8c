internal import MockAPNsFormats
internal import MockAPNsQuery

/// The call that a VoIP push announces, as far as its payload tells.
///
/// The app alone knows its payload and passes the caller to CallKit. The members are those that widespread packages for
/// calls read: Twilio's and Flutter's and React Native's for CallKit (inferred from their documentation).
package struct IncomingCall {
    static let holders = ["data", "call", "extra"]
    static let names = [
        "callerName", "caller_name", "callerDisplayName", "nameCaller", "localizedCallerName", "displayName", "caller",
        "from", "twi_from", "handle", "number",
    ]
    static let videos = ["hasVideo", "has_video", "isVideo", "video"]

    /// The caller, with the name of the member that has it.
    private let caller: (member: String, name: String)?
    let hasVideo: Bool

    init(payload: JSONValue?) {
        let places = [payload] + Self.holders.map { payload?[$0] }
        func first<Value>(_ names: [String], _ read: (JSONValue) -> Value?) -> (member: String, value: Value)? {
            for place in places {
                for name in names { if let value = place?[name].flatMap(read) { return (name, value) } }
            }
            return nil
        }
        caller = first(Self.names) { $0.string.flatMap { $0.isEmpty ? nil : $0 } }.map { ($0.member, $0.value) }
        hasVideo = first(Self.videos) { $0.isOn ? true : nil } != nil
    }

    /// CallKit shows a call without a caller as this.
    var name: String { caller?.name ?? "Unknown" }
    var medium: String { hasVideo ? "Video" : "Audio" }
    var chip: String { caller.map { "caller: \(JSONValue.shortened($0.name))" } ?? "caller: unknown" }
    var meaning: String {
        (caller.map { "Taken from \($0.member)" } ?? "Not found in the payload, for example as callerName or handle")
            + "; the app decides what CallKit shows."
    }
}

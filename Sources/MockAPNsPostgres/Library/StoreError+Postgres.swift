internal import MockAPNsLog

extension StoreError {
    /// Creates an error from the server's message and SQLSTATE; for connection errors, `state` may be empty.
    init(postgres state: String, _ message: String, place: String) {
        let isReadOnly = state == "25006" || state.isEmpty && message.contains("session is read-only")
        switch (state, state.prefix(2)) {
        case _ where isReadOnly:
            let fix = "use the URL of the primary, or list all servers in the URL"
            self.init(.noAccess, "cannot write \(place): the server is read-only: \(message); \(fix)")
        case ("53100", _): self.init(.full, "cannot write \(place): \(message); free some space on the server's disk")
        case (_, "28"):
            let fix = "check the user and the password (in the URL, PGPASSWORD or ~/.pgpass)"
            self.init(.noAccess, "cannot use \(place): \(message); \(fix)")
        case ("3D000", _):
            let fix = "create the database, or use the URL of another"
            self.init(.noAccess, "cannot use \(place): \(message); \(fix)")
        case ("42501", _):
            let fix = "grant the user the right to create and use the schema mock_apns"
            self.init(.noAccess, "cannot use \(place): \(message); \(fix)")
        case ("XX001", _), ("XX002", _):
            self.init(.damaged, "\(place) is damaged: \(message); restore a backup of the database")
        case ("42P01", _), ("42703", _), ("3F000", _):
            let fix = "restore a backup, or drop the schema mock_apns to start with empty worlds"
            self.init(.damaged, "the tables of \(place) are incomplete: \(message); \(fix)")
        case ("", _): self.init(.failed, "cannot use \(place): \(message)")
        default: self.init(.failed, "cannot use \(place): \(message) (SQLSTATE \(state))")
        }
    }

    /// Creates an error from a connection's message, in the format of `PQERRORS_VERBOSE`.
    init(connecting message: String, place: String) {
        var state = ""
        var lines: [String] = []
        for line in message.split(separator: "\n") where !line.hasPrefix("LOCATION:") {
            // The message begins with the severity and the SQLSTATE: "FATAL:  28P01: password …".
            var words = line.split(separator: " ")
            if let index = words.firstIndex(where: Self.isState) {
                state = String(words[index].dropLast())
                words.remove(at: index)
            }
            lines.append(words.joined(separator: " "))
        }
        self.init(postgres: state, lines.joined(separator: ", "), place: place)
    }

    private static func isState(_ word: Substring) -> Bool {
        word.count == 6 && word.last == ":"
            && word.dropLast().allSatisfy { $0.isASCII && ($0.isNumber || $0.isUppercase) }
            && word.dropLast().contains { $0.isNumber }
    }
}

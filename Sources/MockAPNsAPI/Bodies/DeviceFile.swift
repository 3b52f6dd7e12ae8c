internal import MockAPNsFormats
package import MockAPNsWorld

/// A file with the devices at the server's start.
///
/// The format is the body of `PUT /api/v1/devices`, a list of devices, or an object with that list as `devices`.
package enum DeviceFile {
    private static let list = Form<[DeviceDraft]>.list(of: .deviceDraft)
    private static let object = Form<[DeviceDraft]>.object([], .required("devices", list) { $0 = $1 })
    private static let file = Form<[DeviceDraft]>(expected: list.expected, schema: list.schema) {
        if case .object = $0 { object.read($0, &$1) } else { list.read($0, &$1) }
    }

    /// Reads the devices; throws the first mistake.
    package static func drafts(fromJSON bytes: [UInt8]) throws(ArgumentError) -> [DeviceDraft] {
        do { return try file.read(bytes, use: .draft) } catch {
            let first = error.complaints.first
            // A list alone is the list of devices.
            let words = JSONPointer.words(first?.path ?? "")
            let place = words.isEmpty ? "the file" : words.hasPrefix("[") ? "devices\(words)" : words
            let suggestion = first?.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
            let rest = error.complaints.count > 1 ? "; more mistakes follow" : ""
            let message = first?.message ?? error.detail
            throw ArgumentError(description: "\(place) \(message)\(suggestion)\(rest)")
        }
    }
}

/// The reason why the value of an option, or the file that it names, cannot be used.
package struct ArgumentError: Error, CustomStringConvertible {
    /// What was seen, and what is expected; on one line.
    package let description: String
}

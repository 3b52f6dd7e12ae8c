internal import MockAPNsAPI
internal import MockAPNsFormats
public import MockAPNsWorld

/// Devices described in a file, as the server starts with them.
///
/// The file has what `PUT /api/v1/devices` takes: a list of devices, or an object whose member `devices` is one.
public enum DeviceFile {
    private static let list = Form<[DeviceDraft]>.list(of: .deviceDraft)
    private static let object = Form<[DeviceDraft]>.object([], .required("devices", list) { $0 = $1 })
    private static let file = Form<[DeviceDraft]>(expected: list.expected, schema: list.schema) {
        given,
        body in
        if case .object = given { object.read(given, &body) } else { list.read(given, &body) }
    }

    /// Reads the devices.
    ///
    /// - Throws: `DeviceFileError` with the first mistake.
    public static func drafts(fromJSON bytes: [UInt8]) throws(DeviceFileError) -> [DeviceDraft] {
        do {
            return try file.read(bytes, use: .draft)
        } catch {
            throw DeviceFileError(error)
        }
    }
}

/// Why a file does not describe devices.
public struct DeviceFileError: Error, Equatable, CustomStringConvertible, Sendable {
    /// Where the mistake is, as a JSON Pointer; empty for the whole.
    public let pointer: String
    /// What was seen there and what is expected, as the rest of a sentence that begins with the place.
    public let message: String

    init(_ problem: Problem) {
        let first = problem.complaints.first
        pointer = first?.path ?? ""
        let suggestion = first?.suggestion.map { " (did you mean '\($0)'?)" } ?? ""
        let rest = problem.complaints.count > 1 ? "; more mistakes follow" : ""
        message = (first?.message ?? problem.detail) + suggestion + rest
    }

    /// The mistake on one line.
    public var description: String { (pointer.isEmpty ? "the file " : pointer + " ") + message }
}

internal import MockAPNsAPI
internal import MockAPNsFormats
public import MockAPNsWorld

/// A file with the devices at the server's start.
///
/// The format is the body of `PUT /api/v1/devices`, a list of devices, or an object with that list as `devices`.
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

/// The reason why a file does not describe devices.
public struct DeviceFileError: Error, Equatable, CustomStringConvertible, Sendable {
    /// The place of the mistake, as a JSON Pointer; empty for the whole file.
    public let pointer: String
    /// What was seen there and what is expected; continues a sentence that starts with the place.
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

internal import ArgumentParser
internal import MockAPNsAPI

/// A push on the command line: `psh_…`, its number, its apns-id, or `latest`.
struct PushArgument: ExpressibleByArgument, Equatable {
    static let help: ArgumentHelp = "The push: psh_..., its number, its apns-id, or latest."

    let reference: String

    init?(argument text: String) {
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
            reference = "seq:\(text)"
        } else if text.utf8.count == 36, text.split(separator: "-").count == 5 {
            reference = "apns:\(text)"
        } else {
            reference = text.hasPrefix("#") ? "seq:\(text.dropFirst())" : text
        }
    }

    var defaultValueDescription: String { reference }

    var path: [String] { ["pushes", reference] }

    /// The push's id, for paths where the API takes no `latest`.
    func id(_ api: APIOptions) async throws -> String {
        guard reference == "latest" else { return reference }
        return try await api.client().ask(APIRequest("GET", path)).decoded(as: PushShape.self).id
    }
}

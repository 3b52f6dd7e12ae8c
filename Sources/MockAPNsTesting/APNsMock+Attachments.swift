internal import Testing

extension APNsMock {
    /// Attaches the pushes and what a phone shows of them to the current test; a failed expectation does so by itself.
    ///
    /// `swift test --attachments-path` says where attachments are saved. Without a current test, it does nothing.
    public func attachPushes() async throws {
        guard Test.current != nil else { return }
        let pushes = try await pushes(.anyVerdict)
        let list = "[" + pushes.map(\.description).joined(separator: ",\n") + "]\n"
        Attachment.record(list, named: "pushes.json")
        for push in pushes.suffix(Self.mostPictures) {
            let picture = try await api.call("GET", "pushes/\(push.id)/preview.svg")
            Attachment.record(picture, named: "push-\(push.id).svg")
        }
    }

    /// More pictures than this do not help to find a failure.
    private static let mostPictures = 20

    /// Fails the current test, with its pushes attached, and returns the error that ends it.
    func fail(_ report: String, at place: CallSite) async -> any Error {
        // The report is worth more than a reason why there are no attachments.
        try? await attachPushes()
        return place.fail(report)
    }
}

/// Waits until a condition holds.
///
/// It asks again and again, and meanwhile leaves the processor to what it waits for. There is no limit: `scripts/swift-test`
/// ends what hangs. In a task that was cancelled it returns at once.
public func eventually(_ holds: () async throws -> Bool) async rethrows {
    while try await !holds() { guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { return } }
}

/// Returns a count with its noun, such as `1 push` or `2 pushes`.
public func counted(_ count: some BinaryInteger, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
}

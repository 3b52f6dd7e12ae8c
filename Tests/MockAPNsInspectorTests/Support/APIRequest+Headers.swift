import NIOHTTP1

@testable import MockAPNsInspector

extension APIRequest {
    mutating func set(_ header: String, _ values: [String]) {
        headers.remove(name: header)
        for value in values { headers.add(name: header, value: value) }
    }

    /// Removes the header if there is no value.
    mutating func set(_ header: String, _ value: String?) { set(header, value.map { [$0] } ?? []) }
}

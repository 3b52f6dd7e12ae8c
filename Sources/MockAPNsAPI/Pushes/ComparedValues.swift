internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsWorld

/// The differences between two pushes and their equal values, each up to a limit.
package struct ComparedValues {
    /// The part of a push that a value belongs to.
    package enum Kind: String, CaseIterable { case response, delivery, request, auth, header, payload }

    typealias Value = (kind: Kind, name: String, text: String?)
    package typealias Difference = (kind: Kind, name: String, left: String?, right: String?)
    package typealias Same = (kind: Kind, name: String, value: String)

    /// The content of a request: JSON, any other text, or `nil` if it was not kept.
    enum Body {
        case json(JSONValue)
        case text(String?)

        var text: String? {
            switch self {
            case .json(let value): ComparedValues.text(of: value)
            case .text(let text): text
            }
        }
    }

    static let mostDifferences = 500
    static let mostSame = 200
    /// The most bytes of the listed names and values; a single value may exceed it.
    static let mostBytes = 256 << 10

    private(set) var differences: [Difference] = []
    private(set) var moreDifferences = 0
    private(set) var same: [Same] = []
    private(set) var moreSame = 0
    private var bytes = (differences: 0, same: 0)
    /// The keys of the payload's value that is being compared, from the outermost one on.
    private var path: [String] = []

    init() {}

    /// Compares two pushes as they are shown, so that an imported push has what the other server recorded.
    init(_ left: ShownPush, _ right: ShownPush) {
        compare(left.comparedValues, right.comparedValues)
        compare(body: left.comparedBody, right.comparedBody)
    }

    /// Compares named values; a name occurs once in each list.
    mutating func compare(_ left: [Value], _ right: [Value]) {
        func key(_ value: Value) -> [String] { [value.kind.rawValue, value.name] }
        let rights = Dictionary(right.map { (key($0), $0.text) }) { first, _ in first }
        let lefts = Set(left.map(key))
        let all =
            left.map { ($0, $0.text, rights[key($0)] ?? nil) }
            + right.filter { !lefts.contains(key($0)) }.map { ($0, nil, $0.text) }
        for kind in Kind.allCases {
            for (value, left, right) in all where value.kind == kind { add(kind, value.name, left, right) }
        }
    }

    /// Compares the content of requests, JSON value by value.
    mutating func compare(body left: Body, _ right: Body) {
        if case (.json(let left), .json(let right)) = (left, right) {
            compare(left, right)
        } else {
            add(.payload, "", left.text, right.text)
        }
    }

    /// The parser limits the depth of values, and so the depth of calls.
    private mutating func compare(_ left: JSONValue?, _ right: JSONValue?) {
        switch (left, right) {
        case (.object(let one)?, .object(let other)?) where !(one.isEmpty && other.isEmpty):
            for (name, _) in one.merging(other, uniquingKeysWith: { first, _ in first }).sortedByName {
                compare(one[name], other[name], at: name)
            }
        case (.array(let one)?, .array(let other)?) where !(one.isEmpty && other.isEmpty):
            for index in 0..<max(one.count, other.count) {
                compare(
                    index < one.count ? one[index] : nil, index < other.count ? other[index] : nil, at: String(index))
            }
        default:
            // The pointer is made only here: all of them may be much longer than the payload.
            let pointer = path.map { "/" + JSONPointer.escaped($0) }.joined()
            add(.payload, pointer, left.map(Self.text(of:)), right.map(Self.text(of:)))
        }
    }

    private mutating func compare(_ left: JSONValue?, _ right: JSONValue?, at key: String) {
        path.append(key)
        compare(left, right)
        path.removeLast()
    }

    private mutating func add(_ kind: Kind, _ name: @autoclosure () -> String, _ left: String?, _ right: String?) {
        // By bytes: for `String`, a composed and a decomposed letter are equal.
        let isSame = left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
        if isSame {
            guard let left else { return }
            guard same.count < Self.mostSame, bytes.same < Self.mostBytes else {
                moreSame += 1
                return
            }
            let name = name()
            bytes.same += name.utf8.count + left.utf8.count
            same.append((kind, name, left))
            return
        }
        guard differences.count < Self.mostDifferences, bytes.differences < Self.mostBytes else {
            moreDifferences += 1
            return
        }
        let name = name()
        bytes.differences += name.utf8.count + (left?.utf8.count ?? 0) + (right?.utf8.count ?? 0)
        differences.append((kind, name, left, right))
    }

    private static func text(of value: JSONValue) -> String { String(decoding: value.text, as: UTF8.self) }
}

extension ShownPush {
    /// Headers that are different in almost every push, or follow from the body.
    private static let leftOut = ["authorization", "content-length"]

    /// Everything that is compared but the body.
    ///
    /// Times are left out, because they are always different.
    fileprivate var comparedValues: [ComparedValues.Value] {
        let shown = json.read
        func texts(_ kind: ComparedValues.Kind, _ part: JSONValue?, _ names: [String]) -> [ComparedValues.Value] {
            names.map { (kind, $0, part?[$0]?.plainText) }
        }
        let verdict = shown["verdict"]
        let faults = shown["faults"].entries.compactMap(\.plainText).joined(separator: ", ")
        let failed = (verdict?["checks"]).entries.first { $0["ok"] == false }
        let token = facts.devicePart
        var values =
            texts(.response, verdict, ["outcome", "status", "reason"]) + [
                (.response, "failedCheck", failed?["id"]?.plainText),
                (.response, "faults", faults.isEmpty ? nil : faults),
            ] + texts(.delivery, shown["delivery"], ["state", "device"])
            + texts(.request, shown, ["environment", "protocol"]) + [
                (.request, "method", facts.method), (.request, "path", token == nil ? facts.path : nil),
                (.request, "token", token),
                // The size follows from the body, where that was kept.
                (.request, "bodySize", facts.hasBody ? nil : String(facts.record.bodyLength)),
            ] + texts(.auth, shown["auth"], ["kind", "keyId", "teamId", "certificate", "verification"])
        var positions: [String: Int] = [:]
        for header in facts.headers where !Self.leftOut.contains(header.name) {
            if let position = positions[header.name] {
                values[position].text = "\(values[position].text ?? ""), \(header.value)"
            } else {
                positions[header.name] = values.count
                values.append((.header, header.name, header.value))
            }
        }
        return values
    }

    fileprivate var comparedBody: ComparedValues.Body {
        guard facts.hasBody else { return .text(nil) }
        return facts.payload.map { .json($0) } ?? .text(String(decoding: facts.record.request.body, as: UTF8.self))
    }
}

import NIOCore

@testable import MockAPNs
@testable import MockAPNsFormats
@testable import MockAPNsInspector
@testable import MockAPNsRules
@testable import MockAPNsTransport

/// Paths, headers and bodies on their way through the rules.
///
/// An input is a line `name: value` for each header, an empty line, and the body.
enum RequestFuzz {
    static func run(_ bytes: [UInt8]) throws {
        let request = Request(bytes)
        var accepted: [Bool] = []
        for options in [strict, lenient, anyToken] {
            let first = try request.withView { judge($0, options) }
            let second = try request.withTextView { judge($0, options) }
            try require(second == nil || first == second, "\(first) on a stream, and \(second!) as texts")
            try check(first, request)
            accepted.append(first.reason == nil)
        }
        try require(!accepted[0] || accepted[1], "the strict rules accept what the lenient ones refuse")
        try require(!accepted[1] || accepted[2], "accepted with a good token alone where any token will do")
    }

    private static let strict = {
        var options = RuleOptions()
        options.isStrict = true
        options.answersOnDemand = false
        return options
    }()

    /// Tokens need no good signature, so that inputs get past them.
    private static let lenient = {
        var options = RuleOptions()
        options.isStrict = false
        options.authentication = .wellformed
        options.answersOnDemand = false
        return options
    }()

    private static let anyToken = {
        var options = lenient
        options.authentication = .any
        return options
    }()

    // MARK: Judging

    private static func judge(_ view: borrowing RequestView, _ options: RuleOptions) -> Verdict {
        let worker = FuzzWorld.worker(of: world)
        var situation = Situation(environment: .sandbox, authority: worker, devices: worker)
        situation.begin(at: FuzzWorld.now, options: options)
        return Pipeline.standard.verdict(on: view, in: &situation)
    }

    /// Never changed: requests are judged here and not recorded.
    private static let world = FuzzWorld.make()

    private static func check(_ verdict: Verdict, _ request: Request) throws {
        if let reason = verdict.reason {
            guard let position = verdict.decidedBy else { throw Finding(description: "refused by no check") }
            let check = try request.withView { Pipeline.standard.checks(of: $0.service)[Int(position)] }
            try require(check.reasons.contains(reason), "\(check.id) gave \(reason), which is not in its row")
            let body = ResponseBody.bytes(for: reason, deadSince: FuzzWorld.now)
            try require(JSONParser.value(of: body)?["reason"] == .string(reason.name), "no JSON for \(reason)")
            return
        }
        try request.withView { view in
            guard view.service == .push else { return }
            try require(view[.method]?.equals("POST") == true, "accepted, and not a POST")
            try require(view.devicePart.flatMap { DeviceToken(hex: $0) } != nil, "accepted without a device token")
            try require(view[.apnsTopic].map { Topic($0).isWellFormed } == true, "accepted without a topic")
            try require((1...view.payloadLimit).contains(view.bodyLength), "accepted with \(view.bodyLength) bytes")
            try require((view[.apnsCollapseID]?.count ?? 0) <= 64, "accepted with a long collapse id")
            try require(!view.hasDuplicateHeaders, "accepted with repeated headers")
        }
    }

    /// A request, taken from an input.
    private struct Request {
        var headers: [(name: [UInt8], value: [UInt8])] = []
        var body: [UInt8] = []

        init(_ bytes: [UInt8]) {
            var rest = bytes[...]
            while !rest.isEmpty {
                let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
                let line = rest[..<end]
                rest = rest[min(end + 1, rest.endIndex)...]
                guard !line.isEmpty else { break }
                // The names of pseudo-header fields begin with a colon.
                let colon = line.dropFirst().firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
                let value = line[min(colon + 1, line.endIndex)...].drop { $0 == UInt8(ascii: " ") }
                headers.append((Array(line[..<colon]), Array(value)))
            }
            body = Array(rest)
        }

        /// Lends the request as a stream of the transport holds it.
        func withView<Result>(_ use: (borrowing RequestView) throws -> Result) throws -> Result {
            let pool = H2StreamPool()
            let stream = pool.take(id: 1, now: .uptimeNanoseconds(0))
            defer { pool.give(back: stream) }
            for (name, value) in headers {
                name.withSpan { name in
                    value.withSpan { stream.pointee.append(HeaderName(name), name: name, value: $0) }
                }
            }
            stream.pointee.bodyStart = stream.pointee.used
            body.withUnsafeBufferPointer { stream.pointee.append(ByteSpan($0)) }
            stream.pointee.bodyKept = body.count
            stream.pointee.bodyLength = body.count
            return try stream.pointee.withRequest { view in Swift.Result { try use(view) } }.get()
        }

        /// Lends the request as the command line and imports make it; `nil` when its headers are not UTF-8.
        func withTextView<Result>(_ use: (borrowing RequestView) throws -> Result) throws -> Result? {
            var texts: [(name: String, value: String)] = []
            for header in headers {
                guard let name = String(validating: header.name, as: UTF8.self),
                    let value = String(validating: header.value, as: UTF8.self)
                else { return nil }
                texts.append((name, value))
            }
            return try RequestView.withRequest(headers: texts, body: body, use)
        }
    }
}

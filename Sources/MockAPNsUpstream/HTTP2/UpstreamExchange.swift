internal import NIOCore

/// A request on its way, and what has arrived of its response.
final class UpstreamExchange {
    let id: UInt64
    let request: UpstreamRequest
    let begun: NIODeadline
    private let limits: UpstreamOptions.Limits
    /// Called once, with the result.
    private var complete: ((Result<UpstreamAnswer, UpstreamError>) -> Void)?
    /// Ends the request when its time is over.
    var timer: Scheduled<Void>?
    /// How much of the body was sent.
    var sentBody = 0
    /// The stream; `nil` while the request waits.
    private(set) var stream: Int32?
    /// Why the stream was reset by this side, or the rule that its response breaks.
    var problem: UpstreamError?
    private var answer = UpstreamAnswer()
    private var isFinal = false
    private var listSize = 0

    init(
        id: UInt64, _ request: UpstreamRequest, _ limits: UpstreamOptions.Limits, begun: NIODeadline,
        _ complete: @escaping (Result<UpstreamAnswer, UpstreamError>) -> Void
    ) {
        (self.id, self.request, self.limits, self.begun) = (id, request, limits, begun)
        self.complete = complete
    }

    var isComplete: Bool { complete == nil }

    /// Whether a final response has begun to arrive.
    var isAnswered: Bool { isFinal }

    func opened(_ stream: Int32, at now: NIODeadline) {
        self.stream = stream
        answer.stream = stream
        answer.times.sent = Self.duration(now - begun)
    }

    /// Begins another header list: of an interim response, the response, or its trailers.
    func beginHeaders() { listSize = 0 }

    /// Takes a header; returns `false` if the response is too large.
    func take(_ name: String, _ value: String, at now: NIODeadline) -> Bool {
        listSize += name.utf8.count + value.utf8.count + 32
        guard listSize <= limits.headerList else {
            problem = UpstreamError(
                .tooLarge, "a response with a header list over \(limits.headerList) bytes",
                expected: "at most \(limits.headerList) bytes")
            return false
        }
        if name == ":status" {
            let status = Int(value) ?? 0
            guard status >= 200 else {
                // nghttp2 counts nothing here; `idleFrames` limits how many arrive.
                if answer.interim.count < 100 { answer.interim.append(status) }
                return true
            }
            answer.status = status
            answer.times.status = Self.duration(now - begun)
            isFinal = true
        } else if isFinal {
            if isInTrailers {
                answer.trailers.append(UpstreamHeader(name, value))
            } else {
                answer.headers.append(UpstreamHeader(name, value))
            }
        }
        return true
    }

    /// Whether the header list after the response's own has begun.
    var isInTrailers = false

    /// Takes a part of the body; returns `false` if the response is too large.
    func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard answer.body.count + bytes.count <= limits.body else {
            problem = UpstreamError(
                .tooLarge, "a response with a body over \(limits.body) bytes", expected: "at most \(limits.body) bytes")
            return false
        }
        answer.body += bytes
        return true
    }

    /// The response is complete.
    func succeed(at now: NIODeadline) {
        answer.times.end = Self.duration(now - begun)
        end(.success(answer))
    }

    func fail(_ error: UpstreamError) { end(.failure(error)) }

    private func end(_ result: Result<UpstreamAnswer, UpstreamError>) {
        timer?.cancel()
        timer = nil
        let complete = complete
        self.complete = nil
        complete?(result)
    }

    private static func duration(_ time: TimeAmount) -> Duration { .nanoseconds(time.nanoseconds) }
}

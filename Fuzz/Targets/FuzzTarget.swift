import MockAPNsRules

/// A parser or state machine to fuzz: takes bytes that any peer may send, and checks what must be true of the result.
///
/// To add one: a row in `all`, a file with its entry function, and a few inputs in `Fuzz/Corpus/<name>`.
struct FuzzTarget: Sendable {
    /// The name on the command line, and of its directory in `Fuzz/Corpus`.
    let name: String
    /// The longest input that is tried, in bytes.
    let longest: Int
    /// Handles one input.
    ///
    /// Throws a `Finding` when a property does not hold.
    let run: @Sendable ([UInt8]) throws -> Void

    static let all = [
        FuzzTarget(name: "tokens", longest: 1_024, run: TokenFuzz.run),
        FuzzTarget(name: "topics", longest: 2_048, run: CertificateFuzz.topics),
        FuzzTarget(name: "certificates", longest: 4_096, run: CertificateFuzz.certificate),
        FuzzTarget(name: "requests", longest: 6_000, run: RequestFuzz.run),
        FuzzTarget(name: "channels", longest: 6_000, run: ChannelFuzz.run),
        FuzzTarget(name: "json", longest: 4_096, run: JSONFuzz.run),
        FuzzTarget(name: "schemas", longest: 4_096, run: SchemaFuzz.run),
        FuzzTarget(name: "strings", longest: 2_048, run: StringsFuzz.run),
        FuzzTarget(name: "plists", longest: 4_096, run: LocalizedFuzz.propertyList),
        FuzzTarget(name: "localized", longest: 4_096, run: LocalizedFuzz.catalog),
        FuzzTarget(name: "imports", longest: 8_192, run: ImportFuzz.run),
        FuzzTarget(name: "search", longest: 2_100, run: SearchFuzz.run),
        FuzzTarget(name: "patterns", longest: 700, run: PatternFuzz.run),
        FuzzTarget(name: "gateway", longest: 4_096, run: GatewayFuzz.run),
        FuzzTarget(name: "http2", longest: 8_192, run: HTTP2Fuzz.run),
    ]
}

/// A property that does not hold.
struct Finding: Error, CustomStringConvertible { let description: String }

/// Throws a `Finding` with this message unless the condition holds.
func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw Finding(description: message()) }
}

extension [UInt8] {
    /// Lends the bytes as the rules read them.
    func withSpan<Result>(_ use: (ByteSpan) throws -> Result) rethrows -> Result {
        try withUnsafeBufferPointer { try use(ByteSpan($0)) }
    }
}

import Foundation
import Testing

@testable import MockAPNsRules

/// One row of the table of provider tokens: a text, and what comes of taking it apart.
struct ProviderTokenCase: Sendable, CustomTestStringConvertible {
    enum Expected: Sendable {
        /// Taken apart, with this `iat`.
        case taken(issuedAt: Double, isText: Bool = false, keyID: String = "ABC123DEFG", subject: String? = nil)
        /// Refused, with what was readable of `kid` and `iss`.
        case refused(TokenVerification, keyID: String = "", teamID: String = "")
    }

    static let header = #"{"alg":"ES256","kid":"ABC123DEFG"}"#
    static let claims = #"{"iss":"DEF123GHIJ","iat":1754401513}"#
    static let signature = [UInt8](repeating: 0xa5, count: 64)

    let name: String
    let text: String
    let expected: Expected

    init(_ name: String, text: String, _ expected: Expected) {
        self.name = name
        self.text = text
        self.expected = expected
    }

    init(_ name: String, header: String = header, claims: String = claims, _ expected: Expected) {
        self.init(name, text: Self.text(header: header, claims: claims), expected)
    }

    /// A token whose claim `iat` is written like this.
    init(issuedAt: String, _ expected: Expected) {
        self.init("iat \(issuedAt)", claims: #"{"iss":"DEF123GHIJ","iat":"# + issuedAt + "}", expected)
    }

    var testDescription: String { name }

    static func text(header: String = header, claims: String = claims, signature: [UInt8] = signature) -> String {
        [Array(header.utf8), Array(claims.utf8), signature].map(encode).joined(separator: ".")
    }

    /// The good token as dotAPNS and CorePush write it (`Convert.ToBase64String`), with all letters that differ.
    static let standardText = [Array(header.utf8), Array(claims.utf8), [0xff, 0xef, 0xbe, 0xfb, 0xf0]].map {
        Data($0).base64EncodedString()
    }.joined(separator: ".")

    static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    private static let good = Expected.taken(issuedAt: 1_754_401_513)
    private static let badIssuedAt = Expected.refused(.badIssuedAt, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")
    private static let wrongAlgorithm = Expected.refused(.wrongAlgorithm, keyID: "ABC123DEFG", teamID: "DEF123GHIJ")

    static let table = shapes + encodings + headers + issuers + times

    static let shapes: [ProviderTokenCase] = [
        .init("a good token", good), .init("empty", text: "", .refused(.malformed)),
        .init("no dots", text: "abc", .refused(.malformed)),
        .init("two segments", text: text().components(separatedBy: ".")[0] + ".e30", .refused(.malformed)),
        .init("four segments", text: text() + ".e30", .refused(.malformed)),
        .init("dot at the end", text: text() + ".", .refused(.malformed)),
        .init("dot at the start", text: "." + text(), .refused(.malformed)),
        .init("dots alone", text: "..", .refused(.malformed)), .init("empty header", header: "", .refused(.malformed)),
        .init("empty claims", claims: "", .refused(.malformed)),
        // Whoever verifies it finds out; taken apart it can be.
        .init("empty signature", text: text(signature: []), good),
        .init("signature of another length", text: text(signature: [1, 2, 3]), good),
        .init("4096 bytes", text: padded(to: 4_096), good),
        .init("4097 bytes", text: padded(to: 4_097), .refused(.malformed)),
        .init("100,000 bytes", text: padded(to: 100_000), .refused(.malformed)),
    ]

    static let encodings: [ProviderTokenCase] = [
        .init("padding", text: text(signature: [1]) + "==", good),
        .init("too much padding", text: text(signature: [1]) + "===", .refused(.malformed)),
        .init("too little padding", text: text(signature: [1]) + "=", .refused(.malformed)),
        .init("standard Base64", text: standardText, good),
        .init("standard Base64 without padding", text: standardText.replacing("=", with: ""), good),
        .init(
            "the URL alphabet with padding", text: standardText.replacing("+", with: "-").replacing("/", with: "_"),
            good), .init("padding within", text: text().replacing(".", with: "=."), .refused(.malformed)),
        .init("slash of the plain alphabet", text: text(signature: []) + "_/8A", .refused(.malformed)),
        .init("plus of the plain alphabet", text: text(signature: []) + "-+8A", .refused(.malformed)),
        .init("both letters of the URL alphabet", text: text(signature: []) + "_-8A", good),
        .init("impossible length", text: text(signature: []) + "A", .refused(.malformed)),
        .init("stray bits", text: text(signature: []) + "AB", .refused(.malformed)),
        .init("space within", text: text(signature: []) + "AA AA", .refused(.malformed)),
        .init("space at the end", text: text() + " ", .refused(.malformed)),
        .init("line break at the end", text: text() + "\n", .refused(.malformed)),
        .init("not ASCII", text: text(signature: []) + "é", .refused(.malformed)),
        .init("JSON not encoded", text: "\(header).\(claims).AA", .refused(.malformed)),
        .init("header is no JSON", header: "alg=ES256", .refused(.malformed)),
        .init("header is an array", header: #"["ES256"]"#, .refused(.malformed)),
        .init("header is a string", header: #""ES256""#, .refused(.malformed)),
        .init("header is null", header: "null", .refused(.malformed)),
        .init("header unfinished", header: #"{"alg":"ES256","kid":"ABC123DEFG""#, .refused(.malformed)),
        .init("header with more behind it", header: header + "{}", .refused(.malformed)),
        .init("header with a comma too many", header: #"{"alg":"ES256","kid":"A",}"#, .refused(.malformed)),
        .init("header with single quotes", header: "{'alg':'ES256'}", .refused(.malformed)),
        .init("header with space around", header: " \n\t\(header)\r ", good),
        .init("claims are no JSON", claims: "iss", .refused(.malformed)),
        .init("claims are a number", claims: "1754401513", .refused(.malformed)),
        .init("claims with a raw line break", claims: "{\"iss\":\"DEF\n\",\"iat\":1}", .refused(.malformed)),
        .init("claims with NaN", claims: #"{"iss":"DEF123GHIJ","iat":NaN}"#, .refused(.malformed)),
        .init("claims deep", claims: String(repeating: "[", count: 2_000), .refused(.malformed)),
        .init(
            "claims not UTF-8",
            text: [encode(Array(header.utf8)), encode([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "AA"].joined(
                separator: "."), .refused(.malformed)),
    ]

    static let headers: [ProviderTokenCase] = [
        .init("typ is there", header: #"{"alg":"ES256","typ":"JWT","kid":"ABC123DEFG"}"#, good),
        .init("alg none", header: #"{"alg":"none","kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("alg HS256", header: #"{"alg":"HS256","kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("alg RS256", header: #"{"alg":"RS256","kid":"ABC123DEFG"}"#, wrongAlgorithm),
        // Whether it is accepted is a choice, made later.
        .init("alg ES512", header: #"{"alg":"ES512","kid":"ABC123DEFG"}"#, good),
        .init("alg ES384", header: #"{"alg":"ES384","kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("alg in lower case", header: #"{"alg":"es256","kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("alg null", header: #"{"alg":null,"kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("alg in an array", header: #"{"alg":["ES256"],"kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("no alg", header: #"{"kid":"ABC123DEFG"}"#, wrongAlgorithm),
        .init("nothing in the header", header: "{}", .refused(.wrongAlgorithm, teamID: "DEF123GHIJ")),
        .init("no kid", header: #"{"alg":"ES256"}"#, .refused(.missingKeyID, teamID: "DEF123GHIJ")),
        .init("kid empty", header: #"{"alg":"ES256","kid":""}"#, .refused(.missingKeyID, teamID: "DEF123GHIJ")),
        .init("kid null", header: #"{"alg":"ES256","kid":null}"#, .refused(.missingKeyID, teamID: "DEF123GHIJ")),
        .init("kid a number", header: #"{"alg":"ES256","kid":1}"#, .refused(.missingKeyID, teamID: "DEF123GHIJ")),
        .init(
            "kid among the claims", header: #"{"alg":"ES256"}"#,
            claims: #"{"kid":"ABC123DEFG","iss":"DEF123GHIJ","iat":1}"#, .refused(.missingKeyID, teamID: "DEF123GHIJ")),
        .init(
            "kid with escapes", header: #"{"alg":"ES256","kid":"\u0041\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00"}"#,
            .taken(issuedAt: 1_754_401_513, keyID: "A\"\\/\u{8}\u{c}\n\r\té😀")),
        .init(
            "kid with half a character", header: #"{"alg":"ES256","kid":"a\ud83d\u0041\ude00"}"#,
            .taken(issuedAt: 1_754_401_513, keyID: "a\u{fffd}A\u{fffd}")),
        .init("kid named with escapes", header: #"{"\u0061lg":"ES256","k\u0069d":"ABC123DEFG"}"#, good),
        .init("kid with an unknown escape", header: #"{"alg":"ES256","kid":"\x41"}"#, .refused(.malformed)),
        .init("kid with a short escape", header: #"{"alg":"ES256","kid":"\u41"}"#, .refused(.malformed)),
        .init("kid in UTF-8", header: #"{"alg":"ES256","kid":"clé"}"#, .taken(issuedAt: 1_754_401_513, keyID: "clé")),
        .init(
            "kid twice, the last counts", header: #"{"kid":"FIRST","alg":"ES256","kid":"SECOND"}"#,
            .taken(issuedAt: 1_754_401_513, keyID: "SECOND")),
        .init(
            "alg twice, the last counts", header: #"{"alg":"ES256","kid":"A","alg":"none"}"#,
            .refused(.wrongAlgorithm, keyID: "A", teamID: "DEF123GHIJ")),
        .init(
            "names nested elsewhere",
            header: #"{"x":{"alg":"none","kid":"X"},"alg":"ES256","kid":"ABC123DEFG","y":[{"kid":"Y"}]}"#,
            claims: #"{"a":{"iss":"X","iat":1},"iss":"DEF123GHIJ","iat":1754401513,"b":[{"iat":2}]}"#, good),
        .init(
            "names nested alone", header: #"{"x":{"alg":"ES256","kid":"ABC123DEFG"}}"#,
            .refused(.wrongAlgorithm, teamID: "DEF123GHIJ")),
    ]

    static let issuers: [ProviderTokenCase] = [
        .init("no iss", claims: #"{"iat":1754401513}"#, .refused(.missingIssuer, keyID: "ABC123DEFG")),
        .init("iss empty", claims: #"{"iss":"","iat":1}"#, .refused(.missingIssuer, keyID: "ABC123DEFG")),
        .init("iss null", claims: #"{"iss":null,"iat":1}"#, .refused(.missingIssuer, keyID: "ABC123DEFG")),
        .init("iss a number", claims: #"{"iss":7,"iat":1}"#, .refused(.missingIssuer, keyID: "ABC123DEFG")),
        .init("iss an object", claims: #"{"iss":{},"iat":1}"#, .refused(.missingIssuer, keyID: "ABC123DEFG")),
        .init("nothing claimed", claims: "{}", .refused(.missingIssuer, keyID: "ABC123DEFG")),
        .init(
            "other claims",
            claims: #"{"exp":1,"aud":["a"],"jti":"j","iss":"DEF123GHIJ","x":{"y":[1,{}]},"iat":1754401513}"#, good),
        .init(
            "sub", claims: #"{"iss":"DEF123GHIJ","iat":1,"sub":"com.example.app"}"#,
            .taken(issuedAt: 1, subject: "com.example.app")),
        .init("sub a number", claims: #"{"iss":"DEF123GHIJ","iat":1,"sub":1}"#, .taken(issuedAt: 1)),
        .init("sub empty", claims: #"{"iss":"DEF123GHIJ","iat":1,"sub":""}"#, .taken(issuedAt: 1)),
    ]

    static let times: [ProviderTokenCase] = [
        .init(issuedAt: "1754401513", good), .init(issuedAt: "1754401513.25", .taken(issuedAt: 1_754_401_513.25)),
        .init(issuedAt: "1.754401513e9", good), .init(issuedAt: "1754401513E+0", good),
        .init(issuedAt: "17544015130e-1", good), .init(issuedAt: "0", .taken(issuedAt: 0)),
        .init(issuedAt: "-0", .taken(issuedAt: 0)), .init(issuedAt: "1e300", .taken(issuedAt: 1e300)),
        .init(issuedAt: "99999999999999999999999", .taken(issuedAt: 1e23)), .init(issuedAt: "1e999", badIssuedAt),
        .init(issuedAt: "-1", badIssuedAt), .init(issuedAt: "-0.5", badIssuedAt), .init(issuedAt: "null", badIssuedAt),
        .init(issuedAt: "true", badIssuedAt), .init(issuedAt: "[1754401513]", badIssuedAt),
        .init(issuedAt: #"{"seconds":1754401513}"#, badIssuedAt),
        .init(issuedAt: #""1754401513""#, .taken(issuedAt: 1_754_401_513, isText: true)),
        .init(issuedAt: #""1459143580650""#, .taken(issuedAt: 1_459_143_580_650, isText: true)),
        .init(issuedAt: #""9999999999999999999""#, .taken(issuedAt: 1e19, isText: true)),
        .init(issuedAt: #""10000000000000000000""#, badIssuedAt), .init(issuedAt: #""""#, badIssuedAt),
        .init(issuedAt: #""now""#, badIssuedAt), .init(issuedAt: #""1754401513.5""#, badIssuedAt),
        .init(issuedAt: #""-1""#, badIssuedAt), .init(issuedAt: #""1e9""#, badIssuedAt),
        .init(issuedAt: #"" 1754401513""#, badIssuedAt), .init(issuedAt: #""0x10""#, badIssuedAt),
        .init(issuedAt: #""１２""#, badIssuedAt), .init(issuedAt: "01", .refused(.malformed)),
        .init(issuedAt: "+1", .refused(.malformed)), .init(issuedAt: "1.", .refused(.malformed)),
        .init(issuedAt: ".5", .refused(.malformed)), .init(issuedAt: "1e", .refused(.malformed)),
        .init(issuedAt: "0x10", .refused(.malformed)), .init(issuedAt: "", .refused(.malformed)),
        .init("no iat", claims: #"{"iss":"DEF123GHIJ"}"#, badIssuedAt),
    ]

    /// A good token made this long by what nobody looks at.
    private static func padded(to size: Int) -> String {
        let unsigned = text(signature: [])
        let room = size - unsigned.utf8.count
        // No text of base64 has one character more than a multiple of four: the claims then take a blank more.
        guard room % 4 == 1 else { return unsigned + String(repeating: "A", count: room) }
        let longer = text(claims: claims + " ", signature: [])
        return longer + String(repeating: "A", count: size - longer.utf8.count)
    }
}

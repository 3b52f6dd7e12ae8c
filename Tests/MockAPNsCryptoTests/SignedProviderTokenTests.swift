import Foundation
import MockAPNsFormats
import Testing

@testable import MockAPNsCrypto

@Suite struct SignedProviderTokenTests {
    @Test func `makes tokens of the documented shape`() throws {
        let key = try SigningKey.generate()
        func makeToken() throws -> String {
            try key.providerToken(keyID: "ABC123DEFG", teamID: "DEF123GHIJ", issuedAt: 1_437_179_036)
        }
        let token = try makeToken()
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        try #require(parts.count == 3)
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")
        #expect(token.allSatisfy { allowed.contains($0) })
        #expect(Data(base64URL: parts[0]) == Data(#"{"alg":"ES256","kid":"ABC123DEFG"}"#.utf8))
        #expect(Data(base64URL: parts[1]) == Data(#"{"iss":"DEF123GHIJ","iat":1437179036}"#.utf8))
        let signature = Array(Data(base64URL: parts[2]))
        #expect(signature.count == 64)
        #expect(key.verifyingKey.accepts(signature, of: Array("\(parts[0]).\(parts[1])".utf8)))
        #expect(try makeToken() != token)
    }

    static let awkward = ["", "\"", "\\", "a\"b\\c", "\u{0}\u{1F}\n\t", "Ünïcode 😀", "</script>", "\u{7F}"]

    @Test(arguments: awkward, [Int64.min, -1, 0, Int64.max]) func `writes awkward values as JSON`(
        _ text: String, _ time: Int64
    ) throws {
        struct Header: Decodable {
            let alg: String
            let kid: String
        }
        struct Claims: Decodable {
            let iss: String
            let iat: Int64
        }
        let token = try SigningKey.generate().providerToken(keyID: text, teamID: text, issuedAt: time)
        let parts = token.split(separator: ".")
        try #require(parts.count == 3)
        let header = try JSONDecoder().decode(Header.self, from: Data(base64URL: parts[0]))
        #expect(header.alg == "ES256")
        #expect(header.kid == text)
        let claims = try JSONDecoder().decode(Claims.self, from: Data(base64URL: parts[1]))
        #expect(claims.iss == text)
        #expect(claims.iat == time)
    }
}

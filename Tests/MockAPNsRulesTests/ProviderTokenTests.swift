import Testing

@testable import MockAPNsRules

@Suite struct ProviderTokenTests {
    @Test(arguments: ProviderTokenCase.table) func `a provider token is parsed, or refused with its first flaw`(
        _ row: ProviderTokenCase
    ) {
        switch (row.text.withSpan { ProviderToken.parse($0) }, row.expected) {
        case (.success(let token), .taken(let issuedAt, let isText, let keyID, let subject)):
            #expect(token.keyID == keyID)
            #expect(token.teamID == "DEF123GHIJ")
            #expect(token.issuedAt == issuedAt)
            #expect(token.issuedAtIsText == isText)
            #expect(token.subject == subject)
        case (.failure(let refusal), .refused(let verification, let keyID, let teamID)):
            #expect(refusal.verification == verification)
            #expect(refusal.keyID == keyID)
            #expect(refusal.teamID == teamID)
        case (let result, let expected): Issue.record("\(result) instead of \(expected)")
        }
    }

    @Test(arguments: ProviderTokenCase.table) func `all rows have different names`(_ row: ProviderTokenCase) {
        #expect(ProviderTokenCase.table.filter { $0.name == row.name }.count == 1)
    }

    @Test func `the table has tokens below, at and above the size limit`() {
        for size in [4_096, 4_097, 100_000] {
            #expect(ProviderTokenCase.shapes.contains { $0.text.utf8.count == size })
        }
    }

    @Test func `the signature covers the text before the last period`() throws {
        let text = ProviderTokenCase.text()
        let token = try text.withSpan { try ProviderToken.parse($0).get() }
        #expect(token.signature == ProviderTokenCase.signature)
        let signed = text.utf8.prefix(token.signedLength)
        #expect(signed.elementsEqual(ProviderTokenCase.text(signature: []).dropLast().utf8))
    }

    @Test func `only letters of Base64URL without padding are accepted`() throws {
        func isBase64URL(_ text: String) throws -> Bool {
            try text.withSpan { try ProviderToken.parse($0).get().isBase64URL }
        }
        #expect(try isBase64URL(ProviderTokenCase.text()))
        #expect(try !isBase64URL(ProviderTokenCase.standardText))
        #expect(try !isBase64URL(ProviderTokenCase.text(signature: [1]) + "=="))
        #expect(ProviderTokenCase.standardText.contains("+") && ProviderTokenCase.standardText.contains("/"))
    }

    @Test func `a refused token keeps its key ID, and gets InvalidProviderToken`() {
        let credential = ProviderCredential(
            refusal: .init(verification: .missingIssuer, keyID: "ABC123DEFG", teamID: ""))
        #expect(credential.verification == .missingIssuer)
        #expect(credential.key == ProviderKey(keyID: "ABC123DEFG", teamID: ""))
        #expect(credential.issuedAt == nil)
        let outcome = Connection().push(credential)
        #expect(outcome.reason == .invalidProviderToken)
        #expect(outcome.verification == .missingIssuer)
    }

    struct Scheme: Sendable, CustomTestStringConvertible {
        let value: String?
        let token: String?
        var testDescription: String { value.map { "'\($0)'" } ?? "no header" }

        init(_ value: String?, _ token: String?) {
            self.value = value
            self.token = token
        }
    }

    @Test(arguments: [
        Scheme("bearer abc", "abc"), Scheme("Bearer abc", "abc"), Scheme("BEARER abc", "abc"),
        Scheme("bEaReR abc", "abc"), Scheme("bearer   abc", "abc"), Scheme("bearer a b", "a b"),
        Scheme("bearer .", "."), Scheme(nil, nil), Scheme("", nil), Scheme("bearer", nil), Scheme("bearer ", nil),
        Scheme("bearer     ", nil), Scheme("bearerabc", nil), Scheme("bearer\tabc", nil), Scheme("bearer:abc", nil),
        Scheme("bearers abc", nil), Scheme(" bearer abc", nil), Scheme("basic abc", nil), Scheme("token abc", nil),
        Scheme("abc.def.ghi", nil), Scheme("\u{2}earer abc", nil),
    ]) func `the scheme bearer is recognized, and the token follows it`(_ row: Scheme) {
        guard let value = row.value else {
            #expect(ProviderToken.bearer(nil) == nil)
            return
        }
        #expect(value.withSpan { ProviderToken.bearer($0)?.text } == row.token)
    }

    @Test func `the authority is asked about the token without its scheme`() {
        let connection = Connection()
        var request = PushRequest()
        request.set("authorization", "Bearer  a.b.c")
        _ = connection.push(request: request)
        #expect(connection.authority.asked == ["a.b.c"])
    }

    @Test func `the authority is not asked after an earlier check has refused the push`() {
        let connection = Connection()
        var request = PushRequest()
        request.set(":method", "GET")
        let outcome = connection.push(request: request)
        #expect(connection.authority.asked.isEmpty)
        #expect(outcome.verification == .notChecked)
        #expect(outcome.situation.credential == nil)
    }
}

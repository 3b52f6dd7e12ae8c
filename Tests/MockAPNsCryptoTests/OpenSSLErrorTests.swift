import Testing

@testable import MockAPNsCrypto

@Suite struct OpenSSLErrorTests {
    @Test func `an error names the operation`() {
        let silent = OpenSSLError(operation: "fly", messages: [])
        #expect(silent.description == "OpenSSL cannot fly: it gave no reason")
        let telling = OpenSSLError(operation: "fly", messages: ["no wings", "no air"])
        #expect(telling.description == "OpenSSL cannot fly: no wings; no air")
    }

    @Test func `an error has the details of OpenSSL`() throws {
        let basicConstraints: Int32 = 87
        let error = #expect(throws: OpenSSLError.self) {
            let draft = try CertificateDraft(subject: [], key: .generate(), validity: 0...1)
            try draft.add(basicConstraints, "nonsense:1")
        }
        #expect(error?.operation == "make a certificate extension")
        #expect(error?.messages.contains { $0.contains("nonsense") } == true, "\(error?.description ?? "")")
        #expect(error?.messages.allSatisfy { $0.hasPrefix("error:") } == true)
    }

    @Test func `draining reads the queue and empties it`() throws {
        // Reading a key that does not exist, without going through the module's guarded entries.
        let block = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"
        let error = #expect(throws: KeyError.self) { try EllipticCurveKey.privateKey(pem: block) }
        #expect(error?.description.contains("error:") == true)
        #expect(OpenSSLError.drain("test").messages.isEmpty)
    }
}

import MockAPNsCrypto
import NIOCore
import Testing

@testable import MockAPNsTransport

/// Certificates and keys that can and cannot be used.
@Suite struct TLSContextTests {
    private func problem(chain: String, key: String) -> String? {
        do throws(TLSContext.Problem) {
            _ = try TLSContext(certificateChainPEM: chain, privateKeyPEM: key)
            return nil
        } catch { return error.description }
    }

    private let server = TLSFixture.server

    @Test func `takes a matching pair`() { #expect(problem(chain: server.certificatePEM, key: server.keyPEM) == nil) }

    @Test func `refuses the key of another`() throws {
        let text = try #require(problem(chain: server.certificatePEM, key: TLSFixture.client.keyPEM))
        #expect(text.hasPrefix("matching the server's private key with its certificate: "))
        #expect(text.contains("mismatch"))
    }

    @Test(arguments: ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"])
    func `refuses what is not a certificate`(text: String) throws {
        let words = try #require(problem(chain: text, key: server.keyPEM))
        #expect(words.hasPrefix("reading the server's certificate (PEM): "))
    }

    @Test(arguments: ["", "no PEM", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"])
    func `refuses what is not a key`(text: String) throws {
        let words = try #require(problem(chain: server.certificatePEM, key: text))
        #expect(words.hasPrefix("reading the server's private key (PEM, without a pass phrase): "))
    }

    /// A text that the tests put together at run time lies elsewhere in memory than one written in the source.
    @Test func `reads text wherever it lies`() throws {
        let short = String("x".first!)
        #expect(problem(chain: short, key: short)?.hasPrefix("reading the server's certificate") == true)
        let joined = [server.certificatePEM, TLSFixture.authority.certificatePEM].joined(separator: "\n")
        #expect(problem(chain: joined, key: server.keyPEM) == nil)
    }

    @Test func `sends the whole chain`() throws {
        // The client trusts the authority alone: the intermediate certificate must come with the leaf.
        let chain = server.certificatePEM + TLSFixture.authority.certificatePEM
        let context = try TLSContext(certificateChainPEM: chain, privateKeyPEM: server.keyPEM)
        try Client(tls: TLSPeer.Setup(), context: context).expectAlive(stream: 1)
    }
}

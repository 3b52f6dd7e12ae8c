import Foundation
import MockAPNs
import Testing

@testable import mock_apns

/// The variables by which programs of a command trust the server.
@Suite struct TrustVariablesTests {
    private let directory = NSTemporaryDirectory() + "mock-apns-trust-\(UUID().uuidString)"

    private func variables(_ environment: [String: String], system: String? = nil) throws -> [String: String] {
        let authority = try ServerCertificate.make(additionalNames: []).authorityPEM
        var trust = TrustVariables(authority: authority, directory: directory)
        trust.systemBundles = ["\(directory)/none.pem"] + (system.map { [$0] } ?? [])
        return try trust.added(to: environment)
    }

    private func content(_ file: String?) throws -> String {
        try String(contentsOfFile: #require(file), encoding: .utf8)
    }

    private func write(_ text: String, _ name: String) throws -> String {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try text.write(toFile: "\(directory)/\(name)", atomically: true, encoding: .utf8)
        return "\(directory)/\(name)"
    }

    @Test func `the variables name files with the system's authorities and the server's`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let system = try write("system", "system.pem")
        let variables = try variables(["A": "1"], system: system)
        for name in ["SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"] {
            let text = try content(variables[name])
            #expect(text.hasPrefix("system\n-----BEGIN CERTIFICATE-----"), "\(name)")
        }
        for name in ["NODE_EXTRA_CA_CERTS", "DENO_CERT"] {
            #expect(try content(variables[name]).hasPrefix("-----BEGIN CERTIFICATE-----"), "\(name)")
        }
        let java = try #require(variables["JAVA_TOOL_OPTIONS"])
        #expect(java.hasPrefix("-Djavax.net.ssl.trustStore=\(directory)/java.p12 "))
        let settings = try #require(variables["PHP_INI_SCAN_DIR"])
        #expect(settings.hasPrefix(":"))
        let php = try content(String(settings.dropFirst()) + "/mock-apns.ini")
        #expect(php.contains("curl.cainfo=\"\(variables["SSL_CERT_FILE"] ?? "")\""))
        #expect(variables["A"] == "1" && variables["GIT_SSL_CAINFO"] == nil)
        #expect(Set(variables.keys) == Set(TrustVariables.names + ["A"]))
    }

    @Test func `variables that the user has set are kept`() throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let own = try write("own\n", "own.pem")
        let variables = try variables([
            "SSL_CERT_FILE": own, "NODE_EXTRA_CA_CERTS": own, "JAVA_TOOL_OPTIONS": "-Xmx1g",
            "PHP_INI_SCAN_DIR": "/etc/own", "CURL_CA_BUNDLE": directory, "REQUESTS_CA_BUNDLE": "",
            "DENO_CERT": "\(directory)/gone.pem",
        ])
        for name in ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"] {
            #expect(variables[name] != own)
            #expect(try content(variables[name]).hasPrefix("own\n-----BEGIN CERTIFICATE-----"), "\(name)")
        }
        #expect(try content(own) == "own\n")
        #expect(variables["JAVA_TOOL_OPTIONS"]?.hasPrefix("-Xmx1g -Djavax") == true)
        #expect(variables["PHP_INI_SCAN_DIR"] == "/etc/own:\(directory)/php")
        // A directory cannot be extended.
        #expect(variables["CURL_CA_BUNDLE"] == directory)
        #expect(variables["REQUESTS_CA_BUNDLE"] == "\(directory)/bundle.pem")
        #expect(variables["DENO_CERT"] == "\(directory)/authority.pem")
    }

    @Test func `exec sets the variables unless --no-trust is given`() throws {
        let names = TrustVariables.names.map { "${\($0)-}" }.joined(separator: "|")
        let none = Dictionary(uniqueKeysWithValues: TrustVariables.names.map { ($0, "") })
        let set = try Program.run(["exec", "--", "sh", "-c", "echo \"\(names)\""], environment: none)
        let values = set.output.split(separator: "|", omittingEmptySubsequences: false)
        #expect(values.count == TrustVariables.names.count && !values.contains(""), "\(set)")
        let unset = try Program.run(["exec", "--no-trust", "--", "sh", "-c", "echo \"\(names)\""], environment: none)
        #expect(unset.output == String(repeating: "|", count: values.count - 1) + "\n")
    }

    @Test func `a rejected push with an unknown key is explained once`() throws {
        let program = Program.path
        let outcome = try Program.run([
            "exec", "--", "sh", "-c",
            """
            set -e
            '\(program)' keys generate --team TEAM123456 --key-id ABC123DEFG -o own.p8 > /dev/null 2>&1
            token=$('\(program)' token --key own.p8,ABC123DEFG,TEAM123456)
            for number in 1 2 3; do
              curl -s -o /dev/null -w '%{http_code} ' -H "authorization: bearer $token" -H 'apns-topic: com.example.app' \
                -d '{}' "$MOCK_APNS_URL/3/device/abcd"
            done
            """,
        ])
        #expect(outcome.status == 0 && outcome.output == "403 403 403 ", "\(outcome)")
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1, "\(outcome)")
        #expect(lines.first?.contains("key ABC123DEFG is unknown") == true)
        #expect(lines.first?.contains("--auth wellformed") == true)
        #expect(lines.first?.contains("--key AuthKey_ABC123DEFG.p8,ABC123DEFG,TEAM123456") == true)
    }
}

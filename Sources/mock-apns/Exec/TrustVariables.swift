internal import MockAPNsCrypto

/// The variables by which a command's programs come to trust the server, and the files that they name.
struct TrustVariables {
    private enum Value {
        /// A file in place of the system's authorities: those, and the server's.
        case bundle
        /// A file besides them: the server's authority.
        case addition
        /// Options of Java that name a trust store.
        case javaOptions
        /// Directories of settings, of which the last one is that of PHP's.
        case settingsOfPHP
    }

    /// What each program reads, one row each.
    private static let rows: [(name: String, value: Value)] = [
        // OpenSSL, and so Python, Ruby and .NET; Go; what reads the system's authorities in Rust
        ("SSL_CERT_FILE", .bundle),
        // Python's requests
        ("REQUESTS_CA_BUNDLE", .bundle), ("CURL_CA_BUNDLE", .bundle), ("NODE_EXTRA_CA_CERTS", .addition),
        ("DENO_CERT", .addition), ("JAVA_TOOL_OPTIONS", .javaOptions), ("PHP_INI_SCAN_DIR", .settingsOfPHP),
    ]

    static var names: [String] { rows.map(\.name) }

    /// Where systems keep their authorities in one file; the first that exists counts.
    private static let systemBundles = [
        // Debian, Ubuntu, Alpine, Arch
        "/etc/ssl/certs/ca-certificates.crt",
        // Fedora, RHEL
        "/etc/pki/tls/certs/ca-bundle.crt", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",
        // openSUSE
        "/etc/ssl/ca-bundle.pem",
        // macOS
        "/etc/ssl/cert.pem",
    ]

    /// The password of the trust store, which has nothing secret in it.
    private static let password = "changeit"

    /// The certificate of the server's authority, in PEM.
    let authority: String
    /// A directory for the files.
    let directory: String
    /// The first of the system's bundles that exists is read.
    var systemBundles = Self.systemBundles

    /// The environment with the variables; a file that one of them names already is a part of the new one.
    func added(to environment: [String: String]) throws -> [String: String] {
        try AtomicFile.makeDirectory(directory)
        let system = try systemBundles.lazy.compactMap { try AtomicFile.text(at: $0) }.first ?? ""
        let bundle = try save(joined(system), "bundle.pem")
        let addition = try save(joined(""), "authority.pem")
        var environment = environment
        for (name, value) in Self.rows {
            let given = environment[name].flatMap { $0.isEmpty ? nil : $0 }
            switch value {
            case .bundle, .addition:
                let standard = value == .bundle ? bundle : addition
                environment[name] = try given.flatMap { try extended($0, of: name) } ?? standard
            case .javaOptions:
                let store = try JavaTrustStore.pkcs12(pem: joined(system), password: Self.password)
                let path = "\(directory)/java.p12"
                try AtomicFile.save(store, to: path, access: .everyone)
                let file = path.contains(" ") ? "'\(path)'" : path
                let options =
                    "-Djavax.net.ssl.trustStore=\(file) -Djavax.net.ssl.trustStoreType=PKCS12"
                    + " -Djavax.net.ssl.trustStorePassword=\(Self.password)"
                environment[name] = [given, options].given(joinedBy: " ")
            case .settingsOfPHP:
                try AtomicFile.makeDirectory("\(directory)/php")
                _ = try save("curl.cainfo=\"\(bundle)\"\nopenssl.cafile=\"\(bundle)\"\n", "php/mock-apns.ini")
                // An empty name is the directory that PHP reads otherwise.
                environment[name] = "\(given ?? ""):\(directory)/php"
            }
        }
        return environment
    }

    private func joined(_ others: String) -> String {
        others + (others.isEmpty || others.hasSuffix("\n") ? "" : "\n") + authority
    }

    private func save(_ text: String, _ name: String) throws -> String {
        let path = "\(directory)/\(name)"
        try AtomicFile.save(text.utf8, to: path, access: .everyone)
        return path
    }

    /// A file with what the variable names, and the authority; the variable as it is if it names no text file, and `nil` if it
    /// names nothing that is there, which no program can trust.
    private func extended(_ file: String, of name: String) throws -> String? {
        let text: String?
        do { text = try AtomicFile.text(at: file) } catch {
            let reason = "it does not name a file with certificates"
            Console.note("\(name) is left as it is, because \(reason): '\(TerminalText.plain(file))'")
            return file
        }
        return try text.map { try save(joined($0), "\(name.lowercased()).pem") }
    }
}

/// Cases about connections, and about what earlier requests of a connection change.
extension DriftCatalogue {
    private static func probe(
        _ id: String, _ probe: DriftCase.Probe, _ decides: String, _ source: String, need: DriftCase.Need? = nil
    ) -> DriftCase {
        DriftCase(
            id: id, decides: decides, source: source, choices: [], need: need, probe: probe, hasErrorBody: false,
            change: { _, _ in })
    }

    static let probes = [
        probe("settings", .settings, "the first SETTINGS of a connection", "observed 2021: jchambers/pushy#878"),
        probe(
            "settings-later", .laterSettings, "all SETTINGS of a connection with a valid provider token",
            "documented: one stream before the first valid token"),
        probe("tls-version", .encryption, "the version of TLS", "observed", need: .encryption),
        probe("ping", .ping, "whether a PING is answered", "documented: connections are kept open"),
        DriftCase(
            id: "certificate-unknown", decides: "a client certificate that nobody has issued",
            source: "the reason is documented, the form inferred",
            choices: [
                DriftCase.Choice("--behavior bad-certificate=answer", "BadCertificate"),
                DriftCase.Choice("--behavior bad-certificate=alert", "tls"),
                DriftCase.Choice("--behavior goaway=double", .connection("goaway BadCertificate, goaway")),
            ], place: .stranger, need: .encryption, hasErrorBody: false, change: { _, _ in }),
        DriftCase(
            id: "alpn-http1", decides: "a TLS handshake that offers HTTP/1.1",
            source: "observed: reactor/reactor-netty#399",
            choices: [DriftCase.Choice("--behavior alpn=required", "tls")], place: .oldHTTP, need: .encryption,
            hasErrorBody: false, change: { _, _ in }),
    ]

    private static func renewed(_ seconds: Int64, _ change: DriftDraft.Change = .none) -> DriftCase.Change {
        { draft, provider in
            draft.credential = DriftDefect.signed(claims: #"{"iss":"TEAM","iat":\#(provider.now - seconds)}"#, change)(
                provider)
        }
    }

    /// What refuses another valid token on another connection.
    static let scope = ["key", "team", "address"].map {
        DriftCase.Choice("--behavior token-update-scope=\($0)", DriftCase.tooManyUpdates)
    }

    /// Each has a connection, on which the shared token was valid before.
    ///
    /// Their tokens are older than the shared one, and from different seconds.
    static let updates = [
        DriftCase(
            id: "update-invalid", decides: "whether a token that is refused counts as an update",
            source: "inferred; observed otherwise: forums thread 770438",
            choices: [DriftCase.Choice("--behavior token-update-count=all", DriftCase.tooManyUpdates)], place: .updates,
            prelude: [{ _, _ in }], change: renewed(60, .wrongSignature)),
        DriftCase(
            id: "update-other-connection", decides: "another token on a new connection within 20 minutes",
            source: "documented for one connection; staff: for a team (forums thread 702056)", choices: scope,
            place: .updates, change: renewed(70)),
        DriftCase(
            id: "update", decides: "another token on the same connection within 20 minutes",
            source: "documented: TooManyProviderTokenUpdates", choices: [], place: .updates, prelude: [{ _, _ in }],
            change: renewed(80)),
        DriftCase(
            id: "update+path-no-token",
            decides: "whether provider-token-updates is checked before device-token-present",
            source: "docs/differences.md, order of checks",
            choices: [
                DriftCase.Choice("--check-order device-token-present,provider-token-updates", "MissingDeviceToken")
            ], place: .updates, prelude: [{ _, _ in }]
        ) { draft, provider in
            renewed(80)(&draft, provider)
            draft.path = "/3/device/"
        },
        DriftCase(
            id: "update-after", decides: "the first token after another one was too many",
            source: "inferred; staff: the connection is unusable (forums thread 675879)",
            choices: [DriftCase.Choice("--behavior token-update-block=connection", DriftCase.tooManyUpdates)],
            place: .updates, prelude: [{ _, _ in }, renewed(80)], change: { _, _ in }),
    ].map(withContentType)
}

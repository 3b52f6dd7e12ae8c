internal import MockAPNsFormats
internal import MockAPNsRules
internal import MockAPNsWorld

/// The schemas of what faults do.
struct FaultActionSchemas {
    /// The member `do`; what may be left out may be `null` in a new description, and not in a change.
    static func action(isNullable: Bool) -> Schema {
        let parts = FaultActionSchemas(isNullable: isNullable)
        return Schema.closedWithOne(parts.members).described("Exactly one action.")
    }

    private let isNullable: Bool

    private func part(_ schema: Schema) -> Schema { isNullable ? schema.orNull : schema }

    private var members: [String: Schema] {
        [
            "respond": response.described("Another answer; takes a status, or a reason."),
            "delay": delay.described("The answer waits."),
            "stream": .closed(["reset": code], required: ["reset"]).described("The stream is reset."),
            "goaway": goAway.described("A GOAWAY follows the answer."),
            "connection": .words(FaultAction.Break.self).described("The connection breaks."),
            "settings": settings.described("The connection begins with other SETTINGS, late ones, or none."),
            "handshake": handshake.described("The TLS handshake goes wrong."),
            "body": .words(FaultAction.Body.self).described("The body of the answer is wrong."),
            "lose": .constant(true).described("Accepted, and never delivered."),
            "duplicate": .constant(true).described("Delivered twice."),
            "slow": .closed(["bytesPerSecond": .integer(1...Int(Int32.max))], required: ["bytesPerSecond"])
                .described("The answer leaves at this rate."),
        ]
    }

    private var code: Schema { .words(HTTP2Code.allCases.map(\.name)) }

    private var response: Schema {
        let headers = Schema.dictionary(of: .text).described("Header fields besides the usual ones.")
        return .closed([
            "status": part(.integer(200...599)),
            "reason": part(.words(Reason.allCases.map(\.name))),
            "headers": part(headers),
            "body": part(.words(FaultAction.Body.self)),
        ])
    }

    private var delay: Schema {
        .closed(
            [
                "for": .duration, "jitter": part(.duration),
                "distribution": part(.words(FaultAction.Delay.Distribution.self)),
            ],
            required: ["for"]
        )
    }

    private var goAway: Schema {
        .closed([
            "code": part(code), "lastStream": part(.words(FaultAction.GoAway.LastStream.self)),
            "debug": part(.text), "close": part(.words(FaultAction.GoAway.Close.self)),
            "then": part(.words(FaultAction.GoAway.Aftermath.self)),
            "respond": part(response.described("The answer before the frame.")),
        ])
    }

    private var settings: Schema {
        .closed([
            "maxConcurrentStreams": part(.integer(0...1_000_000)),
            "initialWindow": part(.integer(0...2_147_483_647)),
            "delay": part(.duration),
            "replaceWithGoaway": part(goAway),
        ])
    }

    private var handshake: Schema {
        .text(
            "^(refuse|expired-cert|wrong-host|no-alpn|delay:-?[0-9]{1,12}(ms|s|m|h|d)|alert:[0-9]{1,20})$",
            example: "expired-cert"
        )
    }
}

internal import MockAPNsFormats

/// What a fault does: exactly one member is there.
package final class FaultActionShape: Shape {
    package static let definition = Definition(FaultActionShape(), "FaultAction", use: .request)
    package let body = OptionalMember<String>(.word(.bodyFault), "Sends a wrong response body.")
    package let connection = OptionalMember<String>(.word(.connectionFault), "Breaks the connection.")
    package let delay = OptionalMember<APIObject<Delay>>("Delays the response.")
    package let duplicate = OptionalMember<Bool>(.constant(true), "Delivers the notification twice.")
    package let goaway = OptionalMember<APIObject<GoAway>>("Sends GOAWAY after the response.")
    package let handshake = OptionalMember<String>(
        .text("^(refuse|expired-cert|wrong-host|no-alpn|delay:-?[0-9]{1,12}(ms|s|m|h|d)|alert:[0-9]{1,20})$").example(
            "expired-cert"), "Breaks the TLS handshake.")
    package let lose = OptionalMember<Bool>(.constant(true), "Accepts the push and never delivers it.")
    package let respond = OptionalMember<APIObject<Respond>>("Sends another status or reason.")
    package let settings = OptionalMember<APIObject<Settings>>("Sends other SETTINGS, late ones or none.")
    package let slow = OptionalMember<APIObject<Slow>>("Sends the response at this rate.")
    package let stream = OptionalMember<APIObject<Stream>>("Resets the stream.")

    package final class Respond: Shape {
        package static let definition = Definition(Respond())
        package let body = OptionalMember<String>(.word(.bodyFault))
        package let headers = OptionalMember<[String: String]>("Header fields to add.")
        package let reason = OptionalMember<String>(.reason)
        package let status = OptionalMember<Int>(.integer(200...599))
    }

    package final class Delay: Shape {
        package static let definition = Definition(Delay())
        package let distribution = OptionalMember<String>(.word(.delayDistribution))
        package let `for` = Member<String>(.duration)
        package let jitter = OptionalMember<String>(.duration)
    }

    package final class Stream: Shape {
        package static let definition = Definition(Stream())
        package let reset = Member<String>(.word(.http2Code))
    }

    package final class GoAway: Shape {
        package static let definition = Definition(GoAway())
        package let close = OptionalMember<String>(.word(.goAwayClose))
        package let code = OptionalMember<String>(.word(.http2Code))
        package let debug = OptionalMember<String>()
        package let lastStream = OptionalMember<String>(.word(.goAwayLastStream))
        package let respond = OptionalMember<APIObject<Respond>>("The response before the frame.")
        package let then = OptionalMember<String>(.word(.goAwayThen))
    }

    package final class Settings: Shape {
        package static let definition = Definition(Settings())
        package let delay = OptionalMember<String>(.duration)
        package let initialWindow = OptionalMember<Int>(.integer(0...2_147_483_647))
        package let maxConcurrentStreams = OptionalMember<Int>(.integer(0...1_000_000))
        package let replaceWithGoaway = OptionalMember<APIObject<GoAway>>()
    }

    package final class Slow: Shape {
        package static let definition = Definition(Slow())
        package let bytesPerSecond = Member<Int>(.integer(1...Int(Int32.max)))
    }
}

extension Cause {
    /// What was seen and expected, in one sentence, and how to fix it.
    var texts: (what: String, fix: String) {
        switch self {
        case .requested(let reason):
            (
                "The device token or channel ID asks for \(reason.name): it begins with the answer token"
                    + " \(AnswerToken.prefix(of: reason)).", "A real \(reason.name) means: \(reason.hint)"
            )
        case .fault(let reason): ("A fault of this server chose the response \(reason.name).", "\(reason.hint)")
        case .unknown(let reason): ("\(reason.meaning)", "\(reason.hint)")
        case .stopping: ("This server is shutting down.", "Retry on a new connection.")
        case .cannotKeep:
            (
                "This server cannot write to its --data at the moment, so it refuses every push.",
                "Free some disk space, or see what the server has printed; then retry."
            )
        case .certificate(let certificate, let now): Self.texts(of: certificate, at: now)
        case .certificateEnvironment(let certificate, let address):
            (
                "The client's certificate (\(certificate.subject)) is for"
                    + " \(Words.list(certificate.environments.map(\.rawValue).sorted(), else: "no environment")), but this"
                    + " address is \(address.rawValue).",
                "Send to the other address, or use a certificate for \(address.rawValue)."
            )
        case .method(let seen, let expected):
            ("The method is \(Words.quoted(seen)), expected \(expected).", "Send the request with \(expected).")
        case .path(let flaw, let seen, let expected): Self.texts(of: flaw, seen, expected)
        case .repeatedHeader(let name, let values):
            (
                "The header \(name) occurs \(values.count) times, expected once: \(values.map(Words.quoted).joined(separator: ", ")).",
                "Set it once; look for middleware or defaults that add another."
            )
        case .deviceTokenMissing(let channel?):
            (
                "The path ends after /3/device/, without a device token, and the request has an apns-channel-id"
                    + " (\(Words.quoted(channel))), as broadcasts have, expected /4/broadcasts/apps/<bundle id>.",
                "Broadcast with POST /4/broadcasts/apps/<bundle id>."
            )
        case .deviceTokenMissing(nil):
            (
                "The path ends after /3/device/, without a device token.",
                "Append the token as hex digits; an empty variable is the usual cause."
            )
        case .token(let cause): cause.texts
        case .header(let cause): cause.texts
        case .device(let cause): cause.texts
        case .channel(let cause): cause.texts
        }
    }

    private static func texts(of certificate: ClientCertificate, at now: Timestamp) -> (what: String, fix: String) {
        let subject = "The client's certificate (\(certificate.subject))"
        let make = "mock-apns certs issue makes certificates that this server accepts."
        switch certificate.standing {
        case .untrusted:
            return (
                "\(subject) was issued by \(certificate.issuer), which this server does not trust.",
                "\(make) serve --client-ca trusts another authority."
            )
        case .selfSigned: return ("\(subject) is signed with its own key, and not trusted.", make)
        case .expired:
            let end = certificate.notAfter.map { Timestamp(seconds: $0) }
            let age = end.map { ", \(Words.duration(now.seconds - $0.seconds)) before the push" } ?? ""
            return (
                "\(subject) expired\(end.map { " at \(Words.moment($0.seconds))" } ?? "")\(age).", "Renew it. \(make)"
            )
        case .notYetValid:
            let start = certificate.notBefore.map { " before \(Words.moment(Double($0)))" } ?? " yet"
            return ("\(subject) is not valid\(start).", "Check the clock of the machine that made it.")
        case .revoked: return ("\(subject) was revoked.", "Use another one. \(make)")
        case .noTopic:
            return (
                "\(subject) names no app: it has neither Apple's extensions nor a user ID in its subject.",
                "Use the certificate for push, not one for signing or for TLS. \(make)"
            )
        case .tooManyTopics:
            return (
                "\(subject) has more than 1,000 topics, the most that this server keeps of a certificate.",
                "Use a certificate with fewer. \(make)"
            )
        case .unreadable: return ("The client's certificate cannot be parsed.", make)
        case .ignored:
            return (
                "\(subject) is ignored: the server was started with --client-certificates ignore.",
                "Start it without that option."
            )
        case .verified: return ("\(subject) is valid.", "")
        }
    }

    private static func texts(of flaw: PathFlaw, _ seen: String, _ expected: String) -> (what: String, fix: String) {
        let path = "The path is \(Words.quoted(seen)), expected \(expected)"
        switch flaw {
        case .empty: return ("The request has no path, expected \(expected).", "Set :path.")
        case .wholeURL: return ("\(path): only the part of the URL after the host.", "Set :path to that part.")
        case .channelID(let id):
            return (
                "\(path): it contains the channel ID \(Words.quoted(id)), which belongs in the header apns-channel-id.",
                "Move it to apns-channel-id."
            )
        case .nearly: return ("\(path).", "Correct the path; the order of its parts, letter case and slashes matter.")
        case .version(let version, let service):
            let known = PathShape.all.first { $0.version == version }
            let standing = known.map { "is for \($0.service.requests)" } ?? "does not exist"
            let right = PathShape.of(service)?.version ?? ""
            return ("\(path): version \(version) \(standing).", "Use version \(right) for \(service.requests).")
        case .trailingSlash: return ("\(path): it ends with a slash.", "Remove the slash at the end.")
        case .bundleID(let id):
            return (
                "\(path): \(Words.quoted(id)) is not a bundle identifier.", "Put the app's bundle identifier there."
            )
        case .onlyChannels:
            return (
                "\(path): this address only manages channels.",
                "Send pushes and broadcasts to the other address of the server."
            )
        case .other: return ("\(path).", "POST pushes to /3/device/ followed by the device token.")
        }
    }
}

extension Service {
    /// What its requests are called.
    fileprivate var requests: String {
        switch self {
        case .push: "pushes to devices"
        case .broadcast: "broadcasts"
        case .channels: "the management of channels"
        }
    }
}

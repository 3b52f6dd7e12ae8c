package import MockAPNs
internal import MockAPNsFormats
internal import MockAPNsQuery
internal import MockAPNsRules
package import MockAPNsWorld

/// The value of `--fault`: a preset with its parameters, `preset[:name=value,...]`.
///
/// Besides the preset's parameters it takes `topic` and `token`, which select the pushes.
package enum FaultArgument {
    private typealias Choice = (name: String, value: String)

    private static let conditions = ["topic", "token"]

    /// The fault that a text describes.
    package static func draft(_ text: String) throws(ArgumentError) -> FaultDraft {
        let (preset, choices) = try parts(of: text)
        let match = try match(choices)
        do throws(Problem) {
            let choices = body(choices.filter { !conditions.contains($0.name) }, of: preset)
            let form = Form<FaultBody>.faultChoices(preset.parameters)
            let description = try form.read(choices.text, use: .request)
            do throws(FaultError) { return try preset.draft(description.choices, match: match) } catch {
                throw Problem(error)
            }
        } catch {
            let first = error.complaints.first
            let place = first?.path.split(separator: "/").last ?? ""
            let hint = first?.suggestion.map { "; did you mean \($0)?" } ?? ""
            let named = first.map { place.isEmpty ? $0.message : "'\(place)' \($0.message)" }
            let mistake = named ?? error.detail
            throw ArgumentError(description: mistake + hint)
        }
    }

    private static func match(_ choices: [Choice]) throws(ArgumentError) -> FaultDraft.Match? {
        let topic = choices.first { $0.name == "topic" }?.value
        let hex = choices.first { $0.name == "token" }?.value
        guard topic != nil || hex != nil else { return nil }
        let token = hex.flatMap { DeviceToken(hex: $0) }
        if let hex, token == nil {
            let message = "'\(hex)' is not a device token; expected hexadecimal digits"
            throw ArgumentError(description: message)
        }
        let members = ["topic": topic, "token": token?.hex].compactMapValues { $0.map(JSONValue.string) }
        let text = String(decoding: JSONValue.object(members).text, as: UTF8.self)
        return FaultDraft.Match(text: text) { request, _ in
            if let topic, request[.apnsTopic]?.text != topic { return false }
            guard let token else { return true }
            return request.devicePart.flatMap { DeviceToken(hex: $0) } == token
        }
    }

    /// The preset of a text, and the body of the API request that creates the same fault.
    package static func request(_ text: String) throws(ArgumentError) -> (preset: String, body: [UInt8]) {
        let (preset, choices) = try parts(of: text, besides: ["name"])
        _ = try match(choices)
        return (preset.name, body(choices, of: preset).text)
    }

    /// The value of a parameter as it is written.
    package static func text(_ value: FaultPreset.Value) -> String {
        switch value {
        case .count(let count): "\(count)"
        case .duration(let time): DurationText.text(time)
        case .fraction(let fraction): Int64(exactly: fraction).map { "\($0)" } ?? "\(fraction)"
        }
    }

    /// Reads the preset and its parameters; `others` are further names that these may have.
    private static func parts(
        of text: String, besides others: [String] = []
    ) throws(ArgumentError) -> (FaultPreset, [Choice]) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let preset = FaultPreset.named(name) else {
            let names = FaultPreset.all.map(\.name)
            let nearest = Suggestion.nearest(to: name, among: names)
            let hint = nearest.map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))"
            throw ArgumentError(description: "preset '\(name)' not found; \(hint)")
        }
        var choices: [Choice] = []
        for choice in parts.dropFirst().flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            let sides = choice.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw ArgumentError(description: "'\(text)' should be preset:name=value,name=value")
            }
            guard !choices.contains(where: { $0.name == sides[0] }) else {
                throw ArgumentError(description: "'\(text)' says \(sides[0]) twice")
            }
            choices.append((String(sides[0]), String(sides[1])))
        }
        let parameters = preset.parameters.map(\.name)
        for (name, _) in choices where !(parameters + conditions + others).contains(name) {
            let anyPush = FaultDraft.Match(text: "{}") { _, _ in true }
            let isAboutPushes = (try? preset.draft(match: anyPush)) != nil
            let known = parameters + (isAboutPushes ? conditions : [])
            let hint = Suggestion.question(for: name, among: known)
            let list = known.joined(separator: ", ")
            throw ArgumentError(description: "unknown parameter '\(name)'; \(preset.name) takes \(list)\(hint)")
        }
        return (preset, choices)
    }

    /// Makes the condition of a fault again from its text; `nil` if the text is none.
    package static func match(_ text: String) -> FaultDraft.Match? {
        let matcher = try? Form<PushMatcher>.matcher.read(Array(text.utf8), use: .request)
        return matcher?.faultMatch(text: text)
    }

    private static func body(_ choices: [Choice], of preset: FaultPreset) -> JSONValue {
        var members: [String: JSONValue] = [:]
        var match: [String: JSONValue] = [:]
        for (name, value) in choices {
            switch preset.parameters.first(where: { $0.name == name })?.standard {
            case _ where conditions.contains(name): match[name] = .string(value)
            case .count, .fraction: members[name] = JSONParser.value(of: Array(value.utf8)) ?? .string(value)
            case .duration, nil: members[name] = .string(value)
            }
        }
        if !match.isEmpty { members["match"] = .object(match) }
        return .object(members)
    }
}

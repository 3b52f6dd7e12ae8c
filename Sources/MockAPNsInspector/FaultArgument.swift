internal import MockAPNsAPI
internal import MockAPNsFormats
internal import MockAPNsRules
public import MockAPNsWorld

/// The value of `--fault`: a preset with its parameters, `preset[:name=value,...]`.
///
/// Besides the preset's parameters it takes `topic` and `token`, which select the pushes.
public enum FaultArgument {
    private typealias Choice = (name: String, value: String)

    private static let conditions = ["topic", "token"]

    /// The fault that a text describes.
    ///
    /// - Throws: `FaultArgumentError`.
    public static func draft(_ text: String) throws(FaultArgumentError) -> FaultDraft {
        let (preset, choices) = try parts(of: text)
        let match = try match(choices)
        do {
            let choices = body(choices.filter { !conditions.contains($0.name) }, of: preset)
            let form = Form<FaultDescription>.faultChoices(preset.parameters)
            let description = try form.read(choices.text, use: .request)
            return try preset.draft(description.choices, match: match)
        } catch let error as Problem {
            throw FaultArgumentError(problem: error, in: text)
        } catch let error as FaultError {
            throw FaultArgumentError(problem: Problem(error), in: text)
        } catch {
            throw FaultArgumentError("'\(text)': \(error)")
        }
    }

    private static func match(_ choices: [Choice]) throws(FaultArgumentError) -> FaultDraft.Match? {
        let topic = choices.first { $0.name == "topic" }?.value
        let hex = choices.first { $0.name == "token" }?.value
        guard topic != nil || hex != nil else { return nil }
        let token = hex.flatMap { DeviceToken(hex: $0) }
        if let hex, token == nil {
            throw FaultArgumentError("'\(hex)' is not a device token; expected hexadecimal digits")
        }
        var members: [String: JSONValue] = [:]
        if let topic { members["topic"] = .string(topic) }
        if let token { members["token"] = .string(token.hex) }
        let text = String(decoding: JSONValue.object(members).text, as: UTF8.self)
        return FaultDraft.Match(text: text) { request, _ in
            if let topic, request[.apnsTopic]?.text != topic { return false }
            guard let token else { return true }
            return request.devicePart.flatMap { DeviceToken(hex: $0) } == token
        }
    }

    /// The preset of a text, and the body of the API request that creates the same fault.
    ///
    /// - Throws: `FaultArgumentError`.
    public static func request(_ text: String) throws(FaultArgumentError) -> (preset: String, body: [UInt8]) {
        let (preset, choices) = try parts(of: text)
        return (preset.name, body(choices, of: preset).text)
    }

    /// The value of a parameter as it is written.
    public static func text(_ value: FaultPreset.Value) -> String {
        switch value {
        case .count(let count): "\(count)"
        case .duration(let time): DurationText.text(time)
        case .fraction(let fraction): Int64(exactly: fraction).map { "\($0)" } ?? "\(fraction)"
        }
    }

    private static func parts(of text: String) throws(FaultArgumentError) -> (FaultPreset, [Choice]) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        guard let preset = FaultPreset.named(name) else {
            let names = FaultPreset.all.map(\.name)
            let nearest = Suggestion.nearest(to: name, among: names)
            let hint = nearest.map { "did you mean \($0)?" } ?? "there are \(names.joined(separator: ", "))"
            throw FaultArgumentError("there is not a preset '\(name)'; \(hint)")
        }
        var choices: [Choice] = []
        for choice in parts.dropFirst().flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }
        ) {
            let sides = choice.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2, !sides[0].isEmpty else {
                throw FaultArgumentError("'\(text)' should be preset:name=value,name=value")
            }
            guard !choices.contains(where: { $0.name == sides[0] }) else {
                throw FaultArgumentError("'\(text)' says \(sides[0]) twice")
            }
            choices.append((String(sides[0]), String(sides[1])))
        }
        return (preset, choices)
    }

    private static func body(_ choices: [Choice], of preset: FaultPreset) -> JSONValue {
        var members: [String: JSONValue] = [:]
        var match: [String: JSONValue] = [:]
        for (name, value) in choices {
            if conditions.contains(name) {
                match[name] = .string(value)
                continue
            }
            let isNumber =
                switch preset.parameters.first(where: { $0.name == name })?.standard {
                case .count, .fraction: true
                case .duration, nil: false
                }
            let number = isNumber ? JSONParser.value(of: Array(value.utf8)) : nil
            members[name] = number ?? .string(value)
        }
        if !match.isEmpty { members["match"] = .object(match) }
        return .object(members)
    }
}

/// The reason why a text does not describe a fault.
public struct FaultArgumentError: Error, Equatable, CustomStringConvertible, Sendable {
    /// What was seen, and what is expected.
    public let description: String

    init(_ description: String) { self.description = description }

    init(problem: Problem, in text: String) {
        let first = problem.complaints.first
        let place = first?.path.split(separator: "/").last.map(String.init) ?? ""
        let hint = first?.suggestion.map { "; did you mean \($0)?" } ?? ""
        self.init("'\(text)': \(place) \(first?.message ?? problem.detail)\(hint)")
    }
}

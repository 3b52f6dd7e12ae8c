import MockAPNsRules
import TestSupport

@testable import MockAPNsWorld

/// Random operations on a world, as values, so that a failing sequence can be shown and shortened.
struct WorldPlan: CustomStringConvertible {
    enum Operation {
        case add(DeviceDraft)
        case put([DeviceDraft])
        case change(Reference, DeviceChange)
        case register(DeviceDraft.Registration, Reference)
        case changeApp(Int, RegistrationChange)
        case rotate(Int, DeviceToken?)
        case forget(Reference)
        case push([Push])
        case advance(Int64)
        case putBack(Int64)
        case clearFeedback
        case reset(Set<ResetReport.Part>)
    }

    /// A push to one of the apps there have been, or to a token of its own.
    struct Push {
        let app: Int?
        let token: DeviceToken
        let topic: String
        let environment: Environment
        let sent: DeliveryStory.Push
    }

    /// One of the devices there have been, by the name that comes first of those it has.
    struct Reference {
        enum Name {
            case label
            case id
            case token
        }

        let device: Int
        let name: Name
    }

    static let topics = ["com.example.app", "com.example.other", "com.example.app.voip"]
    private static let hour = JudgingWorld.hour

    let isNoticed: Bool
    var operations: [Operation] = []

    init(seed: UInt64, length: Int) {
        var random = Generator(seed: seed)
        isNoticed = random.number(0...2) > 0
        for _ in 0..<length { operations.append(Self.operation(&random)) }
    }

    var description: String {
        "\(isNoticed ? "immediate" : "delayed"): " + operations.map { "\($0)" }.joined(separator: ";\n  ")
    }

    private static func operation(_ random: inout Generator) -> Operation {
        switch random.number(1...100) {
        case ...6: .add(draft(&random))
        case ...13: .put((0..<random.number(1...3)).map { _ in draft(&random) })
        case ...29: .change(reference(&random), change(&random))
        case ...33: .register(registration(&random), reference(&random))
        case ...49: .changeApp(random.number(0...30), appChange(&random))
        case ...53: .rotate(random.number(0...30), random.number(0...1) == 0 ? nil : token(&random))
        case ...56: .forget(reference(&random))
        case ...86: .push((0..<random.number(1...4)).map { _ in push(&random) })
        case ...95: .advance(random.pick([0, 1, 1, 2, 5, 100, 500]) * hour)
        case ...96: .putBack(random.pick([1, 24]) * hour)
        case ...98: .clearFeedback
        default: .reset(Set(ResetReport.Part.allCases.filter { _ in random.number(0...2) == 0 }))
        }
    }

    private static func token(_ random: inout Generator) -> DeviceToken { .numbered(UInt64(random.number(1...8))) }

    private static func label(_ random: inout Generator) -> String? { random.pick([nil, "a", "b", "c", "d"]) }

    private static func reference(_ random: inout Generator) -> Reference {
        Reference(device: random.number(0...12), name: random.pick([.label, .label, .id, .token]))
    }

    private static func draft(_ random: inout Generator) -> DeviceDraft {
        DeviceDraft(
            label: label(&random), isOnline: random.pick([nil, true, false]),
            savesPower: random.pick([nil, nil, true, false]),
            registrations: (0..<random.number(0...2)).map { _ in registration(&random) })
    }

    private static func registration(_ random: inout Generator) -> DeviceDraft.Registration {
        DeviceDraft.Registration(
            token: random.number(0...1) == 0 ? nil : token(&random), topic: random.pick(topics),
            environment: random.number(0...4) == 0 ? .production : .sandbox,
            appState: random.pick([nil, .terminated, .terminated] + AppState.allCases),
            allowsNotifications: random.pick([nil, nil, true, false]))
    }

    private static func change(_ random: inout Generator) -> DeviceChange {
        .with {
            $0.isOnline = random.pick([nil, true, true, false, false])
            $0.savesPower = random.pick([nil, nil, true, false])
            $0.label = random.number(0...4) == 0 ? label(&random) : nil
        }
    }

    private static func appChange(_ random: inout Generator) -> RegistrationChange {
        .with {
            $0.appState = random.pick([nil, .terminated, .terminated] + AppState.allCases)
            $0.allowsNotifications = random.pick([nil, nil, true, false])
            $0.state = random.pick([nil, nil, .registered, .registered, .uninstalled, .uninstalled, .expired, .rotated])
        }
    }

    private static func push(_ random: inout Generator) -> Push {
        let topic = random.pick(topics)
        let sent = DeliveryStory.Push(
            kind: topic.hasSuffix(".voip") ? .voip : random.pick([.alert, .background]),
            priority: random.pick(Priority.allCases),
            expiration: random.pick([.absent, .absent, .zero, .offset(hour), .offset(24 * hour), .offset(2_000 * hour)]
            ), collapse: random.pick(["", "", "a"]))
        return Push(
            app: random.number(0...9) == 0 ? nil : random.number(0...30), token: token(&random), topic: topic,
            environment: random.number(0...9) == 0 ? .production : .sandbox, sent: sent)
    }
}

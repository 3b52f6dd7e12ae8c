import MockAPNsRules
import TestSupport
import Testing

@testable import MockAPNsWorld

/// Random sequences of operations on several apps of several devices, compared with the naive model at each.
@Suite struct AppDeliveryModelTests {
    /// Sequences of each run; the runs go on side by side.
    private static let sequences: UInt64 = 625
    private static let length = 60

    @Test(arguments: UInt64(0)..<8) func `a random sequence gives the events of the model`(run: UInt64) {
        var seen: Set<DeliveryEvent> = []
        for seed in (run * Self.sequences + 1)...((run + 1) * Self.sequences) {
            let plan = Plan(seed: seed, length: Self.length)
            let done = Run(plan)
            seen.formUnion(done.seen)
            guard done.difference == nil else {
                Issue.record("seed \(seed): \(plan.shortest)")
                return
            }
            #expect(done.operations == Self.length)
        }
        // A generator that never got somewhere would prove nothing.
        #expect(seen == Set(DeliveryEvent.allCases).subtracting(DeliveryEvent.ofNoModel))
    }

    @Test func `the same seed gives the same plan`() {
        let texts = (0..<2).map { _ in "\(Plan(seed: 7, length: 20))" }
        #expect(texts[0] == texts[1])
        #expect("\(Plan(seed: 8, length: 20))" != texts[0])
    }
}

extension AppDeliveryModelTests {
    typealias Push = DeliveryStory.Push

    enum Operation {
        case push(app: Int, Push)
        case phone(Int, isOnline: Bool, savesPower: Bool)
        case app(Int, AppState)
        case permission(app: Int, Bool)
        case uninstall(app: Int, isNoticed: Bool)
        case reinstall(app: Int)
        case giveUp(app: Int)
        /// So many hours pass, and every app is told.
        case hours(Int64)
        /// So many hours pass while nobody looks, and then the phone changes.
        case hoursUntilPhone(Int64, Int, isOnline: Bool, savesPower: Bool)
    }

    /// What is done to how many phones.
    struct Plan: CustomStringConvertible {
        let phones: Int
        let appsOnEach: Int
        var operations: [Operation] = []

        init(seed: UInt64, length: Int) {
            var random = Generator(seed: seed)
            phones = random.number(1...3)
            appsOnEach = random.number(1...2)
            for _ in 0..<length { operations.append(operation(&random)) }
        }

        var description: String {
            "\(phones) phones, \(appsOnEach) apps on each: " + operations.map { "\($0)" }.joined(separator: "; ")
        }

        /// A sequence as short as leaving out operations can make it, and where it goes wrong.
        var shortest: String {
            var best = self
            best.operations = Array(operations.prefix(Run(self).operations))
            var position = best.operations.count - 1
            while position >= 0 {
                var shorter = best
                shorter.operations.remove(at: position)
                if Run(shorter).difference != nil { best = shorter }
                position -= 1
            }
            return "\(best): \(Run(best).difference ?? "")"
        }

        private func operation(_ random: inout Generator) -> Operation {
            let app = random.number(0...phones * appsOnEach - 1)
            let phone = random.number(0...phones - 1)
            let (isOnline, savesPower) = (random.number(0...2) > 0, random.number(0...2) == 0)
            switch random.number(1...100) {
            case ...45: return .push(app: app, push(&random))
            case ...65: return .phone(phone, isOnline: isOnline, savesPower: savesPower)
            case ...75: return .app(app, random.pick(AppState.allCases))
            case ...81: return .permission(app: app, random.number(0...2) > 0)
            case ...84: return .uninstall(app: app, isNoticed: random.number(0...1) == 0)
            case ...88: return .reinstall(app: app)
            case ...90: return .giveUp(app: app)
            case ...96: return .hours(hours(&random))
            default: return .hoursUntilPhone(hours(&random), phone, isOnline: isOnline, savesPower: savesPower)
            }
        }

        private func push(_ random: inout Generator) -> Push {
            let hour = DeliveryStory.hour
            return Push(
                kind: random.pick([.alert, .alert, .background, .voip]), priority: random.pick(Priority.allCases),
                expiration: random.pick([
                    .absent, .absent, .zero, .offset(-hour), .offset(0), .offset(hour), .offset(5 * hour),
                    .offset(720 * hour), .offset(9_000 * hour),
                ]), collapse: random.pick(["", "", "a", "b"]))
        }

        /// Whole hours, so that the moment of expiry itself comes up often.
        private func hours(_ random: inout Generator) -> Int64 { random.pick([0, 1, 1, 2, 5, 719, 720]) }
    }

    /// A sequence done to both, until they differ.
    struct Run {
        private(set) var operations = 0
        private(set) var difference: String?
        private(set) var seen: Set<DeliveryEvent> = []

        private var apps: [AppDelivery]
        private var model: NaivePhones
        private var happenings: [NaivePhones.Happening] = []
        private var lastSeq: UInt64 = 0

        init(_ plan: Plan) {
            model = NaivePhones(phones: plan.phones, appsOnEach: plan.appsOnEach)
            apps = model.apps.map { _ in AppDelivery() }
            for operation in plan.operations {
                operations += 1
                let touched = perform(operation)
                compare(touched)
                if difference != nil { return }
            }
        }

        private var now: Timestamp { Timestamp(microseconds: DeliveryStory.start.microseconds + model.now) }

        // MARK: Performing

        /// Performs an operation on both; returns the apps that it may touch.
        private mutating func perform(_ operation: Operation) -> [Int] {
            switch operation {
            case .push(let app, let push):
                lastSeq += 1
                let notification = push.notification(seq: lastSeq, at: now)
                model.push(lastSeq, push, to: app)
                update(app) { $0.receive(notification, at: $1, $2) }
            case .phone(let phone, let isOnline, let savesPower): return change(phone, isOnline, savesPower)
            case .app(let app, let state):
                model.change(app: app, to: state)
                tell(app) { $0.appChanged(to: state, $2) }
            case .permission(let app, let isGiven):
                model.apps[app].isAllowed = isGiven
                apps[app].allowsNotifications = isGiven
            case .uninstall(let app, let isNoticed):
                model.uninstall(app: app, isNoticed: isNoticed)
                tell(app) { $0.uninstall(isNoticed: isNoticed, $2) }
            case .reinstall(let app):
                model.apps[app].isInstalled = true
                apps[app].reinstall()
            case .giveUp(let app):
                model.giveUp(app: app, .discardedInactive)
                tell(app) { $0.discardStored(.discardedInactive, $2) }
            case .hours(let hours):
                model.now += hours * DeliveryStory.hour
                return expire()
            case .hoursUntilPhone(let hours, let phone, let isOnline, let savesPower):
                model.now += hours * DeliveryStory.hour
                _ = change(phone, isOnline, savesPower)
                return expire()
            }
            return apps.indices.filter { $0 == operation.app }
        }

        private mutating func change(_ phone: Int, _ isOnline: Bool, _ savesPower: Bool) -> [Int] {
            model.change(phone: phone, isOnline: isOnline, savesPower: savesPower)
            let touched = apps.indices.filter { model.apps[$0].phone == phone }
            for app in touched {
                update(app) { $0.deviceChanged(isOnline: isOnline, savesPower: savesPower, at: $1, $2) }
            }
            return touched
        }

        private mutating func expire() -> [Int] {
            for app in apps.indices {
                model.expire(app: app)
                tell(app) { $0.expire(at: $1, $2) }
            }
            return Array(apps.indices)
        }

        private mutating func update(_ app: Int, _ change: (inout AppDelivery, Timestamp, AppDelivery.Emit) -> Bool) {
            let isGone = change(&apps[app], now) { happenings.append(.init(seq: $0, event: $1)) }
            if isGone { happenings.append(.init(seq: 0, event: nil)) }
        }

        private mutating func tell(_ app: Int, _ change: (inout AppDelivery, Timestamp, AppDelivery.Emit) -> Void) {
            change(&apps[app], now) { happenings.append(.init(seq: $0, event: $1)) }
        }

        // MARK: Comparing

        private mutating func compare(_ touched: [Int]) {
            let (expected, got) = (model.takeHappenings(), happenings)
            happenings = []
            seen.formUnion(got.compactMap(\.event))
            // The order between notifications is for the stories; that of one notification's steps counts here.
            if Self.sorted(expected) != Self.sorted(got) {
                difference = "expected \(Self.text(expected)), got \(Self.text(got))"
            }
            for app in touched where difference == nil {
                let (expected, got) = (state(expected: app), state(of: app))
                if expected != got { difference = "app \(app): expected \(expected), got \(got)" }
            }
        }

        private static func sorted(_ happenings: [NaivePhones.Happening]) -> [NaivePhones.Happening] {
            if happenings.count < 2 { return happenings }
            return happenings.enumerated().sorted { ($0.element.seq, $0.offset) < ($1.element.seq, $1.offset) }.map(
                \.element)
        }

        private static func text(_ happenings: [NaivePhones.Happening]) -> String {
            happenings.map { "\($0.seq) \($0.event.map { "\($0)" } ?? "gone")" }.description
        }

        private func state(expected app: Int) -> State {
            let naive = model.apps[app]
            let phone = model.phones[naive.phone]
            let waiting = naive.waiting.map { naive.pushes[$0] }
            return State(
                waiting: waiting.map(\.seq), until: waiting.compactMap(\.end),
                held: naive.held.map { naive.pushes[$0].seq }, appState: naive.state,
                flags: [phone.isOnline, phone.savesPower, naive.isAllowed, naive.isInstalled])
        }

        private func state(of number: Int) -> State {
            let app = apps[number]
            return State(
                waiting: app.stored.map { [$0] } ?? [],
                until: app.storedUntil.map { [$0 - DeliveryStory.start.microseconds] } ?? [],
                held: app.held.map { [$0] } ?? [], appState: app.appState,
                flags: [app.isOnline, app.savesPower, app.allowsNotifications, app.isInstalled])
        }
    }

    /// What is compared after each operation.
    struct State: Equatable {
        let waiting: [UInt64]
        let until: [Int64]
        let held: [UInt64]
        let appState: AppState
        let flags: [Bool]
    }
}

extension AppDeliveryModelTests.Operation {
    /// The app it is done to, if it is one.
    fileprivate var app: Int? {
        switch self {
        case .push(let app, _), .app(let app, _), .permission(let app, _), .uninstall(let app, _), .reinstall(let app),
            .giveUp(let app):
            app
        case .phone, .hours, .hoursUntilPhone: nil
        }
    }
}

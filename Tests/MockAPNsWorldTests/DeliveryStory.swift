import MockAPNsRules
import Testing

@testable import MockAPNsWorld

/// What happens to an app on a device, step by step, and what is expected of its notifications at each.
struct DeliveryStory: Sendable, CustomTestStringConvertible {
    /// A step, and what it is expected to bring: `1 delivered, 1 held`, empty for nothing.
    typealias Line = (step: Step, expected: String)

    let name: String
    let start: AppDelivery
    let lines: [Line]

    /// A story that begins with this app; unless said otherwise it is in the background of an online device.
    init(_ name: String, from start: AppDelivery = AppDelivery(), _ lines: [Line]) {
        self.name = name
        self.start = start
        self.lines = lines
    }

    var testDescription: String { name }

    /// What each step brought.
    func played() -> [String] {
        var player = Player(app: start)
        return lines.map { player.play($0.step) }
    }

    /// Every story, one list per file.
    static let all: [DeliveryStory] = reaching + storing + expiring + launching + forbidding
}

extension DeliveryStory {
    /// When a story begins.
    static let start = Draft.now
    static let second: Int64 = 1_000_000
    static let hour: Int64 = 3_600 * second
    static let day: Int64 = 24 * hour

    /// What can happen.
    enum Step: Sendable {
        case push(UInt64, Push = Push())
        case online
        case offline
        case savesPower(Bool)
        /// The device goes online and begins or ends to save power at once.
        case onlineSavingPower(Bool)
        case app(AppState)
        case permission(Bool)
        /// So many microseconds have passed since the beginning, and the app is told.
        case clock(Int64)
        /// The same, but the app is not told.
        case clockUntold(Int64)
        case uninstall(isNoticed: Bool)
        case reinstall
        case abandon
        /// Asks what is waiting, and what is held.
        case look
    }

    /// A push, as a provider sends it.
    struct Push: Sendable {
        var kind = Kind.alert
        var priority = Priority.immediate
        var expiration = ExpirationHeader.absent
        var collapse = ""

        static let alert = Push()
        static let voip = Push(kind: .voip)
        /// Documented: background pushes are sent with priority 5.
        static let background = Push(kind: .background, priority: .powerConsidering)
        static let five = Push(priority: .powerConsidering)
        static let one = Push(priority: .powerFirst)

        static func until(_ offset: Int64) -> Push { Push(expiration: .offset(offset)) }
        static func id(_ id: String) -> Push { Push(collapse: id) }

        func with(_ expiration: ExpirationHeader) -> Push {
            var push = self
            push.expiration = expiration
            return push
        }

        func notification(seq: UInt64, at now: Timestamp) -> Notification {
            Notification(
                seq: seq, collapse: collapse.isEmpty ? 0 : UInt64(collapse.utf8.reduce(1) { $0 * 256 + Int($1) }),
                storableUntil: Notification.storableUntil(expiration.parsed, at: now), priority: priority,
                isBackground: kind == .background, needsPermission: kind.type.row.needsPermission)
        }
    }

    /// The push types that differ in what becomes of them.
    enum Kind: CaseIterable, Sendable {
        case alert
        case background
        case voip

        var type: PushType {
            switch self {
            case .alert: .alert
            case .background: .background
            case .voip: .voip
            }
        }
    }

    /// The value of `apns-expiration`.
    enum ExpirationHeader: Hashable, Sendable {
        case absent
        case zero
        /// So many microseconds after the beginning of the story; whole seconds.
        case offset(Int64)
        case seconds(Int64)

        var parsed: Expiration? {
            text.flatMap { text in Array(text.utf8).withUnsafeBufferPointer { Expiration(ByteSpan($0)) } }
        }

        /// The header's value; `nil` for no header.
        var text: String? {
            switch self {
            case .absent: nil
            case .zero: "0"
            case .offset(let offset): "\((start.microseconds + offset) / second)"
            case .seconds(let seconds): "\(seconds)"
            }
        }
    }
}

extension DeliveryStory {
    /// Lets things happen to an app, and says what they bring.
    struct Player {
        var app: AppDelivery
        private(set) var now = start

        init(app: AppDelivery) { self.app = app }

        /// What a step brings: the events in their order, and `gone` when the device reported the app gone.
        mutating func play(_ step: Step) -> String {
            var seen: [String] = []
            let emit: AppDelivery.Emit = { seen.append("\($0) \($1)") }
            var isGone = false
            switch step {
            case .push(let seq, let push): isGone = app.receive(push.notification(seq: seq, at: now), at: now, emit)
            case .online: isGone = change(isOnline: true, emit)
            case .offline: isGone = change(isOnline: false, emit)
            case .savesPower(let saves): isGone = change(savesPower: saves, emit)
            case .onlineSavingPower(let saves): isGone = change(isOnline: true, savesPower: saves, emit)
            case .app(let state): app.appChanged(to: state, emit)
            case .permission(let isGiven): app.allowsNotifications = isGiven
            case .clock(let offset):
                move(to: offset)
                app.expire(at: now, emit)
            case .clockUntold(let offset): move(to: offset)
            case .uninstall(let isNoticed): app.uninstall(isNoticed: isNoticed, emit)
            case .reinstall: app.reinstall()
            case .abandon: app.discardStored(.discardedInactive, emit)
            case .look: seen = look()
            }
            if isGone { seen.append("gone") }
            return seen.joined(separator: ", ")
        }

        private mutating func change(isOnline: Bool? = nil, savesPower: Bool? = nil, _ emit: AppDelivery.Emit) -> Bool {
            app.deviceChanged(
                isOnline: isOnline ?? app.isOnline, savesPower: savesPower ?? app.savesPower, at: now, emit)
        }

        private mutating func move(to offset: Int64) { now = Timestamp(microseconds: start.microseconds + offset) }

        private func look() -> [String] {
            var seen: [String] = []
            if let seq = app.stored, let end = app.storedUntil {
                let hours = Double(end - start.microseconds) / Double(hour)
                seen.append("stored \(seq) for \(hours) h")
            }
            if let seq = app.held { seen.append("held \(seq)") }
            return seen
        }
    }
}

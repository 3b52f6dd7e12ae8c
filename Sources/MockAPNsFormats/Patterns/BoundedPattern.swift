/// A regular expression that always matches in time linear in the text.
///
/// Simulates all states at once (Thompson's algorithm, as in RE2), so that no expression can hang the server. Supports
/// literals, `.`, classes, `\d \w \s` and their opposites, groups, `|`, `* + ?`, `{m,n}`, `^` and `$`. There are no
/// back-references, because they cannot be matched in linear time.
public struct BoundedPattern: Sendable, Equatable {
    /// Why an expression is invalid.
    public struct Failure: Error, Equatable {
        /// The number of valid characters before the error.
        public let offset: Int
        /// What is wrong, for error messages.
        public let message: String
    }

    enum Instruction: Equatable, Sendable {
        case character(CharacterClass)
        /// Continues at two instructions, each given by its distance from this one.
        case split(Int, Int)
        case jump(Int)
        case atStart
        case atEnd
        case match
    }

    /// The maximum length of an expression, in characters.
    public static let longestText = 512
    /// The maximum number of compiled instructions.
    ///
    /// `{m,n}` copies the part it repeats.
    public static let mostInstructions = 2_000

    /// The source text.
    public let text: String
    private let program: [Instruction]

    /// The number of compiled instructions.
    package var instructionCount: Int { program.count }

    /// - Throws: `Failure` if the expression is invalid or too large.
    public init(_ text: String) throws(Failure) {
        var parser = PatternParser(text)
        program = try Self.compile(parser.parse()) + [.match]
        self.text = text
    }

    /// Returns whether any part of a text matches, or `false` if the budget is exceeded.
    ///
    /// A step is one state at one character.
    public func matches(_ text: String, _ budget: StepBudget = StepBudget(.max)) -> Bool {
        var scalars = text.unicodeScalars.makeIterator()
        var next = scalars.next()
        var states = StateSet(program.count)
        var following = StateSet(program.count)
        var isStart = true
        var steps = 0
        while true {
            // A match may begin anywhere.
            add(0, to: &states, isStart: isStart, isEnd: next == nil)
            if states.hasMatch { return true }
            guard let scalar = next else { break }
            next = scalars.next()
            isStart = false
            steps += states.members.count
            if steps > Self.stepsAtOnce {
                guard budget.take(steps) else { return false }
                steps = 0
            }
            following.removeAll()
            for state in states.members {
                guard case .character(let wanted) = program[state], wanted.contains(scalar) else { continue }
                add(state + 1, to: &following, isStart: false, isEnd: next == nil)
            }
            swap(&states, &following)
            if states.hasMatch { return true }
        }
        budget.take(steps)
        return false
    }

    /// The number of steps between budget checks.
    private static let stepsAtOnce = 10_000

    private func add(_ state: Int, to states: inout StateSet, isStart: Bool, isEnd: Bool) {
        states.open.append(state)
        while let state = states.open.popLast() {
            guard states.insert(state) else { continue }
            switch program[state] {
            case .split(let first, let second):
                states.open.append(state + second)
                states.open.append(state + first)
            case .jump(let distance): states.open.append(state + distance)
            case .atStart: if isStart { states.open.append(state + 1) }
            case .atEnd: if isEnd { states.open.append(state + 1) }
            case .match: states.hasMatch = true
            case .character: break
            }
        }
    }

    /// Returns the instructions of a part, with jumps relative to themselves, so that copies need no changes.
    private static func compile(_ node: PatternNode) throws(Failure) -> [Instruction] {
        var program: [Instruction] = []
        switch node {
        case .character(let wanted): program = [.character(wanted)]
        case .atStart: program = [.atStart]
        case .atEnd: program = [.atEnd]
        case .sequence(let nodes): for node in nodes { program += try compile(node) }
        case .choice(let nodes):
            program = try compile(nodes[nodes.count - 1])
            for node in nodes.dropLast().reversed() {
                let branch = try compile(node)
                program = [.split(1, branch.count + 2)] + branch + [.jump(program.count + 1)] + program
            }
        case .repetition(let node, let least, let most):
            let part = try compile(node)
            let optional = most.map { $0 - least } ?? 1
            let length = part.count * least + (part.count + 1) * optional
            guard length <= mostInstructions else { throw tooLong }
            program = Array(repeating: part, count: least).flatMap(\.self)
            if most == nil {
                program += [.split(1, part.count + 2)] + part + [.jump(-part.count - 1)]
            } else {
                for left in (0..<optional).reversed() { program += [.split(1, (left + 1) * (part.count + 1))] + part }
            }
        }
        guard program.count <= mostInstructions else { throw tooLong }
        return program
    }

    private static let tooLong = Failure(offset: 0, message: "the expression repeats too much")

    /// The current set of states.
    private struct StateSet {
        private(set) var members: [Int] = []
        private var isMember: [Bool]
        var hasMatch = false
        /// States still to be entered.
        ///
        /// Kept here to be allocated once.
        var open: [Int] = []

        init(_ count: Int) { isMember = Array(repeating: false, count: count) }

        mutating func insert(_ state: Int) -> Bool {
            guard !isMember[state] else { return false }
            isMember[state] = true
            members.append(state)
            return true
        }

        mutating func removeAll() {
            for state in members { isMember[state] = false }
            members.removeAll(keepingCapacity: true)
            hasMatch = false
        }
    }
}

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

    /// - Throws: `Failure` if the expression is invalid or too large.
    public init(_ text: String) throws(Failure) {
        var parser = PatternParser(text)
        let node = try parser.parse()
        var program: [Instruction] = []
        try Self.compile(node, into: &program)
        program.append(.match)
        self.text = text
        self.program = program
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
                states.open.append(second)
                states.open.append(first)
            case .jump(let target): states.open.append(target)
            case .atStart: if isStart { states.open.append(state + 1) }
            case .atEnd: if isEnd { states.open.append(state + 1) }
            case .match: states.hasMatch = true
            case .character: break
            }
        }
    }

    private static func compile(
        _ node: PatternNode,
        into program: inout [Instruction]
    ) throws(Failure) {
        guard program.count < mostInstructions else {
            throw Failure(offset: 0, message: "the expression repeats too much")
        }
        switch node {
        case .character(let wanted): program.append(.character(wanted))
        case .atStart: program.append(.atStart)
        case .atEnd: program.append(.atEnd)
        case .sequence(let nodes): for node in nodes { try compile(node, into: &program) }
        case .choice(let nodes):
            var jumps: [Int] = []
            for (position, node) in nodes.enumerated() {
                let isLast = position == nodes.count - 1
                let split = program.count
                if !isLast { program.append(.split(split + 1, 0)) }
                try compile(node, into: &program)
                guard !isLast else { break }
                jumps.append(program.count)
                program.append(.jump(0))
                program[split] = .split(split + 1, program.count)
            }
            for jump in jumps { program[jump] = .jump(program.count) }
        case .repetition(let node, let least, let most):
            for _ in 0..<least {
                let start = program.count
                try compile(node, into: &program)
                // Repeating an empty group takes time but never reaches the instruction limit.
                if program.count == start { break }
            }
            guard let most else {
                let split = program.count
                program.append(.split(split + 1, 0))
                try compile(node, into: &program)
                program.append(.jump(split))
                program[split] = .split(split + 1, program.count)
                return
            }
            var splits: [Int] = []
            for _ in least..<max(least, most) {
                splits.append(program.count)
                program.append(.split(program.count + 1, 0))
                try compile(node, into: &program)
            }
            for split in splits { program[split] = .split(split + 1, program.count) }
        }
    }

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

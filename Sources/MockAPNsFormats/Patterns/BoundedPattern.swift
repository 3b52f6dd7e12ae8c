/// A regular expression whose matching takes time in proportion to the text, whatever the expression.
///
/// A simulation of all states at once, as RE2 and Thompson do it: nothing is tried twice, so nobody can write an
/// expression that hangs the server. Knows literals, `.`, classes, `\d \w \s` and their opposites, groups, `|`, `* + ?`,
/// `{m,n}`, `^` and `$`; no back-references, for which no such bound exists.
package struct BoundedPattern: Sendable, Equatable {
    /// Why a text is no expression.
    package struct Failure: Error, Equatable {
        /// How many characters are right.
        package let offset: Int
        package let message: String
    }

    enum Instruction: Equatable, Sendable {
        case character(CharacterClass)
        case split(Int, Int)
        case jump(Int)
        case atStart
        case atEnd
        case match
    }

    /// The longest expression, in characters.
    package static let longestText = 512
    /// The most instructions that an expression may become; `{m,n}` copies what it repeats.
    package static let mostInstructions = 2_000

    /// The expression as it was written.
    package let text: String
    private let program: [Instruction]

    /// - Throws: `Failure` for what is no expression, or too large a one.
    package init(_ text: String) throws(Failure) {
        var parser = PatternParser(text)
        let node = try parser.parse()
        var program: [Instruction] = []
        try Self.compile(node, into: &program)
        program.append(.match)
        self.text = text
        self.program = program
    }

    /// Whether the expression fits some part of a text; `false` when that takes more steps than the budget has.
    ///
    /// A step is one state at one character.
    package func matches(_ text: String, _ budget: StepBudget = StepBudget(.max)) -> Bool {
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

    /// Steps between two looks at the budget.
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
                // Repetitions of an empty group would take time, and never reach the bound on instructions.
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

    /// States that the simulation is in, each once.
    private struct StateSet {
        private(set) var members: [Int] = []
        private var isMember: [Bool]
        package var hasMatch = false
        /// States that are still to be entered; kept here so that it is allocated once.
        package var open: [Int] = []

        package init(_ count: Int) { isMember = Array(repeating: false, count: count) }

        package mutating func insert(_ state: Int) -> Bool {
            guard !isMember[state] else { return false }
            isMember[state] = true
            members.append(state)
            return true
        }

        package mutating func removeAll() {
            for state in members { isMember[state] = false }
            members.removeAll(keepingCapacity: true)
            hasMatch = false
        }
    }
}

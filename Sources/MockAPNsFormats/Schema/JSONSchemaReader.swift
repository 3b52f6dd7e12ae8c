/// Reads a document as schemas, and collects its problems.
struct JSONSchemaReader {
    private static let mostComplaints = 10

    private(set) var parts: [JSONSchemaPart] = []
    private(set) var complaints: [Complaint] = []
    /// The positions of the schemas by their pointers.
    private var places: [String: Int] = [:]
    private var references: [(part: Int, target: String, pointer: String)] = []
    private var instructions = 0

    mutating func read(_ document: JSONValue) {
        _ = schema(document, at: "")
        for (part, target, pointer) in references {
            guard let place = Self.place(of: target) else {
                complain("is '\(JSONValue.shortened(target))'; expected \(form(.reference))", at: pointer)
                continue
            }
            guard let found = places[place] else {
                let known = places.keys.map { "#" + $0 }.sorted()
                let message = "is '\(JSONValue.shortened(target))', where the document has no schema"
                complain(message, at: pointer, suggestion: Suggestion.nearest(to: target, among: known))
                continue
            }
            parts[part].reference = found
        }
        guard complaints.isEmpty else { return }
        refuseCircles()
    }

    /// Returns the pointer in a reference; `nil` if it refers to another document.
    private static func place(of reference: String) -> String? {
        guard reference.hasPrefix("#"), let pointer = PercentEncoding.decode(reference.dropFirst()) else { return nil }
        return JSONPointer(pointer)?.description
    }

    /// Reads a schema and returns its position.
    private mutating func schema(_ value: JSONValue, at pointer: String) -> Int {
        let position = parts.count
        guard position < JSONSchema.mostParts else {
            if position == JSONSchema.mostParts {
                parts.append(JSONSchemaPart())
                complain("is one schema too many; expected \(JSONSchema.mostParts) at most", at: pointer)
            }
            return 0
        }
        places[pointer] = position
        parts.append(JSONSchemaPart())
        switch value {
        case .bool(let allows): parts[position].isNever = !allows
        case .object(let members):
            // Sorted, so that the same mistakes always get the same response.
            for (name, member) in members.sortedByName {
                let place = pointer + "/" + JSONPointer.escaped(name)
                guard let keyword = JSONSchemaKeyword(rawValue: name) else {
                    let known = JSONSchemaKeyword.allCases.map(\.rawValue)
                    let nearest = Suggestion.nearest(to: name, among: known)
                    // A suggestion makes the list superfluous.
                    let list = nearest == nil ? "; there are: \(known.joined(separator: ", "))" : ""
                    complain("is not a keyword that this server checks\(list)", at: place, suggestion: nearest)
                    continue
                }
                read(keyword, member, at: place, of: position)
            }
        default: complain("is \(value.words); expected a schema: an object, true or false", at: pointer)
        }
        return position
    }

    private mutating func read(_ keyword: JSONSchemaKeyword, _ value: JSONValue, at place: String, of part: Int) {
        switch keyword {
        case .type: parts[part].kinds = kinds(value, at: place)
        case .enum:
            guard case .array(let values) = value, !values.isEmpty else { return refuse(keyword, value, at: place) }
            parts[part].allowed = values
            parts[part].weight += value.extent
        case .const:
            parts[part].constant = value
            parts[part].weight += value.extent
        case .anyOf:
            guard case .array(let values) = value, !values.isEmpty else { return refuse(keyword, value, at: place) }
            let found = values.enumerated().map { schema($1, at: "\(place)/\($0)") }
            parts[part].alternatives = found
        case .reference:
            guard case .string(let target) = value else { return refuse(keyword, value, at: place) }
            references.append((part, target, place))
        case .properties: parts[part].properties = schemas(keyword, value, at: place)
        case .definitions: _ = schemas(keyword, value, at: place)
        case .required:
            let names = value.entries.compactMap(\.string)
            guard case .array(let values) = value, names.count == values.count, Set(names).count == names.count else {
                return refuse(keyword, value, at: place)
            }
            parts[part].required = names
            parts[part].weight += names.count
        case .additionalProperties: parts[part].others = schema(value, at: place)
        case .items: parts[part].items = schema(value, at: place)
        case .minItems: parts[part].itemCount.least = count(keyword, value, at: place)
        case .maxItems: parts[part].itemCount.most = count(keyword, value, at: place)
        case .minLength: parts[part].length.least = count(keyword, value, at: place)
        case .maxLength: parts[part].length.most = count(keyword, value, at: place)
        case .pattern: parts[part].pattern = pattern(value, at: place)
        case .format:
            let known = JSONTextFormat.allCases.map(\.rawValue)
            guard let format = value.string.flatMap({ JSONTextFormat(rawValue: $0) }) else {
                let meant = value.string.flatMap { Suggestion.nearest(to: $0, among: known) }
                return complain("is \(value.words); expected \(form(keyword))", at: place, suggestion: meant)
            }
            parts[part].format = format
        case .minimum: parts[part].minimum = number(keyword, value, at: place, of: part)
        case .maximum: parts[part].maximum = number(keyword, value, at: place, of: part)
        case .exclusiveMinimum: parts[part].above = number(keyword, value, at: place, of: part)
        case .exclusiveMaximum: parts[part].below = number(keyword, value, at: place, of: part)
        case .multipleOf:
            let number = number(keyword, value, at: place, of: part)
            if let number, !number.isDivisor { return refuse(keyword, value, at: place) }
            parts[part].divisor = number
        case .title:
            if value.string == nil { refuse(keyword, value, at: place) }
            parts[part].title = value.string.map { JSONValue.shortened($0) }
        case .identifier where part != 0:
            complain(
                "is inside the document; expected $id at its root only, because it changes what $ref means", at: place)
        case .dialect, .identifier, .comment, .description: if value.string == nil { refuse(keyword, value, at: place) }
        case .examples: if case .array = value {} else { refuse(keyword, value, at: place) }
        case .default: break
        }
    }

    // MARK: Values of keywords

    private mutating func kinds(_ value: JSONValue, at place: String) -> Set<JSONKind>? {
        let names: [JSONValue] = if case .array(let values) = value { values } else { [value] }
        var kinds: Set<JSONKind> = []
        for name in names {
            guard let kind = name.string.flatMap({ JSONKind(rawValue: $0) }), kinds.insert(kind).inserted else {
                let known = JSONKind.allCases.map(\.rawValue)
                let meant = name.string.flatMap { Suggestion.nearest(to: $0, among: known) }
                let expected = "each of these at most once: \(known.joined(separator: ", "))"
                complain("has \(name.words); expected \(expected)", at: place, suggestion: meant)
                return nil
            }
        }
        if names.isEmpty { refuse(.type, value, at: place) }
        return kinds
    }

    private mutating func schemas(_ keyword: JSONSchemaKeyword, _ value: JSONValue, at place: String) -> [String: Int] {
        guard case .object(let members) = value else {
            refuse(keyword, value, at: place)
            return [:]
        }
        var found: [String: Int] = [:]
        for (name, member) in members.sortedByName {
            found[name] = schema(member, at: place + "/" + JSONPointer.escaped(name))
        }
        return found
    }

    private mutating func count(_ keyword: JSONSchemaKeyword, _ value: JSONValue, at place: String) -> Int? {
        guard let number = value.wholeNumber, number >= 0 else {
            refuse(keyword, value, at: place)
            return nil
        }
        return Int(number)
    }

    private mutating func number(
        _ keyword: JSONSchemaKeyword, _ value: JSONValue, at place: String, of part: Int
    ) -> DecimalNumber? {
        guard let number = DecimalNumber(value) else {
            refuse(keyword, value, at: place)
            return nil
        }
        parts[part].written[keyword] = JSONValue.shortened(String(decoding: value.text, as: UTF8.self))
        return number
    }

    private mutating func pattern(_ value: JSONValue, at place: String) -> BoundedPattern? {
        guard case .string(let text) = value else {
            refuse(.pattern, value, at: place)
            return nil
        }
        do throws(BoundedPattern.Failure) {
            let pattern = try BoundedPattern(text)
            instructions += pattern.instructionCount
            guard instructions <= JSONSchema.mostInstructions else {
                complain("makes all regular expressions together too large; expected fewer or shorter ones", at: place)
                return nil
            }
            return pattern
        } catch {
            complain(
                "is not a regular expression that this server checks: at character \(error.offset + 1),"
                    + " \(error.message)", at: place)
            return nil
        }
    }

    // MARK: References

    /// Refuses references that come back to the same schema without a step into the value: their check would not end.
    private mutating func refuseCircles() {
        var states = [Bool?](repeating: nil, count: parts.count)
        for start in parts.indices where states[start] == nil {
            var open: [(part: Int, next: Int)] = [(start, 0)]
            states[start] = false
            while let (part, next) = open.last {
                let targets = parts[part].inPlace
                guard next < targets.count else {
                    states[part] = true
                    open.removeLast()
                    continue
                }
                open[open.count - 1].next += 1
                switch states[targets[next]] {
                case true?: break
                case false?:
                    let pointer = references.first { $0.part == part }?.pointer ?? ""
                    return complain("leads back to itself; expected a step into the value on the way", at: pointer)
                case nil:
                    states[targets[next]] = false
                    open.append((targets[next], 0))
                }
            }
        }
    }

    // MARK: Problems

    private func form(_ keyword: JSONSchemaKeyword) -> String { keyword.row.form }

    private mutating func refuse(_ keyword: JSONSchemaKeyword, _ value: JSONValue, at place: String) {
        complain("is \(value.words); expected \(form(keyword))", at: place)
    }

    private mutating func complain(_ message: String, at pointer: String, suggestion: String? = nil) {
        guard complaints.count < Self.mostComplaints else { return }
        complaints.append(Complaint(path: pointer, message: message, suggestion: suggestion))
    }
}

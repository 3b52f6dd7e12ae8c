internal import FoundationEssentials

/// Any JSON value: what a file says, and what options add to it.
indirect enum JSONDocument: Codable, Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONDocument])
    case object([String: JSONDocument])

    /// Reads a document; `nil` for what is none.
    init?(_ bytes: [UInt8]) {
        guard let document = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
        self = document
    }

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let integer = try? value.decode(Int64.self) {
            self = .integer(integer)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let array = try? value.decode([JSONDocument].self) {
            self = .array(array)
        } else {
            self = .object(try value.decode([String: JSONDocument].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        switch self {
        case .null: try value.encodeNil()
        case .bool(let bool): try value.encode(bool)
        case .integer(let integer): try value.encode(integer)
        case .number(let number): try value.encode(number)
        case .string(let text): try value.encode(text)
        case .array(let array): try value.encode(array)
        case .object(let members): try value.encode(members)
        }
    }
}

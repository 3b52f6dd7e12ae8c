package import MockAPNsFormats

/// The text of a key in one language, with its forms for numbers and devices.
public struct LocalizedText: Equatable, Sendable {
    /// The text, or its forms.
    package let form: TextForm
    /// What replaces `%#@name@` in the text, by name.
    package let substitutions: [String: TextSubstitution]

    /// Creates a text with a single form.
    public init(_ text: String) { self.init(.text(text)) }

    package init(_ form: TextForm, substitutions: [String: TextSubstitution] = [:]) {
        (self.form, self.substitutions) = (form, substitutions)
    }

    /// The text, in its most general form.
    public var text: String { form.text }

    /// Whether the text has a single form.
    public var isPlain: Bool { if case .text = form { substitutions.isEmpty } else { false } }

    /// The size in bytes, counting 64 for each form besides the first, which is a dictionary's overhead.
    var size: Int {
        substitutions.reduce(form.size) {
            $0 + $1.key.utf8.count + $1.value.specifier.utf8.count + $1.value.form.size + 64
        }
    }
}

/// A text, or its forms.
package indirect enum TextForm: Equatable, Sendable {
    case text(String)
    case plural([PluralCategory: TextForm])
    case device([DeviceFamily: TextForm])

    /// The text of the form that is used without a better one.
    package var text: String {
        switch self {
        case .text(let text): text
        case .plural(let forms): (forms[.other] ?? forms.min { $0.key < $1.key }?.value)?.text ?? ""
        case .device(let forms): (forms[.other] ?? forms.min { $0.key < $1.key }?.value)?.text ?? ""
        }
    }

    fileprivate var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .plural(let forms): forms.values.reduce(0) { $0 + $1.size + 64 }
        case .device(let forms): forms.values.reduce(0) { $0 + $1.size + 64 }
        }
    }
}

/// What a part of a text is replaced by, depending on an argument.
package struct TextSubstitution: Equatable, Sendable {
    /// The number of the argument, starting at 1; `nil` for the next one.
    package let argument: Int?
    /// How the number is written, such as `lld`.
    package let specifier: String
    package let form: TextForm

    package init(argument: Int? = nil, specifier: String = "lld", form: TextForm) {
        (self.argument, self.specifier, self.form) = (argument, specifier, form)
    }
}

extension LocalizedText: ExpressibleByStringLiteral {
    /// Creates a text with a single form.
    public init(stringLiteral value: String) { self.init(value) }
}

// MARK: Archives

extension LocalizedText: MemberwiseArchived {
    package static let format = ArchiveFormat(LocalizedText.init(_:substitutions:), \.form, \.substitutions)
}

extension TextSubstitution: MemberwiseArchived {
    package static let format = ArchiveFormat(
        TextSubstitution.init(argument:specifier:form:), \.argument, \.specifier, \.form)
}

extension TextForm: Archived {
    /// The most levels: a text within a form within a form.
    package static let deepest = 4

    package func write(to archive: inout ArchiveWriter) {
        switch self {
        case .text(let text):
            archive.write(byte: 0)
            archive.write(text)
        case .plural(let forms):
            archive.write(byte: 1)
            archive.write(forms)
        case .device(let forms):
            archive.write(byte: 2)
            archive.write(forms)
        }
    }

    package init(from archive: inout ArchiveReader) throws(ArchiveError) {
        switch try archive.byte() {
        case 0: self = .text(try archive.read())
        case 1: self = .plural(try archive.read())
        case 2: self = .device(try archive.read())
        default: throw .badValue
        }
    }
}

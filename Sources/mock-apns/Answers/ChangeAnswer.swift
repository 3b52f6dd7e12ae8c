/// What can be changed, and stands under a name of its own in the answer.
protocol ChangeableAnswer: Decodable {
    /// The name.
    static var member: String { get }
}

/// What became of a change, as the API shows it.
struct ChangeAnswer<Subject: ChangeableAnswer>: Decodable {
    let subject: Subject
    let report: DeliveryAnswer

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        subject = try members.decode(Subject.self, forKey: Name(stringValue: Subject.member))
        report = try DeliveryAnswer(from: decoder)
    }
}

extension DeviceAnswer: ChangeableAnswer {
    static let member = "device"
}

extension RegistrationAnswer: ChangeableAnswer {
    static let member = "registration"
}

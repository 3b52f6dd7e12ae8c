internal import MockAPNsAPI
internal import MockAPNsFormats

/// What the API says of `/api/v1/events`.
enum EventOperations {
    static let table = OperationTable(
        name: "events",
        description: "What happens, as it happens.",
        operations: [
            Operation(
                "GET",
                "/api/v1/events",
                "Follow what happens",
                description:
                    "Server-Sent Events; the data of each is the object that the rest of the API shows,"
                    + " as it is when the event is sent. Last-Event-ID, or after=, continues behind a number;"
                    + " without, the stream begins with what happens next. gap tells of numbers of which events"
                    + " are not kept any more, or were more than maxRate allows.",
                parameters: [
                    Operation.Parameter(
                        "types",
                        Schema.text("^[a-z*.,-]+$").example("push.*,device.*"),
                        "Kinds of events, with commas between: "
                            + EventType.patterns.joined(separator: ", ") + ".",
                        isRepeatable: true
                    ),
                    Operation.Parameter(
                        "q",
                        .text(atLeast: 1),
                        "Only pushes that a search finds; of other events it says nothing.",
                        isRepeatable: true
                    ),
                    Operation.Parameter("after", .count, "Begin behind this number; 0 for everything kept."),
                    Operation.Parameter(
                        "fields",
                        .words(["summary", "full"]),
                        "How much to say of a push: as in a list, all of it by default."
                    ),
                    Operation.Parameter(
                        "maxRate",
                        Schema.integer(1...1_000),
                        "How many events to tell in a second at most; gap tells of those that are left out."
                    ),
                ],
                answers: [.other(APIResponse.events, "The events, and closed at the end.")],
                problems: [.tooManyStreams],
                exampleQuery: "?types=push.*&after=0"
            )
        ],
        schemas: [:]
    )
}

internal import MockAPNsDrift
internal import MockAPNsFormats

extension DriftReport {
    /// The differences, then the cases that agree if they are wanted, then a summary.
    func table(withAgreeing: Bool) -> String {
        let agreeing = outcomes.filter(\.differences.isEmpty)
        let list = Table.text([.fixed("agrees"), .wrapped("answer")], of: agreeing) { [$0.id, $0.service.text] }
        let parts = differing.map(Self.entry) + (withAgreeing && !agreeing.isEmpty ? [list] : []) + [summary]
        return parts.joined(separator: "\n\n")
    }

    private static func entry(_ outcome: Outcome) -> String {
        let terminal = Terminal.output
        let lines: [(name: String, value: (any CellText)?)] = [
            ("  service", outcome.service.text.styled(.caution)), ("  mock", outcome.mock.text),
            ("  differs", outcome.differences.joined(separator: ", ")),
            ("  row", outcome.row.map { "docs/differences.md, \($0)" }),
            ("  serve", outcome.options.isEmpty ? nil : outcome.options.joined(separator: " or ").styled(.good)),
        ]
        return terminal.paragraph("\(outcome.id): \(outcome.decides)".styled(.heading), hanging: 2) + "\n"
            + Table.sheet(lines)
    }

    private var summary: String {
        let terminal = Terminal.output
        let (count, differs) = (outcomes.count, differing.count)
        let head = "\(counted(count, "case", "cases")) compared, \(count - differs) agree, \(differs) differ"
        let style: Style = agrees ? .good : .bad
        let hint = options.isEmpty ? nil : "mock-apns serve \(options.joined(separator: " "))"
        return [
            terminal.styled(head + (stopped == nil ? "" : "; stopped before the end"), style),
            hint.map { terminal.paragraph("answers like the service: \($0)", hanging: 2) },
        ].given(joinedBy: "\n") ?? ""
    }
}

extension DriftComparison {
    /// Every request that would be sent, by its case.
    var requestList: String {
        let terminal = Terminal.output
        var number = 0
        let lines = cases.filter { $0.probe == nil }.map { item in
            number += 1
            let start = "\(number)  \(item.id): \(item.decides)".styled(.heading)
            let rest = requests(of: item).map { terminal.paragraph($0, indent: 4, hanging: 2) }
            return ([terminal.paragraph(start, hanging: 4)] + rest).joined(separator: "\n")
        }
        let count = counted(requestCount, "request", "requests")
        return (lines + ["\(count), none sent"]).joined(separator: "\n")
    }
}

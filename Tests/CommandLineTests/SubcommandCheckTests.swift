import Testing

@testable import mock_apns

/// Misspelt subcommands.
@Suite struct SubcommandCheckTests {
    @Test(arguments: [
        (["serv"], "unknown command 'mock-apns serv'; did you mean 'mock-apns serve'?"),
        (["device"], "did you mean 'mock-apns devices'?"), (["device", "list"], "did you mean 'mock-apns devices'?"),
        (["clok"], "did you mean 'mock-apns clock'?"),
        (["rest", "--only", "pushes"], "did you mean 'mock-apns reset'?"),
        (["devices", "lst"], "unknown command 'mock-apns devices lst'; did you mean 'mock-apns devices list'?"),
        (["devices", "unistall", "alice"], "did you mean 'mock-apns devices uninstall'?"),
        (["clock", "advnce", "1h"], "did you mean 'mock-apns clock advance'?"),
        (
            ["feedback", "quite-another"],
            "unknown command 'mock-apns feedback quite-another'; expected one of list, clear"
        ), (["devices", "help"], "unknown command 'mock-apns devices help'; "),
    ]) func `suggests a subcommand for a misspelt one`(_ arguments: [String], _ words: String) {
        let error = #expect(throws: CommandFailure.self) {
            try CommandPath(arguments, of: MockAPNsCommand.self).check(of: MockAPNsCommand.self)
        }
        #expect(error?.status == .usage)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        [], ["serve"], ["--strict"], ["--certs-dir", "serv"], ["devices"], ["devices", "--help"], ["clock"],
        ["clock", "advance", "1h"], ["devices", "show", "lst"], ["help", "serv"], ["feedback", "--since", "x"],
        ["devices", "list", "extra"],
    ]) func `leaves other arguments to the parser`(_ arguments: [String]) throws {
        try CommandPath(arguments, of: MockAPNsCommand.self).check(of: MockAPNsCommand.self)
    }

    @Test(arguments: [
        (["pushes", "lst"], "\n  usage: mock-apns pushes <subcommand>"),
        (["serv"], "\n  usage: mock-apns <subcommand>"),
    ]) func `shows how the parent of a misspelt subcommand is used`(_ arguments: [String], _ usage: String) {
        let error = #expect(throws: CommandFailure.self) {
            try CommandPath(arguments, of: MockAPNsCommand.self).check(of: MockAPNsCommand.self)
        }
        #expect(error?.message.hasSuffix(usage) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ([], "mock-apns serve"), (["--strict"], "mock-apns serve"),
        (["pushes", "--limit", "x"], "mock-apns pushes list"), (["devices"], "mock-apns devices"),
        (["devices", "show", "lst"], "mock-apns devices show"),
    ]) func `finds the command that arguments select`(_ arguments: [String], _ text: String) {
        #expect(CommandPath(arguments, of: MockAPNsCommand.self).text == text)
    }
}

import ArgumentParser
import Testing

@testable import mock_apns

/// Misspelt subcommands.
@Suite struct CommandWordsTests {
    @Test(arguments: [
        (["serv"], "There is no command 'mock-apns serv'. Did you mean 'mock-apns serve'?"),
        (["device"], "Did you mean 'mock-apns devices'?"),
        (["device", "list"], "Did you mean 'mock-apns devices'?"),
        (["clok"], "Did you mean 'mock-apns clock'?"),
        (["rest", "--only", "pushes"], "Did you mean 'mock-apns reset'?"),
        (
            ["devices", "lst"],
            "There is no command 'mock-apns devices lst'. Did you mean 'mock-apns devices list'?"
        ),
        (["devices", "unistall", "alice"], "Did you mean 'mock-apns devices uninstall'?"),
        (["clock", "advnce", "1h"], "Did you mean 'mock-apns clock advance'?"),
        (
            ["feedback", "quite-another"],
            "There is no command 'mock-apns feedback quite-another'. There are: list, clear."
        ),
        (["devices", "help"], "There is no command 'mock-apns devices help'."),
    ])
    func misspelt(_ arguments: [String], _ words: String) {
        let error = #expect(throws: ValidationError.self) {
            try CommandWords.check(arguments, of: MockAPNsCommand.self)
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        [], ["serve"], ["--strict"], ["--certs-dir", "serv"], ["devices"], ["devices", "--help"], ["clock"],
        ["clock", "advance", "1h"], ["devices", "show", "lst"], ["help", "serv"],
        ["feedback", "--since", "x"],
        ["devices", "list", "extra"],
    ])
    func leftToTheParser(_ arguments: [String]) throws {
        try CommandWords.check(arguments, of: MockAPNsCommand.self)
    }
}

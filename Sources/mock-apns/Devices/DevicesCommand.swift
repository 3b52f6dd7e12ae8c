internal import ArgumentParser

/// `mock-apns devices`: the simulated phones of a running server.
struct DevicesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract: "Simulated phones: make, change and watch them.",
        discussion: """
            A device is online or offline and has apps; each app has a device token for one topic. \
            Devices are named @label, by any of their tokens, or dev_...; a bare label will do.

            Example:
              mock-apns devices add --label alice --topic com.example.app
              mock-apns devices offline alice
              mock-apns devices stored alice
            """,
        subcommands: [
            DevicesListCommand.self, DevicesShowCommand.self, DevicesAddCommand.self,
            DevicesOnlineCommand.self,
            DevicesOfflineCommand.self, DevicesUninstallCommand.self, DevicesRotateCommand.self,
            DevicesAppCommand.self, DevicesInboxCommand.self, DevicesStoredCommand.self,
            DevicesConnectCommand.self, DevicesForgetCommand.self,
        ]
    )

    /// What to do where there are no devices.
    static let advice = "mock-apns devices add --label alice --topic com.example.app"
}

/// Whether a device can be reached, on the command line.
enum DeviceStateArgument: String, ExpressibleByArgument, CaseIterable {
    case online
    case offline
}

/// An environment of the service, on the command line.
enum EnvironmentArgument: String, ExpressibleByArgument, CaseIterable {
    case sandbox
    case production
}

/// What an app is doing, on the command line.
enum AppStateArgument: String, ExpressibleByArgument, CaseIterable {
    case foreground
    case background
    case terminated
    case forceQuit
}

/// A switch with two words, on the command line.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
}

internal import ArgumentParser

struct DevicesCommand: AsyncParsableCommand {
    static let configuration = command(
        "Simulated devices: create, change and watch them.",
        discussion: """
            A device is online or offline and has apps; each app has a device token for one topic. \
            A device is named by @label, by any of its tokens, or by dev_...; the label alone works too.
            """,
        examples: "mock-apns devices add --label alice --topic com.example.app",
        "mock-apns devices offline alice",
        "mock-apns devices stored alice",
        subcommands: [
            DevicesListCommand.self, DevicesShowCommand.self, DevicesAddCommand.self,
            DevicesOnlineCommand.self, DevicesOfflineCommand.self, DevicesUninstallCommand.self,
            DevicesRotateCommand.self, DevicesAppCommand.self, DevicesInboxCommand.self,
            DevicesStoredCommand.self, DevicesConnectCommand.self, DevicesForgetCommand.self,
        ]
    )
}

/// The state of a device, on the command line.
enum DeviceStateArgument: String, ExpressibleByArgument, CaseIterable {
    case online
    case offline
}

/// An environment of the service, on the command line.
enum EnvironmentArgument: String, ExpressibleByArgument, CaseIterable {
    case sandbox
    case production
}

/// The state of an app, on the command line.
enum AppStateArgument: String, ExpressibleByArgument, CaseIterable {
    case foreground
    case background
    case terminated
    case forceQuit
}

/// A switch, on the command line.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
}

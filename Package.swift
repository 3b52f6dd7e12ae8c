// swift-tools-version:6.2
import PackageDescription

/// What every target of this package is compiled with; a warning is an error here and in CI alike.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .treatAllWarnings(as: .error),
]

/// Tests import the internals of what they test, so imports stay visible by default there.
let testSettings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "mock-apns",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "MockAPNsRules", targets: ["MockAPNsRules"])
    ],
    dependencies: [],
    targets: [
        .target(name: "MockAPNsRules", swiftSettings: settings),
        .testTarget(name: "MockAPNsRulesTests", dependencies: ["MockAPNsRules"], swiftSettings: testSettings),
    ],
    swiftLanguageModes: [.v6]
)

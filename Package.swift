// swift-tools-version:6.2
import PackageDescription

/// What every target of this package is compiled with; a warning is an error here and in CI alike.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"), .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
]

/// Tests import the internals of what they test, so imports stay visible by default there.
let testSettings: [SwiftSetting] = [.enableUpcomingFeature("ExistentialAny"), .treatAllWarnings(as: .error)]

let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioConcurrency = Target.Dependency.product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")
let nioHTTP1 = Target.Dependency.product(name: "NIOHTTP1", package: "swift-nio")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let hashTree = Target.Dependency.product(name: "HashTreeCollections", package: "swift-collections")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")

/// The entry points of the fuzzer: `make fuzz` runs them in libFuzzer, and the tests replay its corpus through them.
let fuzzDependencies: [Target.Dependency] = [
    "MockAPNs", "MockAPNsAPI", "MockAPNsCrypto", "MockAPNsFormats", "MockAPNsInspector", "MockAPNsPreview",
    "MockAPNsQuery", "MockAPNsRules", "MockAPNsTransport", "MockAPNsWorld", nioCore, nioPosix,
]
let fuzz: Target =
    Context.environment["MOCK_APNS_FUZZ"] == nil
    ? .testTarget(
        name: "FuzzTests", dependencies: fuzzDependencies, path: "Fuzz", exclude: ["Corpus", "Dictionaries", "Runner"],
        swiftSettings: testSettings)
    : .executableTarget(
        name: "mock-apns-fuzz", dependencies: fuzzDependencies, path: "Fuzz",
        exclude: ["Corpus", "Dictionaries", "Tests"], swiftSettings: testSettings)

/// The plugin that builds the documentation of the libraries: only for `make docs`, so that users do not download it.
let docs: [Package.Dependency] =
    Context.environment["MOCK_APNS_DOCS"] == nil
    ? [] : [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.5.0")]

let package = Package(
    name: "mock-apns", platforms: [.macOS(.v15)],
    products: [
        .executable(name: "mock-apns", targets: ["mock-apns"]),
        // With the targets whose types its interface has.
        .library(name: "MockAPNs", targets: ["MockAPNs", "MockAPNsRules", "MockAPNsTransport", "MockAPNsWorld"]),
        // For test targets: it links the testing libraries.
        .library(name: "MockAPNsTesting", targets: ["MockAPNsTesting"]),
    ],
    // What `serve --data` can keep worlds in; `swift build --disable-default-traits` leaves both out.
    traits: [
        .trait(name: "SQLite", description: "Worlds in a directory."),
        .trait(name: "Postgres", description: "Worlds in a database that servers share."),
        .default(enabledTraits: ["SQLite", "Postgres"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.1.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    ] + docs,
    targets: [
        // C libraries
        .systemLibrary(
            name: "CMockAPNsNghttp2", pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]),
        .systemLibrary(
            name: "CMockAPNsOpenSSL", pkgConfig: "libssl", providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(
            name: "CMockAPNsSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        // libpq, which is loaded when a database is used.
        .target(name: "CMockAPNsPostgres"), .target(name: "CMockAPNsBytes"),
        // The system calls of a command, answered; Linux only.
        .target(name: "CMockAPNsIntercept"),
        .target(name: "CMockAPNsShims", dependencies: ["CMockAPNsNghttp2", "CMockAPNsOpenSSL"]),

        // The inspector's page, embedded.
        .target(name: "CMockAPNsPage", exclude: ["differences.html", "joined", "web"]),

        // The house, bottom to top
        .target(name: "MockAPNsFormats", swiftSettings: settings),
        .target(name: "MockAPNsRules", dependencies: ["CMockAPNsBytes", "MockAPNsFormats"], swiftSettings: settings),
        .target(
            name: "MockAPNsCrypto", dependencies: ["CMockAPNsOpenSSL", "CMockAPNsShims", "MockAPNsFormats"],
            swiftSettings: settings),
        .target(
            name: "MockAPNsTransport",
            dependencies: [
                "MockAPNsFormats", "MockAPNsRules", "CMockAPNsBytes", "CMockAPNsNghttp2", "CMockAPNsOpenSSL",
                "CMockAPNsShims", nioConcurrency, nioCore, nioPosix,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsUpstream",
            dependencies: [
                "MockAPNsFormats", "MockAPNsRules", "MockAPNsTransport", "CMockAPNsNghttp2", nioConcurrency, nioCore,
                nioPosix,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsWorld", dependencies: ["MockAPNsFormats", "MockAPNsRules", deque, heap],
            swiftSettings: settings),
        .target(
            name: "MockAPNsLog", dependencies: ["MockAPNsFormats", "MockAPNsRules", "MockAPNsWorld", nioConcurrency],
            swiftSettings: settings),
        .target(
            name: "MockAPNsSQLite",
            dependencies: [
                "CMockAPNsSQLite", "MockAPNsFormats", "MockAPNsLog", "MockAPNsRules", "MockAPNsWorld", nioConcurrency,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsPostgres",
            dependencies: [
                "CMockAPNsPostgres", "MockAPNsFormats", "MockAPNsLog", "MockAPNsRules", "MockAPNsWorld", nioConcurrency,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNs",
            dependencies: [
                "MockAPNsFormats", "MockAPNsRules", "MockAPNsCrypto", "MockAPNsLog", "MockAPNsTransport",
                "MockAPNsWorld", hashTree, nioConcurrency, nioCore, nioPosix,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsDrift",
            dependencies: [
                "MockAPNs", "MockAPNsCrypto", "MockAPNsFormats", "MockAPNsRules", "MockAPNsTransport",
                "MockAPNsUpstream", "MockAPNsWorld", nioCore,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsForward",
            dependencies: [
                "MockAPNsCrypto", "MockAPNsFormats", "MockAPNsRules", "MockAPNsUpstream", "MockAPNsWorld",
                nioConcurrency, nioCore, nioPosix,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsQuery", dependencies: ["MockAPNsFormats", "MockAPNsRules", "MockAPNsWorld", nioConcurrency],
            swiftSettings: settings),
        .target(
            name: "MockAPNsVerifying",
            dependencies: [
                "MockAPNs", "MockAPNsFormats", "MockAPNsQuery", "MockAPNsRules", "MockAPNsWorld", nioConcurrency,
                nioCore,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsPreview",
            dependencies: ["MockAPNsFormats", "MockAPNsQuery", "MockAPNsRules", "MockAPNsWorld"],
            swiftSettings: settings),
        .target(
            name: "MockAPNsAPI",
            dependencies: [
                "MockAPNs", "MockAPNsFormats", "MockAPNsPreview", "MockAPNsQuery", "MockAPNsRules", "MockAPNsVerifying",
                "MockAPNsWorld", nioConcurrency,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsInspector",
            dependencies: [
                "CMockAPNsPage", "MockAPNs", "MockAPNsAPI", "MockAPNsFormats", "MockAPNsLog", "MockAPNsPreview",
                "MockAPNsQuery", "MockAPNsRules", "MockAPNsTransport", "MockAPNsVerifying", "MockAPNsWorld",
                nioConcurrency, nioCore, nioHTTP1, nioPosix,
            ], swiftSettings: settings),
        .target(
            name: "MockAPNsClient", dependencies: ["MockAPNsAPI", "MockAPNsFormats", nioCore, nioHTTP1, nioPosix],
            swiftSettings: settings),
        .target(
            name: "MockAPNsTesting",
            dependencies: [
                "MockAPNs", "MockAPNsAPI", "MockAPNsClient", "MockAPNsFormats", "MockAPNsInspector", "MockAPNsRules",
                nioCore,
            ], swiftSettings: settings),
        .executableTarget(
            name: "mock-apns",
            dependencies: [
                "CMockAPNsIntercept", "MockAPNs", "MockAPNsAPI", "MockAPNsClient", "MockAPNsCrypto", "MockAPNsDrift",
                "MockAPNsFormats", "MockAPNsForward", "MockAPNsInspector", "MockAPNsLog", "MockAPNsQuery",
                "MockAPNsRules", "MockAPNsTransport", "MockAPNsUpstream", "MockAPNsWorld", argumentParser, nioCore,
                nioHTTP1, nioPosix, .target(name: "MockAPNsPostgres", condition: .when(traits: ["Postgres"])),
                .target(name: "MockAPNsSQLite", condition: .when(traits: ["SQLite"])),
            ], swiftSettings: settings),

        // Tests
        .target(
            name: "TestSupport",
            dependencies: [
                "MockAPNsFormats", "MockAPNsLog", "MockAPNsRules", "MockAPNsWorld", nioConcurrency, nioCore, nioPosix,
            ], path: "Tests/TestSupport", swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsFormatsTests", dependencies: ["MockAPNsFormats", "TestSupport"], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsRulesTests", dependencies: ["MockAPNsFormats", "MockAPNsRules", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsCryptoTests", dependencies: ["MockAPNsCrypto", "MockAPNsFormats", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsTransportTests",
            dependencies: [
                "MockAPNsTransport", "MockAPNsRules", "MockAPNsCrypto", "CMockAPNsNghttp2", "CMockAPNsOpenSSL",
                "CMockAPNsShims", nioConcurrency, nioCore, nioEmbedded, nioPosix, "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsWorldTests",
            dependencies: ["MockAPNsWorld", "MockAPNsFormats", "MockAPNsRules", "TestSupport"], exclude: ["Golden"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsLogTests",
            dependencies: [
                "MockAPNsFormats", "MockAPNsLog", "MockAPNsRules", "MockAPNsWorld", nioConcurrency, "TestSupport",
            ], swiftSettings: testSettings),
        .executableTarget(
            name: "store-writer", dependencies: ["MockAPNsLog", "MockAPNsSQLite", "MockAPNsWorld", "TestSupport"],
            path: "Tests/StoreWriter", swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsSQLiteTests",
            dependencies: [
                "store-writer", "CMockAPNsSQLite", "MockAPNsFormats", "MockAPNsLog", "MockAPNsRules", "MockAPNsSQLite",
                "MockAPNsWorld", "TestSupport",
            ], swiftSettings: testSettings),
        .executableTarget(
            name: "turn-holder", dependencies: ["MockAPNsLog", "MockAPNsPostgres"], path: "Tests/TurnHolder",
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsPostgresTests",
            dependencies: [
                "turn-holder", "MockAPNsFormats", "MockAPNsLog", "MockAPNsPostgres", "MockAPNsRules", "MockAPNsWorld",
                "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsTests",
            dependencies: [
                "MockAPNs", "MockAPNsCrypto", "MockAPNsLog", "MockAPNsRules", "MockAPNsTransport", "MockAPNsWorld",
                "CMockAPNsOpenSSL", nioConcurrency, nioCore, nioPosix, "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsUpstreamTests",
            dependencies: [
                "MockAPNs", "MockAPNsCrypto", "MockAPNsRules", "MockAPNsTransport", "MockAPNsUpstream", "MockAPNsWorld",
                nioCore, nioPosix, "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsDriftTests",
            dependencies: [
                "MockAPNs", "MockAPNsCrypto", "MockAPNsDrift", "MockAPNsFormats", "MockAPNsRules", "MockAPNsTransport",
                "MockAPNsUpstream", "MockAPNsWorld", nioConcurrency, nioCore, "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsForwardTests",
            dependencies: [
                "MockAPNs", "MockAPNsCrypto", "MockAPNsForward", "MockAPNsRules", "MockAPNsTransport",
                "MockAPNsUpstream", "MockAPNsWorld", nioCore, nioPosix, "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsQueryTests",
            dependencies: ["MockAPNsFormats", "MockAPNsQuery", "MockAPNsRules", "MockAPNsWorld", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsAPITests",
            dependencies: ["MockAPNsAPI", "MockAPNsFormats", "MockAPNsRules", "MockAPNsWorld", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsVerifyingTests",
            dependencies: [
                "MockAPNs", "MockAPNsFormats", "MockAPNsQuery", "MockAPNsRules", "MockAPNsVerifying", "MockAPNsWorld",
                "TestSupport",
            ], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsPreviewTests", dependencies: ["MockAPNsFormats", "MockAPNsPreview", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsInspectorTests",
            dependencies: [
                "MockAPNs", "MockAPNsAPI", "MockAPNsFormats", "MockAPNsInspector", "MockAPNsPreview", "MockAPNsQuery",
                "MockAPNsRules", "MockAPNsVerifying", "MockAPNsWorld", nioCore, nioEmbedded, nioHTTP1, "TestSupport",
            ], exclude: ["Golden"], swiftSettings: testSettings),
        .testTarget(
            name: "MockAPNsTestingTests",
            dependencies: ["MockAPNs", "MockAPNsInspector", "MockAPNsTesting", "TestSupport"],
            swiftSettings: testSettings),
        .testTarget(
            name: "CommandLineTests",
            dependencies: [
                "mock-apns", "store-writer", "CMockAPNsIntercept", "MockAPNs", "MockAPNsAPI", "MockAPNsClient",
                "MockAPNsCrypto", "MockAPNsFormats", "MockAPNsRules", "TestSupport",
            ], exclude: ["Golden"], swiftSettings: testSettings), fuzz,
    ], swiftLanguageModes: [.v6])

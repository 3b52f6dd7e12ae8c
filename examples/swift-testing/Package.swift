// swift-tools-version:6.2
import PackageDescription

let package = Package(
    name: "orders",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "mock-apns", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
    ],
    targets: [
        .target(
            name: "Orders",
            dependencies: [.product(name: "AsyncHTTPClient", package: "async-http-client")]
        ),
        .testTarget(
            name: "OrdersTests",
            dependencies: ["Orders", .product(name: "MockAPNsTesting", package: "mock-apns")]
        ),
    ],
    swiftLanguageModes: [.v6]
)

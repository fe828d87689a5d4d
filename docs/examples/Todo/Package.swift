// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]
let holdfast: [Target.Dependency] = [
    "TodoModels",
    .product(name: "HoldfastEngine", package: "holdfast"),
    .product(name: "HoldfastModel", package: "holdfast"),
    .product(name: "HoldfastSQLite", package: "holdfast"),
    .product(name: "HoldfastSync", package: "holdfast"),
    .product(name: "HoldfastSyncHTTP", package: "holdfast"),
]

let package = Package(
    name: "todo",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: "../../..", traits: [.defaults, "Sync"]),
        // For the service only. Holdfast needs it anyway, with the trait `Sync`.
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.0"),
    ],
    targets: [
        .target(
            name: "TodoModels", dependencies: [.product(name: "HoldfastModel", package: "holdfast")],
            plugins: [.plugin(name: "HoldfastCodegenPlugin", package: "holdfast")]),
        .executableTarget(name: "todo", dependencies: holdfast, swiftSettings: settings),
        .executableTarget(
            name: "todo-service",
            dependencies: holdfast + [
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ], swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)

// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "todo",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../../..", traits: [.defaults, "Sync"])],
    targets: [
        .executableTarget(
            name: "todo",
            dependencies: [
                .product(name: "HoldfastEngine", package: "holdfast"),
                .product(name: "HoldfastModel", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
                .product(name: "HoldfastSync", package: "holdfast"),
                .product(name: "HoldfastSyncHTTP", package: "holdfast"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
            plugins: [.plugin(name: "HoldfastCodegenPlugin", package: "holdfast")])
    ],
    swiftLanguageModes: [.v6]
)

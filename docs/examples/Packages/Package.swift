// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "packages",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "holdfast", path: "../../..", traits: [.defaults, "LevelDB", "PostgreSQL"])
    ],
    targets: [
        .executableTarget(
            name: "packages",
            dependencies: [
                .product(name: "HoldfastEngine", package: "holdfast"),
                .product(name: "HoldfastModel", package: "holdfast"),
                .product(name: "HoldfastStorage", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
                .product(name: "HoldfastLevelDB", package: "holdfast"),
                .product(name: "HoldfastInMemory", package: "holdfast"),
                .product(name: "HoldfastPostgreSQL", package: "holdfast"),
                .product(name: "HoldfastServer", package: "holdfast"),
                .product(name: "HoldfastSync", package: "holdfast"),
                .product(name: "HoldfastTesting", package: "holdfast"),
            ],
            swiftSettings: [.enableUpcomingFeature("NonisolatedNonsendingByDefault")],
            plugins: [.plugin(name: "HoldfastCodegenPlugin", package: "holdfast")]),
        .testTarget(name: "packagesTests", dependencies: ["packages"]),
    ],
    swiftLanguageModes: [.v6]
)

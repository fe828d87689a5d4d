// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "LMDBAdapter",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "HoldfastLMDB", targets: ["HoldfastLMDB"]),
        .executable(name: "lmdb-conformance", targets: ["lmdb-conformance"]),
    ],
    dependencies: [
        // Without traits: neither SQLite nor anything else that this package does not use.
        .package(name: "holdfast", path: "../../..", traits: [])
    ],
    targets: [
        .systemLibrary(
            name: "CLMDB", path: "CLMDB", pkgConfig: "lmdb", providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        .target(
            name: "HoldfastLMDB",
            dependencies: [
                "CLMDB",
                .product(name: "HoldfastAdapterKit", package: "holdfast"),
                .product(name: "HoldfastStorage", package: "holdfast"),
            ]),
        .target(
            name: "LMDBHarness",
            dependencies: ["HoldfastLMDB", .product(name: "HoldfastConformance", package: "holdfast")]),
        .executableTarget(
            name: "lmdb-conformance",
            dependencies: [
                "LMDBHarness",
                .product(name: "HoldfastConformance", package: "holdfast"),
                .product(name: "HoldfastConformanceMutants", package: "holdfast"),
                .product(name: "HoldfastEngineConformance", package: "holdfast"),
            ]),
        .testTarget(
            name: "HoldfastLMDBTests",
            dependencies: [
                "HoldfastLMDB", "LMDBHarness", "lmdb-conformance",
                .product(name: "HoldfastAdapterKit", package: "holdfast"),
                .product(name: "HoldfastConformanceTesting", package: "holdfast"),
                .product(name: "HoldfastEngineConformance", package: "holdfast"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}

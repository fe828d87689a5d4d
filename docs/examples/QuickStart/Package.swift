// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "quickstart",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "holdfast", path: "../../..")],
    targets: [
        .executableTarget(
            name: "quickstart",
            dependencies: [
                .product(name: "HoldfastEngine", package: "holdfast"),
                .product(name: "HoldfastModel", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
            ],
            plugins: [.plugin(name: "HoldfastCodegenPlugin", package: "holdfast")])
    ],
    swiftLanguageModes: [.v6]
)

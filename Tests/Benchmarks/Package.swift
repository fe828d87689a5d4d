// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of Holdfast never resolve what only benchmarks need.
let package = Package(
    name: "holdfast-benchmarks",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "holdfast-benchmarks", targets: ["holdfast-benchmarks"])],
    dependencies: [
        .package(name: "holdfast", path: "../..", traits: [.defaults, "LevelDB", "PostgreSQL", "Sync", "Server"]),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // In the versions of the package above.
        .package(url: "https://github.com/apple/swift-log.git", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio.git", exact: "2.101.2"),
        .package(url: "https://github.com/apple/swift-crypto.git", exact: "4.5.2"),
        .package(url: "https://github.com/swift-server/async-http-client.git", exact: "1.37.0"),
    ],
    targets: [
        // The C API for the raw layer; the name differs from the adapter's module so that both can be in one build.
        .systemLibrary(
            name: "CSQLiteRaw",
            path: "CSQLiteRaw",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CLevelDBRaw",
            path: "CLevelDBRaw",
            providers: [.apt(["libleveldb-dev"]), .brew(["leveldb"])]),
        .systemLibrary(
            name: "CPostgreSQLRaw",
            path: "CPostgreSQLRaw",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        // Not in the modules of Swift's C libraries; empty on macOS.
        .systemLibrary(name: "CEpoll", path: "CEpoll"),
        .executableTarget(
            name: "holdfast-benchmarks",
            dependencies: [
                "CEpoll",
                "CPostgreSQLRaw",
                "CSQLiteRaw",
                "CLevelDBRaw",
                .product(name: "HoldfastStorage", package: "holdfast"),
                .product(name: "HoldfastGraphQL", package: "holdfast"),
                .product(name: "HoldfastCodegen", package: "holdfast"),
                .product(name: "HoldfastModel", package: "holdfast"),
                .product(name: "HoldfastEngine", package: "holdfast"),
                .product(name: "HoldfastBenchmarkSupport", package: "holdfast"),
                .product(name: "HoldfastSync", package: "holdfast"),
                .product(name: "HoldfastSyncHTTP", package: "holdfast"),
                .product(name: "HoldfastServer", package: "holdfast"),
                .product(name: "HoldfastServerHTTP", package: "holdfast"),
                .product(name: "HoldfastWire", package: "holdfast"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "HoldfastInMemory", package: "holdfast"),
                .product(name: "HoldfastSQLite", package: "holdfast"),
                .product(name: "HoldfastLevelDB", package: "holdfast"),
                .product(name: "HoldfastPostgreSQL", package: "holdfast"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ],
            path: "Sources",
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("MemberImportVisibility"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)

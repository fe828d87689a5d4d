// swift-tools-version: 6.2
import PackageDescription

// The map. Targets are listed bottom layer first; a target imports only targets above it in this list.
let package = Package(
    name: "holdfast",
    // The first with Swift's Duration; on macOS, what Hummingbird needs. check-limits finds uses of newer interfaces.
    platforms: [.macOS(.v14), .iOS(.v16), .tvOS(.v16), .watchOS(.v9), .visionOS(.v1)],
    products: [
        // For apps: the data store, adapters, and synchronization.
        .library(name: "HoldfastModel", targets: ["HoldfastModel"]),
        .library(name: "HoldfastEngine", targets: ["HoldfastEngine"]),
        .library(name: "HoldfastInMemory", targets: ["HoldfastInMemory"]),
        .library(name: "HoldfastSQLite", targets: ["HoldfastSQLite"]),
        .library(name: "HoldfastLevelDB", targets: ["HoldfastLevelDB"]),
        .library(name: "HoldfastPostgreSQL", targets: ["HoldfastPostgreSQL"]),
        .library(name: "HoldfastSync", targets: ["HoldfastSync"]),
        .library(name: "HoldfastSyncHTTP", targets: ["HoldfastSyncHTTP"]),
        .plugin(name: "HoldfastCodegenPlugin", targets: ["HoldfastCodegenPlugin"]),
        .plugin(name: "GenerateModelsPlugin", targets: ["GenerateModelsPlugin"]),

        // For apps written for amplify-swift.
        .library(name: "Amplify", targets: ["Amplify"]),
        .library(name: "AWSPluginsCore", targets: ["AWSPluginsCore"]),
        .library(name: "AWSAPIPlugin", targets: ["AWSAPIPlugin"]),
        .library(name: "AWSDataStorePlugin", targets: ["AWSDataStorePlugin"]),
        .library(name: "HoldfastAmplifyImport", targets: ["HoldfastAmplifyImport"]),

        // For services.
        .executable(name: "holdfast", targets: ["holdfast"]),
        .library(name: "HoldfastServer", targets: ["HoldfastServer"]),
        .library(name: "HoldfastServerHTTP", targets: ["HoldfastServerHTTP"]),

        // For tests of apps and services.
        .library(name: "HoldfastTesting", targets: ["HoldfastTesting"]),
        .library(name: "HoldfastSimulation", targets: ["HoldfastSimulation"]),
        .executable(name: "holdfast-simulate", targets: ["holdfast-simulate"]),

        // For authors of adapters.
        .library(name: "HoldfastStorage", targets: ["HoldfastStorage"]),
        .library(name: "HoldfastAdapterKit", targets: ["HoldfastAdapterKit"]),
        .library(name: "HoldfastConformance", targets: ["HoldfastConformance"]),
        .library(name: "HoldfastConformanceMutants", targets: ["HoldfastConformanceMutants"]),
        .library(name: "HoldfastConformanceTesting", targets: ["HoldfastConformanceTesting"]),
        .library(name: "HoldfastEngineConformance", targets: ["HoldfastEngineConformance"]),
        .executable(name: "holdfast-conformance", targets: ["holdfast-conformance"]),

        // For tools that read schemas or speak the dialect.
        .library(name: "HoldfastGraphQL", targets: ["HoldfastGraphQL"]),
        .library(name: "HoldfastSchema", targets: ["HoldfastSchema"]),
        .library(name: "HoldfastCodegen", targets: ["HoldfastCodegen"]),
        .library(name: "HoldfastWire", targets: ["HoldfastWire"]),
        .executable(name: "holdfast-codegen", targets: ["holdfast-codegen"]),

        // For the benchmarks, a package of their own.
        .library(name: "HoldfastBenchmarkSupport", targets: ["HoldfastBenchmarkSupport"]),
    ],
    traits: [
        .trait(name: "SQLite", description: "The SQLite adapter; needs the system's libsqlite3."),
        .trait(name: "LevelDB", description: "The LevelDB adapter; needs the system's libleveldb."),
        .trait(name: "PostgreSQL", description: "The PostgreSQL adapter; needs the system's libpq."),
        .trait(name: "OpenCombine", description: "The publishers of Amplify where the system has no Combine."),
        .trait(name: "Sync", description: "Synchronization over HTTP and WebSockets; needs SwiftNIO."),
        .trait(name: "CLI", description: "The command line `holdfast`; needs swift-argument-parser."),
        .trait(name: "Server", description: "The server on the network; needs Hummingbird, SwiftNIO, and JWTKit."),
        .default(enabledTraits: ["SQLite"]),
    ],
    dependencies: [
        // Each is resolved only if a trait that needs it is enabled; without traits, none is.
        .package(url: "https://github.com/OpenCombine/OpenCombine.git", from: "0.14.0"),
        .package(url: "https://github.com/apple/swift-argument-parser.git", from: "1.8.2"),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.28.1"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras.git", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl.git", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-http-types.git", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log.git", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-distributed-tracing.git", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-crypto.git", from: "4.5.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle.git", from: "2.13.0"),
        .package(url: "https://github.com/swift-server/async-http-client.git", from: "1.37.0"),
        .package(url: "https://github.com/vapor/jwt-kit.git", from: "5.7.1"),
        .package(url: "https://github.com/jpsim/Yams.git", from: "6.2.2"),
    ],
    targets: [
        // The adapter contract: values, types, schema, plans, StorageAdapter, errors, the reference.
        .target(name: "HoldfastStorage"),
        // The GraphQL language: lexer, parser, printer, schema, validation of schemas and of documents.
        .target(name: "HoldfastGraphQL"),
        // Pages for a browser: tables, charts, diagrams, and one look for all of them.
        .target(name: "HoldfastReport"),

        // What an annotated schema says, directive by directive: models, keys, relations, rules, and the API
        // that a service has for it.
        .target(name: "HoldfastSchema", dependencies: ["HoldfastGraphQL"]),

        // For adapter authors: an adapter for ordered keys, key codec, index planner, queues for blocking calls and
        // for commits, change logs, and what the SQL adapters share.
        .target(name: "HoldfastAdapterKit", dependencies: ["HoldfastStorage"]),
        // What generated models use: Model, schema DSL, predicates, Temporal, List, LazyReference.
        .target(name: "HoldfastModel", dependencies: ["HoldfastStorage"]),

        // The AppSync dialect as values and codecs: JSON, requests, answers, and frames. No Foundation.
        .target(
            name: "HoldfastWire",
            dependencies: ["HoldfastGraphQL", "HoldfastModel", "HoldfastSchema", "HoldfastStorage"]),

        // The DataStore API: storage engine, transactions, relations, outbox, observation, migration.
        .target(name: "HoldfastEngine", dependencies: ["HoldfastModel", "HoldfastStorage"]),
        // Swift models from a GraphQL schema, as a function from text to files.
        .target(name: "HoldfastCodegen", dependencies: ["HoldfastGraphQL", "HoldfastSchema"]),

        // The sync engine: a core without a clock, tasks, or a store, and the actor that carries out its effects.
        .target(
            name: "HoldfastSync",
            dependencies: ["HoldfastEngine", "HoldfastModel", "HoldfastStorage", "HoldfastWire"]),

        // A service that speaks the AppSync dialect on any adapter: bytes in and bytes out.
        .target(
            name: "HoldfastServer",
            dependencies: ["HoldfastGraphQL", "HoldfastSchema", "HoldfastStorage", "HoldfastWire"]),

        // The client's network: HTTP, WebSockets, TLS, and the authorization of requests. Empty without its trait.
        .target(
            name: "HoldfastSyncHTTP",
            dependencies: ["HoldfastEngine", "HoldfastModel", "HoldfastStorage", "HoldfastSync", "HoldfastWire"]
                + network(
                    [
                        "AsyncHTTPClient", "Crypto", "NIOCore", "NIOExtras", "NIOHTTP1", "NIOHTTPCompression",
                        "NIOPosix",
                        "NIOSSL", "NIOWebSocket",
                    ], trait: "Sync")),

        // The service on the network: HTTP, WebSockets, tokens, and signatures; empty without the trait.
        .target(
            name: "HoldfastServerHTTP",
            dependencies: ["HoldfastGraphQL", "HoldfastSchema", "HoldfastServer", "HoldfastStorage", "HoldfastWire"]
                + serverNetwork()),

        // Adapters. A C API is called only in the adapter named after it.
        .target(
            name: "HoldfastInMemory",
            dependencies: ["HoldfastStorage", "HoldfastAdapterKit"],
            path: "Adapters/InMemory/Sources"),
        .systemLibrary(
            name: "CSQLite",
            path: "Adapters/SQLite/CSQLite",
            pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .target(
            name: "HoldfastSQLite",
            dependencies: [
                "HoldfastStorage", "HoldfastAdapterKit",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ],
            path: "Adapters/SQLite/Sources"),
        // Debian's package brings no pkg-config file; the module map's `link` is enough.
        .systemLibrary(
            name: "CLevelDB",
            path: "Adapters/LevelDB/CLevelDB",
            providers: [.apt(["libleveldb-dev"]), .brew(["leveldb"])]),
        .target(
            name: "HoldfastLevelDB",
            dependencies: [
                "HoldfastStorage", "HoldfastAdapterKit",
                .target(name: "CLevelDB", condition: .when(traits: ["LevelDB"])),
            ],
            path: "Adapters/LevelDB/Sources"),
        .systemLibrary(
            name: "CPostgreSQL",
            path: "Adapters/PostgreSQL/CPostgreSQL",
            pkgConfig: "libpq",
            providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .target(
            name: "HoldfastPostgreSQL",
            dependencies: [
                "HoldfastStorage", "HoldfastAdapterKit",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Adapters/PostgreSQL/Sources"),

        // Replaces the system calls that sync, to simulate the loss of power in a child process of the suite.
        .target(name: "CPowerLoss", path: "conformance/Sources/CPowerLoss"),
        // The conformance suite: clauses of the adapter, histories, runs and reports, without any test framework.
        .target(
            name: "HoldfastConformance", dependencies: ["CPowerLoss", "HoldfastReport", "HoldfastStorage"],
            path: "conformance/Sources/HoldfastConformance"),
        // The clauses of the storage engine on an adapter.
        .target(
            name: "HoldfastEngineConformance",
            dependencies: ["HoldfastConformance", "HoldfastEngine", "HoldfastModel", "HoldfastStorage"],
            path: "conformance/Sources/HoldfastEngineConformance"),
        // The tests of the suite: adapters with one mistake each, which a clause must find.
        .target(
            name: "HoldfastConformanceMutants", dependencies: ["HoldfastConformance", "HoldfastStorage"],
            path: "conformance/Sources/HoldfastConformanceMutants"),
        // The suite inside Swift Testing.
        .target(
            name: "HoldfastConformanceTesting", dependencies: ["HoldfastConformance"],
            path: "conformance/Sources/HoldfastConformanceTesting"),
        // Runs the suite against the adapters that come with Holdfast.
        .executableTarget(
            name: "holdfast-conformance",
            dependencies: [
                "HoldfastConformance", "HoldfastConformanceMutants", "HoldfastEngineConformance", "HoldfastInMemory",
                "HoldfastStorage",
                .target(name: "HoldfastSQLite", condition: .when(traits: ["SQLite"])),
                .target(name: "HoldfastLevelDB", condition: .when(traits: ["LevelDB"])),
                .target(name: "HoldfastPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "conformance/Sources/holdfast-conformance"),

        // For tests of applications: the service in the same process, without a network.
        .target(
            name: "HoldfastTesting",
            dependencies: [
                "HoldfastEngine", "HoldfastGraphQL", "HoldfastInMemory", "HoldfastSchema", "HoldfastServer",
                "HoldfastStorage", "HoldfastSync", "HoldfastWire",
            ]),
        .systemLibrary(name: "CSwiftConcurrency", path: "Sources/HoldfastSimulation/CSwiftConcurrency"),
        // Clients, the service, and the network between them in one thread, from a seed. For tests only.
        .target(
            name: "HoldfastSimulation",
            dependencies: [
                "CSwiftConcurrency", "HoldfastAdapterKit", "HoldfastEngine", "HoldfastGraphQL", "HoldfastInMemory",
                "HoldfastModel", "HoldfastReport", "HoldfastSchema", "HoldfastServer", "HoldfastStorage",
                "HoldfastSync", "HoldfastWire",
            ],
            exclude: ["CSwiftConcurrency"]),
        // Runs simulations; the process does nothing else.
        .executableTarget(
            name: "holdfast-simulate",
            dependencies: [
                "HoldfastGraphQL", "HoldfastSchema", "HoldfastServer", "HoldfastSimulation", "HoldfastStorage",
                .target(name: "HoldfastSQLite", condition: .when(traits: ["SQLite"])),
                .target(name: "HoldfastLevelDB", condition: .when(traits: ["LevelDB"])),
            ],
            path: "conformance/Sources/holdfast-simulate"),

        // The interface of amplify-swift's DataStore: categories, Hub, errors, publishers.
        .target(
            name: "Amplify",
            dependencies: [
                "HoldfastModel", "HoldfastStorage",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ]),
        // The types of the original's core that the interfaces of its plug-ins name.
        .target(
            name: "AWSPluginsCore",
            dependencies: [
                "Amplify", "HoldfastEngine", "HoldfastModel", "HoldfastStorage", "HoldfastSync", "HoldfastWire",
            ]),
        // Amplify's API plug-in: reads the configuration of services, and connects the DataStore to its own.
        .target(
            name: "AWSAPIPlugin",
            dependencies: [
                "AWSPluginsCore", "Amplify", "HoldfastModel", "HoldfastStorage", "HoldfastSync", "HoldfastSyncHTTP",
                "HoldfastWire",
            ]),
        // Amplify's DataStore plug-in: its configuration, and the bridge from `Amplify` to the engine.
        .target(
            name: "AWSDataStorePlugin",
            dependencies: [
                "Amplify", "AWSPluginsCore", "HoldfastEngine", "HoldfastModel", "HoldfastStorage", "HoldfastSync",
                .target(name: "HoldfastSQLite", condition: .when(traits: ["SQLite"])),
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ]),

        // Reads the file of amplify-swift's DataStore, to be imported.
        .target(
            name: "HoldfastAmplifyImport",
            dependencies: [
                "HoldfastAdapterKit", "HoldfastEngine", "HoldfastModel", "HoldfastStorage",
                .target(name: "HoldfastSQLite", condition: .when(traits: ["SQLite"])),
            ]),

        // The tool behind the plug-ins.
        .executableTarget(
            name: "holdfast-codegen", dependencies: ["HoldfastCodegen", "HoldfastGraphQL", "HoldfastSchema"]),
        // Makes models from the schemas of a target while it is built.
        .plugin(
            name: "HoldfastCodegenPlugin", capability: .buildTool(), dependencies: ["holdfast-codegen"],
            path: "Sources/Plugins/HoldfastCodegenPlugin"),
        // Writes the same models into the package.
        .plugin(
            name: "GenerateModelsPlugin",
            capability: .command(
                intent: .custom(verb: "generate-models", description: "Makes Swift models from GraphQL schemas."),
                permissions: [.writeToPackageDirectory(reason: "Writes the models next to their schemas.")]),
            dependencies: ["holdfast-codegen"],
            path: "Sources/Plugins/GenerateModelsPlugin"),
        // The command line; without the trait it says how to get it.
        .executableTarget(
            name: "holdfast",
            dependencies: [
                "HoldfastCodegen", "HoldfastEngine", "HoldfastGraphQL", "HoldfastInMemory", "HoldfastSchema",
                "HoldfastStorage", "HoldfastWire",
                .target(name: "HoldfastServer", condition: .when(traits: ["Server"])),
                .target(name: "HoldfastServerHTTP", condition: .when(traits: ["Server"])),
                .target(name: "HoldfastSQLite", condition: .when(traits: ["SQLite"])),
                .target(name: "HoldfastLevelDB", condition: .when(traits: ["LevelDB"])),
                .target(name: "HoldfastPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
                .product(name: "Logging", package: "swift-log", condition: .when(traits: ["Server"])),
                .product(name: "Yams", package: "Yams", condition: .when(traits: ["Server"])),
                .product(
                    name: "ArgumentParser", package: "swift-argument-parser", condition: .when(traits: ["CLI"])),
            ]),

        // Tests. Most targets have a test target of their own; those named TestSupport have what several tests share.
        .target(
            name: "HoldfastTestSupport",
            dependencies: ["HoldfastStorage", "HoldfastModel", "HoldfastConformance"],
            path: "Tests/HoldfastTestSupport"),
        // What the benchmarks, a package of their own, need and users of the package do not.
        .target(
            name: "HoldfastBenchmarkSupport",
            dependencies: ["HoldfastEngine", "HoldfastModel", "HoldfastReport", "HoldfastStorage"],
            path: "Tests/HoldfastBenchmarkSupport"),
        // The adapters of the build, and shorthands for stores on them.
        .target(
            name: "HoldfastAdapterTestSupport",
            dependencies: [
                "HoldfastConformance", "HoldfastInMemory", "HoldfastLevelDB", "HoldfastSQLite", "HoldfastStorage",
                "HoldfastTestSupport",
                .target(name: "HoldfastPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/HoldfastAdapterTestSupport"),
        // A service in this process, and devices that synchronize with it.
        .target(
            name: "HoldfastSyncTestSupport",
            dependencies: [
                "HoldfastEngine", "HoldfastInMemory", "HoldfastModel", "HoldfastServer", "HoldfastStorage",
                "HoldfastSync", "HoldfastTestSupport", "HoldfastTesting", "HoldfastWire",
            ],
            path: "Tests/HoldfastSyncTestSupport"),
        // A TCP server that sends given bytes, for tests of clients.
        .target(
            name: "HoldfastHTTPTestSupport",
            dependencies: network(["Crypto", "NIOCore", "NIOPosix", "NIOSSL"], trait: "Sync"),
            path: "Tests/HoldfastHTTPTestSupport"),
        // A process that crash tests start and end in the middle of its work.
        .executableTarget(
            name: "CrashChild",
            dependencies: [
                "HoldfastEngine", "HoldfastLevelDB", "HoldfastSQLite", "HoldfastServer", "HoldfastStorage",
                "HoldfastSync", "HoldfastSyncTestSupport", "HoldfastTestSupport",
                .target(name: "HoldfastPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            path: "Tests/CrashChild"),
        // The models of the examples, made by the plug-in.
        .target(
            name: "ExampleModels", dependencies: ["HoldfastModel"], path: "Tests/ExampleModels",
            plugins: ["HoldfastCodegenPlugin"]),
        // Generated model files of both styles, with the settings of an application: compiling them is the test.
        .target(
            name: "GeneratedModels", dependencies: ["HoldfastModel"], path: "Tests/GeneratedModels",
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .target(
            name: "LegacyGeneratedModels", dependencies: ["HoldfastModel"], path: "Tests/LegacyGeneratedModels",
            swiftSettings: [.swiftLanguageMode(.v5)]),
        // Models of the golden schemas, generated in both styles: compiling them is a test.
        .target(
            name: "GoldenDataLazy", dependencies: ["HoldfastModel"],
            path: "Tests/HoldfastCodegenTests/Golden/DataLazy"),
        .target(
            name: "GoldenDataEager", dependencies: ["HoldfastModel"],
            path: "Tests/HoldfastCodegenTests/Golden/DataEager"),
        .target(
            name: "GoldenAccessLazy", dependencies: ["HoldfastModel"],
            path: "Tests/HoldfastCodegenTests/Golden/AccessLazy"),
        .target(
            name: "GoldenAccessEager", dependencies: ["HoldfastModel"],
            path: "Tests/HoldfastCodegenTests/Golden/AccessEager"),
        .testTarget(
            name: "HoldfastStorageTests",
            dependencies: [
                "HoldfastStorage", "HoldfastConformance", "HoldfastConformanceMutants", "HoldfastTestSupport",
            ]),
        .testTarget(
            name: "HoldfastReportTests",
            dependencies: ["HoldfastBenchmarkSupport", "HoldfastReport", "HoldfastTestSupport"]),
        // What must hold for any bytes. `./dev fuzz` links it with libFuzzer.
        .executableTarget(
            name: "HoldfastFuzzer",
            dependencies: [
                "HoldfastCodegen", "HoldfastGraphQL", "HoldfastModel", "HoldfastSchema", "HoldfastStorage",
                "HoldfastWire",
            ],
            path: "Tests/HoldfastFuzzer", exclude: ["Corpus", "graphql.dict"]),
        .testTarget(
            name: "HoldfastGraphQLTests", dependencies: ["HoldfastFuzzer", "HoldfastGraphQL", "HoldfastStorage"],
            exclude: ["Fixtures"]),
        .testTarget(
            name: "HoldfastServerTests",
            dependencies: [
                "HoldfastAdapterTestSupport", "HoldfastEngine", "HoldfastGraphQL", "HoldfastInMemory", "HoldfastModel",
                "HoldfastSchema", "HoldfastServer", "HoldfastSQLite", "HoldfastStorage", "HoldfastTestSupport",
                "HoldfastWire",
            ]),
        .testTarget(
            name: "HoldfastServerHTTPTests",
            dependencies: [
                "HoldfastAdapterTestSupport", "HoldfastEngine", "HoldfastGraphQL", "HoldfastInMemory", "HoldfastSQLite",
                "HoldfastSchema", "HoldfastServer", "HoldfastServerHTTP", "HoldfastStorage", "HoldfastSyncHTTP",
                "HoldfastSyncTestSupport", "HoldfastTestSupport", "HoldfastWire",
            ] + serverNetwork() + network(["InMemoryTracing", "NIOEmbedded", "NIOPosix"], trait: "Server")),
        .testTarget(name: "HoldfastSchemaTests", dependencies: ["HoldfastGraphQL", "HoldfastSchema"]),
        .testTarget(
            name: "HoldfastCodegenTests",
            dependencies: [
                "HoldfastAdapterTestSupport", "HoldfastCodegen", "HoldfastConformance", "HoldfastEngine",
                "HoldfastGraphQL", "HoldfastModel", "HoldfastSchema", "HoldfastStorage", "HoldfastTestSupport",
                "GoldenDataLazy", "GoldenDataEager", "GoldenAccessLazy", "GoldenAccessEager",
            ],
            exclude: ["API", "Golden", "Schemas", "Snapshots"]),
        // Has a schema and no models: the plug-in makes them.
        .testTarget(
            name: "HoldfastCodegenPluginTests", dependencies: ["HoldfastModel"], plugins: ["HoldfastCodegenPlugin"]),
        .testTarget(
            name: "HoldfastConformanceTests",
            dependencies: [
                "HoldfastConformance", "HoldfastConformanceMutants", "HoldfastConformanceTesting",
                "HoldfastEngineConformance", "HoldfastStorage", "HoldfastTestSupport", "holdfast-conformance",
            ],
            path: "conformance/Tests/HoldfastConformanceTests"),
        .testTarget(
            name: "HoldfastAdapterKitTests",
            dependencies: [
                "HoldfastAdapterKit", "HoldfastConformance", "HoldfastConformanceTesting", "HoldfastStorage",
            ]),
        .testTarget(
            name: "HoldfastWireTests",
            dependencies: [
                "GoldenAccessLazy", "GoldenDataLazy", "HoldfastGraphQL", "HoldfastModel", "HoldfastStorage",
                "HoldfastTestSupport", "HoldfastWire",
            ]),
        .testTarget(
            name: "HoldfastModelTests",
            dependencies: [
                "GeneratedModels", "HoldfastConformance", "HoldfastModel", "HoldfastStorage", "HoldfastTestSupport",
                "LegacyGeneratedModels",
            ]),
        .testTarget(
            name: "HoldfastEngineTests",
            dependencies: [
                "CrashChild", "HoldfastAdapterTestSupport", "HoldfastConformance", "HoldfastEngine",
                "HoldfastEngineConformance", "HoldfastModel", "HoldfastSQLite", "HoldfastStorage",
                "HoldfastTestSupport",
            ]),
        .testTarget(
            name: "HoldfastSyncTests",
            dependencies: [
                "CrashChild", "HoldfastAdapterTestSupport", "HoldfastEngine", "HoldfastInMemory", "HoldfastModel",
                "HoldfastSQLite", "HoldfastServer", "HoldfastStorage", "HoldfastSync",
                "HoldfastSyncTestSupport", "HoldfastTestSupport", "HoldfastWire",
            ],
            exclude: ["Traps"]),
        .testTarget(
            name: "HoldfastSyncHTTPTests",
            dependencies: [
                "HoldfastEngine", "HoldfastHTTPTestSupport", "HoldfastModel", "HoldfastStorage", "HoldfastSync",
                "HoldfastSyncHTTP", "HoldfastWire",
            ] + network(["NIOCore", "NIOEmbedded", "NIOWebSocket"], trait: "Sync")),
        // The examples in comments, in the articles of the reference, and in the README.
        .testTarget(
            name: "HoldfastExampleTests",
            dependencies: [
                "ExampleModels", "HoldfastAdapterKit", "HoldfastAmplifyImport", "HoldfastConformance",
                "HoldfastConformanceTesting", "HoldfastEngine", "HoldfastGraphQL", "HoldfastInMemory",
                "HoldfastLevelDB", "HoldfastModel", "HoldfastSQLite", "HoldfastSchema", "HoldfastServer",
                "HoldfastServerHTTP", "HoldfastSimulation", "HoldfastStorage", "HoldfastSync", "HoldfastSyncHTTP",
                "HoldfastSyncTestSupport", "HoldfastTesting", "HoldfastWire",
                .target(name: "HoldfastPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ] + network(["Logging", "Tracing"], trait: "Server")),
        .testTarget(
            name: "HoldfastTestingTests",
            dependencies: [
                "HoldfastEngine", "HoldfastInMemory", "HoldfastServer", "HoldfastSync", "HoldfastSyncTestSupport",
                "HoldfastTesting",
            ]),
        .testTarget(
            name: "HoldfastSimulationTests",
            dependencies: [
                "HoldfastEngine", "HoldfastGraphQL", "HoldfastModel", "HoldfastSchema", "HoldfastServer",
                "HoldfastSimulation", "HoldfastStorage", "HoldfastSync", "HoldfastTestSupport", "holdfast-simulate",
            ],
            exclude: ["Mutants", "Scenarios", "Schemas"]),
        // What goes from one adapter to another, and what all of them must answer alike.
        .testTarget(
            name: "HoldfastAdaptersTests",
            dependencies: [
                "CrashChild", "HoldfastAdapterTestSupport", "HoldfastConformance", "HoldfastEngine", "HoldfastModel",
                "HoldfastSQLite", "HoldfastStorage", "HoldfastTestSupport",
            ]),
        // With the settings of an application, whose code it contains.
        .testTarget(
            name: "AmplifyTests",
            dependencies: [
                "AWSAPIPlugin", "AWSDataStorePlugin", "AWSPluginsCore", "Amplify", "HoldfastAdapterTestSupport",
                "HoldfastEngine", "HoldfastHTTPTestSupport", "HoldfastInMemory", "HoldfastSQLite", "HoldfastServer",
                "HoldfastStorage", "HoldfastSync", "HoldfastSyncHTTP", "HoldfastSyncTestSupport",
                "HoldfastTestSupport", "HoldfastWire",
                .product(name: "OpenCombine", package: "OpenCombine", condition: .when(traits: ["OpenCombine"])),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
        .testTarget(
            name: "HoldfastInMemoryTests",
            dependencies: [
                "HoldfastAdapterKit", "HoldfastConformance", "HoldfastInMemory", "HoldfastStorage",
                "HoldfastTestSupport",
            ],
            path: "Adapters/InMemory/Tests"),
        // Opens files of SQLite without the adapter.
        .target(
            name: "HoldfastSQLiteTestSupport",
            dependencies: [.target(name: "CSQLite", condition: .when(traits: ["SQLite"]))],
            path: "Adapters/SQLite/TestSupport"),
        .testTarget(
            name: "HoldfastAmplifyImportTests",
            dependencies: [
                "HoldfastAdapterTestSupport", "HoldfastAmplifyImport", "HoldfastEngine", "HoldfastInMemory",
                "HoldfastModel", "HoldfastSQLite", "HoldfastSQLiteTestSupport", "HoldfastStorage",
                "HoldfastTestSupport",
            ]),
        .testTarget(
            name: "HoldfastSQLiteTests",
            dependencies: [
                "HoldfastAdapterKit", "HoldfastAdapterTestSupport", "HoldfastConformance", "HoldfastSQLite",
                "HoldfastSQLiteTestSupport", "HoldfastStorage", "HoldfastTestSupport",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ],
            path: "Adapters/SQLite/Tests"),
        .testTarget(
            name: "HoldfastLevelDBTests",
            dependencies: [
                "HoldfastAdapterTestSupport", "HoldfastConformance", "HoldfastLevelDB", "HoldfastStorage",
                "HoldfastTestSupport",
                .target(name: "CLevelDB", condition: .when(traits: ["LevelDB"])),
            ],
            path: "Adapters/LevelDB/Tests"),
        .testTarget(
            name: "HoldfastPostgreSQLTests",
            dependencies: [
                "HoldfastAdapterKit", "HoldfastAdapterTestSupport", "HoldfastConformance", "HoldfastPostgreSQL",
                "HoldfastStorage", "HoldfastTestSupport",
            ],
            path: "Adapters/PostgreSQL/Tests"),
    ],
    swiftLanguageModes: [.v6]
)

/// Products of SwiftNIO and of the packages around it; they are resolved with a trait only.
func network(_ products: [String], trait: String) -> [Target.Dependency] {
    products.map { product in
        let package =
            switch product {
            case "AsyncHTTPClient": "async-http-client"
            case "Crypto": "swift-crypto"
            case "HTTPTypes": "swift-http-types"
            case "InMemoryTracing", "Instrumentation", "Tracing": "swift-distributed-tracing"
            case "Hummingbird", "HummingbirdCore", "HummingbirdTLS": "hummingbird"
            case "JWTKit": "jwt-kit"
            case "Logging": "swift-log"
            case "NIOExtras", "NIOHTTPCompression", "NIOHTTPTypes", "NIOHTTPTypesHTTP1": "swift-nio-extras"
            case "NIOSSL": "swift-nio-ssl"
            case "ServiceLifecycle", "UnixSignals": "swift-service-lifecycle"
            default: "swift-nio"
            }
        return .product(name: product, package: package, condition: .when(traits: [trait]))
    }
}

/// What a server on the network needs.
func serverNetwork() -> [Target.Dependency] {
    network(
        [
            "AsyncHTTPClient", "Crypto", "HTTPTypes", "Hummingbird", "HummingbirdCore", "HummingbirdTLS",
            "Instrumentation", "JWTKit", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "NIOHTTPTypesHTTP1",
            "NIOSSL", "NIOWebSocket", "ServiceLifecycle", "Tracing", "UnixSignals",
        ], trait: "Server")
}

/// One set of language settings for every target that states none itself.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]
for target in package.targets
where target.type != .system && target.type != .plugin && target.swiftSettings == nil {
    target.swiftSettings = settings
}

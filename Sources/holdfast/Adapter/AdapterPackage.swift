#if CLI
import Foundation

/// A package for a new adapter: everything that it begins with, as text.
struct AdapterPackage {
    /// How the package finds Holdfast.
    struct Dependency {
        /// The argument of `dependencies:`.
        let declaration: String
        /// How products name the package.
        let identity: String

        init(url: String) {
            declaration = ".package(url: \(Self.literal(url)), branch: \"main\", traits: [])"
            let name = url.split(whereSeparator: { "/:".contains($0) }).last.map(String.init) ?? url
            identity = name.hasSuffix(".git") ? String(name.dropLast(4)) : name
        }

        init(path: String) {
            let path = URL(fileURLWithPath: path).standardizedFileURL.path
            declaration = ".package(name: \"holdfast\", path: \(Self.literal(path)), traits: [])"
            identity = "holdfast"
        }

        private static func literal(_ text: String) -> String {
            "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
    }

    let name: String
    let dependency: Dependency
    /// Whether the back end keeps bytes under ordered keys, so that the kit has all but the engine.
    var hasKeyValueEngine = false

    /// The adapter's name in declarations and reports.
    var lowerName: String { name.lowercased() }

    /// Path and content of each file.
    var files: [(path: String, content: String)] {
        [
            ("Package.swift", manifest),
            ("README.md", readme),
            (".gitignore", ignored),
            (".github/workflows/conformance.yml", workflow),
            ("Sources/\(lowerName)-conformance/Main.swift", mainSource),
            ("Tests/\(name)Tests/\(name)Tests.swift", testSource),
        ] + adapterFiles
    }

    private var adapterFiles: [(path: String, content: String)] {
        let adapter = "Sources/\(name)/\(name)Adapter.swift"
        let harness = "Sources/\(name)Harness/\(name)Harness.swift"
        guard hasKeyValueEngine else { return [(adapter, adapterSource), (harness, harnessSource)] }
        return [
            (adapter, keyValueAdapterSource), ("Sources/\(name)/\(name)Engine.swift", keyValueEngineSource),
            (harness, harnessSource),
        ]
    }

    private var manifest: String {
        #"""
        // swift-tools-version: 6.2
        import PackageDescription

        let package = Package(
            name: "\#(name)",
            platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
            products: [
                .library(name: "\#(name)", targets: ["\#(name)"]),
                .executable(name: "\#(lowerName)-conformance", targets: ["\#(lowerName)-conformance"]),
            ],
            dependencies: [
                // Without traits nothing else is resolved, and only the modules named below are compiled.
                \#(dependency.declaration)
            ],
            targets: [
                .target(
                    name: "\#(name)",
                    dependencies: [
                        .product(name: "HoldfastAdapterKit", package: "\#(dependency.identity)"),
                        .product(name: "HoldfastStorage", package: "\#(dependency.identity)"),
                    ]),
                .target(
                    name: "\#(name)Harness",
                    dependencies: ["\#(name)", .product(name: "HoldfastConformance", package: "\#(dependency.identity)")]),
                .executableTarget(
                    name: "\#(lowerName)-conformance",
                    dependencies: [
                        "\#(name)Harness", .product(name: "HoldfastConformance", package: "\#(dependency.identity)"),
                    ]),
                .testTarget(
                    name: "\#(name)Tests",
                    dependencies: [
                        "\#(name)Harness",
                        .product(name: "HoldfastConformanceTesting", package: "\#(dependency.identity)"),
                    ]),
            ],
            swiftLanguageModes: [.v6]
        )

        """#
    }

    private var introduction: String {
        hasKeyValueEngine
            ? """
            Its engine keeps entries in memory; put your library in its place, function by function.
            Section 6 of Holdfast's `docs/writing-an-adapter.md` says what each function has to do.
            """
            : """
            Its store is Holdfast's reference, in memory: right by definition, and slow. Put your back
            end in its place, rule by rule; Holdfast's `docs/writing-an-adapter.md` explains each step.
            """
    }

    private var readme: String {
        #"""
        # \#(name)

        A Holdfast adapter. \#(introduction)

        ```sh
        swift build --product \#(lowerName)-conformance -Xswiftc -warnings-as-errors
        .build/debug/\#(lowerName)-conformance next        # the first broken rule, with its reason
        .build/debug/\#(lowerName)-conformance             # every clause of the claimed levels
        swift test                                # the same clauses as tests
        ```

        | directory | what it holds |
        |---|---|
        | `Sources/\#(name)` | the adapter |
        | `Sources/\#(name)Harness` | what the suite needs to try it: its name, the levels it claims, places for stores |
        | `Sources/\#(lowerName)-conformance` | the suite as a program |
        | `Tests/\#(name)Tests` | the suite as tests |

        """#
    }

    private var workflow: String {
        #"""
        name: conformance
        on: [push, pull_request]
        jobs:
          conformance:
            runs-on: ubuntu-latest
            container: swift:6.2
            steps:
              - uses: actions/checkout@v4
              - run: swift build --product \#(lowerName)-conformance -Xswiftc -warnings-as-errors
              - run: .build/debug/\#(lowerName)-conformance --junit conformance.xml --html conformance.html
              - run: swift test
              - uses: actions/upload-artifact@v4
                if: always()
                with:
                  name: conformance
                  path: conformance.*

        """#
    }

    private var ignored: String {
        """
        .build/
        .swiftpm/
        Package.resolved
        *.xcodeproj
        .DS_Store
        conformance.*

        """
    }
}
#endif

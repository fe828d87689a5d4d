#if CLI
import ArgumentParser
import Foundation

/// Groups what adapter authors need.
struct AdapterCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "adapter", abstract: "Creates adapter packages.", subcommands: [NewAdapter.self])
}

/// `holdfast adapter new`.
struct NewAdapter: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Creates a package for a new adapter.",
        discussion: """
            The package compiles and conforms at once: its store is in memory, to be replaced by your back end. With \
            --key-value, the back end keeps bytes under ordered keys, and you replace only the engine under the \
            adapter kit. The package has a library, a harness, the conformance suite as a program and as tests, a \
            workflow for continuous integration, and a README.

            Examples:
              holdfast adapter new Tin --holdfast-url https://git.example.com/holdfast.git
              holdfast adapter new Tin --holdfast-path ../holdfast --path adapters/tin
              holdfast adapter new Rocks --key-value --holdfast-path ../holdfast

            Nothing is written if the directory has something in it. Exit codes: 0 done, 1 not written, 64 wrong usage.
            """)

    @ArgumentParser.Argument(help: "The adapter's name: a capital letter, then letters and digits of ASCII.")
    var name: String

    @Option(help: "The directory of the package; by default one named after the adapter.")
    var path: String?

    @Option(help: "The address of Holdfast's repository.")
    var holdfastURL: String?

    @Option(help: "The directory of a local clone of Holdfast.")
    var holdfastPath: String?

    @Flag(help: "The back end keeps bytes under ordered keys, such as LevelDB, RocksDB, or LMDB.")
    var keyValue = false

    @Flag(help: "Prints the written files as JSON.")
    var json = false

    static let reservedNames: Set<String> = ["Foundation", "Swift", "Synchronization", "Testing"]

    func validate() throws {
        let isPlain = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: false
            }
        }
        guard isPlain, name.first?.isUppercase == true else {
            throw ValidationError(
                "'\(name)' is not a name for an adapter: use a capital letter, then letters and digits.")
        }
        if name.hasPrefix("Holdfast") || Self.reservedNames.contains(name) {
            throw ValidationError("'\(name)' is the name of another module.")
        }
        if (holdfastURL == nil) == (holdfastPath == nil) {
            throw ValidationError("Say where Holdfast is: --holdfast-url or --holdfast-path.")
        }
    }

    func run() throws {
        let folder = URL(fileURLWithPath: path ?? name, isDirectory: true)
        if let holdfastPath, !FileManager.default.fileExists(atPath: holdfastPath + "/Package.swift") {
            Output.error("'\(holdfastPath)' has no Package.swift; give the directory of Holdfast.")
            throw ExitCode(1)
        }
        let content = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        if content?.isEmpty == false || (content == nil && FileManager.default.fileExists(atPath: folder.path)) {
            Output.error("'\(path ?? name)' exists and is not empty; nothing was written.")
            throw ExitCode(1)
        }
        let dependency = holdfastURL.map(AdapterPackage.Dependency.init(url:))
        let package = AdapterPackage(
            name: name, dependency: dependency ?? AdapterPackage.Dependency(path: holdfastPath ?? "."),
            hasKeyValueEngine: keyValue)
        for file in package.files {
            let url = folder.appendingPathComponent(file.path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.content.utf8).write(to: url)
        }
        if json {
            try Output.json(["files": package.files.map(\.path)])
            return
        }
        try Output.result(
            """
            \(package.files.count) files in \(path ?? name). Continue with:
              cd \(path ?? name)
              swift build --product \(package.lowerName)-conformance
              .build/debug/\(package.lowerName)-conformance next
            """)
    }
}
#endif

import Foundation

// The order of sets and dictionaries is part of a run. The variable is read when the process starts.
if ProcessInfo.processInfo.environment["SWIFT_DETERMINISTIC_HASHING"] == nil {
    setenv("SWIFT_DETERMINISTIC_HASHING", "1", 1)
    var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) } + [nil]
    execv(Bundle.main.executablePath ?? CommandLine.arguments[0], &arguments)
    // Only if it failed.
    FileHandle.standardError.write(Data("holdfast-simulate: cannot start itself again\n".utf8))
    exit(70)
}
do {
    exit(try Simulate(Array(CommandLine.arguments.dropFirst())).run())
} catch let error as SchemaFailure {
    try error.show()
    exit(1)
} catch let error as InputFailure {
    FileHandle.standardError.write(Data("holdfast-simulate: \(error.text)\n".utf8))
    exit(error.status)
} catch let error as UsageError {
    FileHandle.standardError.write(Data("holdfast-simulate: \(error.text)\n\n\(UsageError.usage)\n".utf8))
    exit(64)
}

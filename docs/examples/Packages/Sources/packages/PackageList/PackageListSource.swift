import Foundation

/// Where the package list comes from: a file, the system's package index, or the sample.
final class PackageListSource {
    private static let chunkByteCount = 1 << 18
    private static let command = "/usr/bin/apt-cache"

    let name: String
    private let file: FileHandle
    private let process: Process?
    private var firstChunk: [UInt8]?

    private init(name: String, file: FileHandle, process: Process? = nil) throws {
        self.name = name
        self.file = file
        self.process = process
        firstChunk = try read()
    }

    /// Opens what the options ask for, else the system's index if it has packages, else the sample.
    static func open(_ options: Options) throws -> PackageListSource {
        if let path = options.inputPath { return try open(path, name: path) }
        if let index = try? systemIndex() {
            if index.firstChunk != nil { return index }
            index.close()
        }
        return try open(samplePath, name: "the sample that comes with the example")
    }

    /// The next piece of the list, or `nil` at its end.
    func nextChunk() throws -> [UInt8]? {
        if let chunk = firstChunk {
            firstChunk = nil
            return chunk
        }
        return try read()
    }

    /// Ends the command, if one is still running.
    func close() {
        try? file.close()
        guard let process else { return }
        process.terminate()
        process.waitUntilExit()
    }

    private func read() throws -> [UInt8]? {
        guard let data = try file.read(upToCount: Self.chunkByteCount), !data.isEmpty else { return nil }
        return [UInt8](data)
    }

    private static var samplePath: String {
        let source = URL(fileURLWithPath: #filePath)
        return source.appendingPathComponent("../../../../Sample/packages-sample.txt").standardizedFileURL.path
    }

    private static func open(_ path: String, name: String) throws -> PackageListSource {
        guard let file = FileHandle(forReadingAtPath: path),
            let source = try? PackageListSource(name: name, file: file)
        else {
            throw FileError(message: "cannot read '\(path)'; --input takes a file that apt-cache dumpavail printed")
        }
        return source
    }

    private static func systemIndex() throws -> PackageListSource? {
        guard FileManager.default.isExecutableFile(atPath: command) else { return nil }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = ["dumpavail"]
        process.standardError = FileHandle.nullDevice
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        return try PackageListSource(
            name: "the output of apt-cache dumpavail", file: pipe.fileHandleForReading, process: process)
    }
}

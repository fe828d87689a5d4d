#if CLI && Server
import ArgumentParser
import Foundation
import HoldfastWire

/// Where an export goes: the standard output, or a file that gets its name when it is complete.
struct ExportFile {
    private let path: String
    /// The path of the file itself; another one if `path` is that of a link.
    private let target: String
    /// The name until then; `nil` for what is not a file, such as a pipe.
    private var unfinished: String?
    private let handle: FileHandle
    private var buffer: [UInt8] = []

    private static let bufferSize = 64 << 10

    /// Begins an export.
    ///
    /// - Parameter path: The file; `nil` for the standard output.
    /// - Throws: `ValidationError` if the file cannot be written.
    init(path: String?) throws {
        self.path = path ?? "standard output"
        target = path.flatMap(Self.resolved) ?? self.path
        guard let path else {
            handle = .standardOutput
            return
        }
        let kind = try? FileManager.default.attributesOfItem(atPath: target)[.type] as? FileAttributeType
        guard kind == nil || kind == .typeRegular else {
            guard kind != .typeDirectory else {
                throw ValidationError("'\(path)' cannot be written: it is a directory.")
            }
            guard let handle = FileHandle(forWritingAtPath: path) else { throw Self.unwritable(path) }
            self.handle = handle
            return
        }
        // Another export to the same file may be in progress.
        let unfinished = target + ".unfinished-" + String(UInt64.random(in: 0 ... .max), radix: 36)
        let descriptor = open(unfinished, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.unwritable(path) }
        handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        self.unfinished = unfinished
    }

    /// The path without links; `nil` if nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func unwritable(_ path: String) -> ValidationError {
        ValidationError("'\(path)' cannot be written: \(String(cString: strerror(errno))).")
    }

    /// Writes a record.
    mutating func write(_ record: JSONObject) throws {
        buffer += WireValue.object(record).bytes
        buffer.append(UInt8(ascii: "\n"))
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Ends the export; the file has its name.
    mutating func finish() throws {
        try flush()
        guard let unfinished else { return }
        do {
            try handle.synchronize()
            try handle.close()
        } catch {
            throw failure(error)
        }
        guard rename(unfinished, target) == 0 else {
            throw FileFailure("'\(path)' cannot be written: \(String(cString: strerror(errno))).")
        }
    }

    /// Removes what was written of a file.
    func discard() { if let unfinished { unlink(unfinished) } }

    private mutating func flush() throws {
        do {
            try handle.write(contentsOf: buffer)
        } catch {
            throw failure(error)
        }
        buffer.removeAll(keepingCapacity: true)
    }

    private func failure(_ error: any Error) -> FileFailure {
        FileFailure("'\(path)' cannot be written: \(error.localizedDescription)")
    }
}
#endif

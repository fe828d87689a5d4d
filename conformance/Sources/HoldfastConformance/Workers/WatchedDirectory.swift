import Foundation

/// The directory of a location whose process records what was synced, by instruction from outside.
///
/// The other side, and the model of the disk, is the C target `CPowerLoss`.
struct WatchedDirectory {
    /// An instant at a sync, counted from 1 for each process.
    struct Cut: Sendable {
        enum Side: String, CaseIterable { case before, after }
        var side: Side
        var number: Int
    }

    let path: String
    /// What has become safe.
    private let shadow: String

    init(_ path: String) {
        self.path = path
        shadow = path + ".power-loss"
    }

    /// Makes an empty shadow.
    ///
    /// - Returns: The variables for the process that is to be watched.
    func prepare(_ cut: Cut?) throws -> [String: String] {
        remove()
        try FileManager.default.createDirectory(atPath: shadow, withIntermediateDirectories: true)
        var variables = ["HOLDFAST_POWER_FOLDER": path, "HOLDFAST_POWER_SHADOW": shadow]
        variables["HOLDFAST_POWER_CUT"] = cut.map { "\($0.side) \($0.number)" }
        return variables
    }

    /// Reads what the process, which has ended, synced, and what it wrote.
    ///
    /// - Throws: ``ClauseSkip`` if the process did not note what it synced.
    func remains() throws -> SurvivingFiles {
        guard let names = FileManager.default.contents(atPath: shadow + "/names") else {
            throw ClauseSkip("The child process does not call the functions that note what is synced.")
        }
        var remains = SurvivingFiles()
        for line in names.split(separator: 0) {
            let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { throw HarnessFailure("The list of synced files is broken.") }
            if words[0] == "d" {
                remains.folders.append(String(words[1]))
                continue
            }
            let inode = words[0].dropFirst()
            remains.synced[String(inode)] = .init(path: String(words[1]), content: content("\(shadow)/\(inode)"))
        }
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                let inode = attributes[.systemFileNumber] as? NSNumber
            else { continue }
            remains.written["\(inode.uint64Value)"] = .init(path: name, content: content("\(path)/\(name)"))
        }
        return remains
    }

    /// Makes the directory again.
    func restore(_ files: [SurvivingFiles.File], folders: [String]) throws {
        try? FileManager.default.removeItem(atPath: path)
        for folder in [path] + folders.map({ "\(path)/\($0)" }) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        for file in files {
            let url = URL(fileURLWithPath: "\(path)/\(file.path)")
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(file.content).write(to: url)
        }
    }

    /// Deletes the shadow.
    func remove() { try? FileManager.default.removeItem(atPath: shadow) }

    private func content(_ path: String) -> [UInt8] { [UInt8](FileManager.default.contents(atPath: path) ?? Data()) }
}

import Foundation

/// The folder of a site whose process is told from outside to note what was synced.
///
/// The other side, and the model of the disk, is the C target `CPowerLoss`.
struct WatchedFolder {
    /// An instant at a sync, counted from 1 for each process.
    struct Cut: Sendable {
        enum Side: String, CaseIterable { case before, after }
        var side: Side
        var number: Int
    }

    /// What becomes of the writes that were not synced.
    enum Unsynced {
        /// All are lost.
        case isLost
        /// Some sectors reached the disk and others did not, and so with the names of files; the seed says which.
        case isTorn(seed: UInt64)
    }

    private static let sectorByteCount = 512

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

    /// Leaves in the folder what has survived the process, which has ended.
    ///
    /// - Throws: ``ClauseSkip`` if the process did not note what it synced.
    func losePower(_ unsynced: Unsynced) throws {
        defer { remove() }
        guard let names = FileManager.default.contents(atPath: shadow + "/names") else {
            throw ClauseSkip("The child process does not come by the calls that note what is synced.")
        }
        let content = try survivors(names, unsynced)
        try? FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, data) in content {
            let place = "\(path)/\(name)"
            guard let data else {
                try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
                continue
            }
            let folder = URL(fileURLWithPath: place).deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(data).write(to: URL(fileURLWithPath: place))
        }
    }

    /// The paths that survive, in order, with the content of files; `nil` for folders.
    private func survivors(_ names: Data, _ unsynced: Unsynced) throws -> [(path: String, content: [UInt8]?)] {
        let synced = names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        guard case .isTorn(let seed) = unsynced else {
            return try synced.map(Self.entry).map { ($0.path, $0.inode.isEmpty ? nil : content("\(shadow)/\($0.inode)")) }
        }
        var random = SplitMix64(seed: seed)
        let now = try filesByInode()
        // The names may be those of the last instant already.
        let lines = random.chance(50) ? now.map { "f\($0.key) \($0.value)" } : synced
        return try lines.map(Self.entry).sorted { $0.path < $1.path }.map { path, inode in
            if inode.isEmpty { return (path, nil) }
            let safe = content("\(shadow)/\(inode)")
            guard let current = now[inode] else { return (path, safe) }
            return (path, Self.torn(safe, content("\(self.path)/\(current)"), &random))
        }
    }

    /// A line of the list of names; the inode of folders is empty.
    private static func entry(_ line: String) throws -> (path: String, inode: String) {
        let words = line.split(separator: " ", maxSplits: 1)
        guard words.count == 2 else { throw HarnessFailure("The list of synced files is broken.") }
        return (String(words[1]), String(words[0].dropFirst()))
    }

    private func content(_ path: String) -> [UInt8] { [UInt8](FileManager.default.contents(atPath: path) ?? Data()) }

    /// Deletes the shadow.
    func remove() { try? FileManager.default.removeItem(atPath: shadow) }

    /// The path of each file as the process left it, by the number of its inode.
    private func filesByInode() throws -> [String: String] {
        var result: [String: String] = [:]
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                let inode = attributes[.systemFileNumber] as? NSNumber
            else { continue }
            result["\(inode.uint64Value)"] = name
        }
        return result
    }

    /// Sectors of the synced content and of the newer one, at random.
    private static func torn(_ synced: [UInt8], _ newer: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        let length = random.below(2) == 0 ? synced.count : newer.count
        var result = Array(synced.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - synced.count))
        let survivalInTen = 1 + random.below(9)
        for start in stride(from: 0, to: min(length, newer.count), by: sectorByteCount) {
            let end = min(start + sectorByteCount, length, newer.count)
            if random.below(10) < survivalInTen { result.replaceSubrange(start..<end, with: newer[start..<end]) }
        }
        return result
    }
}

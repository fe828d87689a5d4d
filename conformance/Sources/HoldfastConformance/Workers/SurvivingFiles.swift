import HoldfastStorage

/// What a process left of a directory when the power failed: what was synced, and what was only written.
struct SurvivingFiles {
    struct File {
        var path: String
        var content: [UInt8]
    }

    private static let sectorByteCount = 512

    /// The directories below it that are safe.
    var folders: [String] = []
    /// The files that are safe, by inode.
    var synced: [String: File] = [:]
    /// The files as the process saw them last, by inode.
    var written: [String: File] = [:]

    /// The files where all that was not synced is lost.
    func survivors() -> [File] { Array(synced.values) }

    /// The files where some of what was not synced has reached the disk: names, or contents in part, or both.
    func survivors(torn random: inout SplitMix64) -> [File] {
        let names = random.chance(50) ? synced : written
        return names.sorted { $0.value.path < $1.value.path }.map { inode, file in
            let safe = synced[inode]?.content ?? []
            guard let newer = written[inode]?.content else { return File(path: file.path, content: safe) }
            return File(path: file.path, content: Self.torn(safe, newer, &random))
        }
    }

    /// The synced content with what was written since, up to some place or in sectors here and there.
    private static func torn(_ synced: [UInt8], _ newer: [UInt8], _ random: inout SplitMix64) -> [UInt8] {
        if random.chance(50) {
            let reached = random.number(in: 0...newer.count)
            return Array(newer.prefix(reached) + synced.dropFirst(reached))
        }
        let length = random.chance(50) ? synced.count : newer.count
        let percent = random.number(in: 10...90)
        var result = Array(synced.prefix(length)) + [UInt8](repeating: 0, count: max(0, length - synced.count))
        for start in stride(from: 0, to: min(length, newer.count), by: sectorByteCount) where random.chance(percent) {
            let end = min(start + sectorByteCount, length, newer.count)
            result.replaceSubrange(start..<end, with: newer[start..<end])
        }
        return result
    }
}

#if CLI
import Foundation

/// How much room the volume of a store has.
struct DiskCheck {
    /// The file or directory of the store; it need not exist.
    let path: String
    let byteCount: Int

    /// Below this a service soon fails.
    private static let least = 100 << 20
    private static let comfortable = 1 << 30

    var findings: [Finding] { [space] + [volume].compactMap(\.self) }

    private var space: Finding {
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: Self.existing(path))
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.intValue else {
            return .skipped("disk", "The system does not say how much room the volume of the store has.")
        }
        let message = "\(Self.size(free)) free on the volume of the store"
        let fix = "Free some space, or move the store: `holdfast copy`."
        if free < Self.least { return .problem("disk", "Only \(message).", fix: fix) }
        // A migration that is not additive writes the tables a second time.
        if free < byteCount {
            return .warning(
                "disk", "Only \(message), which has \(Self.size(byteCount)): a migration has no room for its copy.",
                fix: fix)
        }
        if free < Self.comfortable { return .warning("disk", "Only \(message).", fix: fix) }
        return .ok("disk", message)
    }

    /// A problem if the volume is on another machine, where locks and the write-ahead log do not work.
    private var volume: Finding? {
        guard let kind = Self.kind(of: Self.existing(path)) else {
            return .skipped("disk", "The system does not say which file system the store is on.")
        }
        guard Self.remote.contains(kind) else { return nil }
        return .problem(
            "disk", "The store is on a network file system (\(kind)), where locks do not protect it.",
            fix: "Move it to a disk of this machine, or use PostgreSQL: `holdfast copy`.")
    }

    /// The names that Linux and macOS give them.
    private static let remote: Set<String> = ["nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afpfs", "webdav"]

    /// The file system of a path; `nil` if the system does not say.
    private static func kind(of path: String) -> String? {
        #if canImport(Darwin)
        var status = statfs()
        guard statfs(path, &status) == 0 else { return nil }
        return withUnsafeBytes(of: status.f_fstypename) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        #else
        let full = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let mounts = FileManager.default.contents(atPath: "/proc/self/mounts") else { return nil }
        var found: (point: String, kind: String)?
        for line in String(decoding: mounts, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count > 2 else { continue }
            let point = String(words[1]).replacing("\\040", with: " ")
            guard point == "/" || full == point || full.hasPrefix(point + "/") else { continue }
            // Of two mounts on one point the later one is seen.
            if point.count >= (found?.point.count ?? 0) { found = (point, String(words[2])) }
        }
        return found?.kind
        #endif
    }

    /// The path, or the nearest directory above it that exists.
    static func existing(_ path: String) -> String {
        var url = URL(fileURLWithPath: path)
        while !FileManager.default.fileExists(atPath: url.path) && url.path != "/" { url.deleteLastPathComponent() }
        return url.path
    }

    /// A number of bytes, for people.
    static func size(_ count: Int) -> String {
        let units = ["GiB", "MiB", "KiB"]
        for (power, unit) in zip([30, 20, 10], units) where count >= 1 << power {
            let tenths = count / ((1 << power) / 10)
            return tenths >= 100 ? "\(tenths / 10) \(unit)" : "\(tenths / 10).\(tenths % 10) \(unit)"
        }
        return "\(count) bytes"
    }
}
#endif

#if CLI
import Foundation

/// Whether this user can read and write a store that is a file or a directory, and others cannot.
struct FilePermissions {
    let path: String
    /// Whether the store is a directory, as LevelDB keeps it.
    let isDirectory: Bool
    /// Whether the directory above is made, too.
    let makesParent: Bool

    private var files: FileManager { .default }

    var findings: [Finding] {
        let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
        var isParentDirectory: ObjCBool = false
        if !files.fileExists(atPath: parent, isDirectory: &isParentDirectory) {
            if makesParent { return [writable(DiskCheck.existing(parent))] }
            return [
                .problem(
                    "permissions", "The directory '\(parent)' does not exist.", fix: "Make it: `mkdir -p '\(parent)'`.")
            ]
        }
        guard isParentDirectory.boolValue else {
            return [.problem("permissions", "'\(parent)' is not a directory.", fix: "Use another path for the store.")]
        }
        var isThereDirectory: ObjCBool = false
        guard files.fileExists(atPath: path, isDirectory: &isThereDirectory) else { return [writable(parent)] }
        guard isThereDirectory.boolValue == isDirectory else {
            let kinds = isDirectory ? "a file, not the directory" : "a directory, not the file"
            return [.problem("permissions", "'\(path)' is \(kinds) of a store.", fix: "Use another path.")]
        }
        // SQLite makes files beside the store, LevelDB in it.
        var findings = [writable(isDirectory ? path : parent)]
        for name in isDirectory ? [] : [path, path + "-wal", path + "-shm"] where files.fileExists(atPath: name) {
            if !files.isReadableFile(atPath: name) || !files.isWritableFile(atPath: name) {
                findings.append(
                    .problem(
                        "permissions", "This user cannot read and write '\(name)'.",
                        fix: "Run as the user who owns it, or change that: `chown \(NSUserName()) '\(name)'`."))
            }
        }
        if let open = openToOthers { findings.append(open) }
        return findings
    }

    private func writable(_ directory: String) -> Finding {
        files.isWritableFile(atPath: directory) && files.isExecutableFile(atPath: directory)
            ? .ok("permissions", "This user can write in '\(directory)'")
            : .problem(
                "permissions", "This user cannot write in '\(directory)'.",
                fix: "Run as the user who owns it, or change that: `chown \(NSUserName()) '\(directory)'`.")
    }

    /// A warning if other users can read the records.
    private var openToOthers: Finding? {
        guard let mode = (try? files.attributesOfItem(atPath: path))?[.posixPermissions] as? NSNumber,
            mode.intValue & 0o007 != 0
        else { return nil }
        return .warning(
            "permissions", "Other users of this machine can read '\(path)'.",
            fix: "`chmod o-rwx '\(path)'`")
    }
}
#endif

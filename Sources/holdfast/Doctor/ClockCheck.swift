#if CLI
import Foundation

/// Whether the clock of this machine can be right: tokens, signatures, and certificates depend on it.
enum ClockCheck {
    static var findings: [Finding] {
        if let program = writtenLater { return [program] }
        return [synchronization]
    }

    /// A problem if this program was written after the present time.
    private static var writtenLater: Finding? {
        guard let path = Bundle.main.executablePath,
            let written = try? FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date,
            written.timeIntervalSinceNow > 60
        else { return nil }
        return .problem(
            "clock", "The clock is behind: the file of this program was changed later than now.", fix: setClock)
    }

    static let setClock = "Set the clock, and keep it synchronized: `timedatectl set-ntp true`, or run chronyd."

    /// Whether the system keeps the clock synchronized, where it says so.
    private static var synchronization: Finding {
        let unknown = Finding.skipped("clock", "The system does not say whether the clock is synchronized.")
        #if os(Linux)
        let paths = ["/usr/bin/timedatectl", "/bin/timedatectl"]
        guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else { return unknown }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = ["show", "--property=NTPSynchronized", "--value"]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return unknown }
        let answer = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        switch String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) {
        case "yes": return .ok("clock", "synchronized")
        case "no": return .warning("clock", "The system does not keep the clock synchronized.", fix: setClock)
        default: return unknown
        }
        #else
        return unknown
        #endif
    }

    /// Whether the clock of a database server agrees with this one.
    ///
    /// - Parameter difference: The server's time minus the time here, in seconds.
    /// - Returns: `ok` up to a difference of 5 seconds, a warning below 60 seconds, a problem otherwise.
    static func finding(serverAhead difference: Double) -> Finding {
        let distance = difference.magnitude
        let seconds = Int(distance.rounded())
        let direction = difference > 0 ? "behind" : "ahead of"
        if distance <= 5 { return .ok("clock", "agrees with the clock of the database server") }
        let message = "The clock is \(seconds) seconds \(direction) that of the database server."
        // From one minute on, tokens are refused: that is the default of `clockSkew`.
        return distance < 60
            ? .warning("clock", message, fix: setClock) : .problem("clock", message, fix: setClock)
    }
}
#endif

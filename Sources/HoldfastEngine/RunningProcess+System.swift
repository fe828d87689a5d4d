import Foundation
import HoldfastStorage

extension RunningProcess {
    /// This process; `nil` where the system does not say which machine it is.
    ///
    /// - Parameter run: A text that no other process has; no spaces.
    /// - Returns: This process's name, and a test whether another process of the machine has ended.
    static func current(run: String) -> RunningProcess? {
        guard let machine else { return nil }
        let own = Name(machine: machine, number: ProcessInfo.processInfo.processIdentifier, run: run)
        return RunningProcess(name: own.text) { text in
            guard let other = Name(text), other.machine == own.machine, other.run != own.run else { return false }
            // Numbers are given again: an earlier process that had this one's has ended.
            return other.number == own.number || kill(other.number, 0) == -1 && errno == ESRCH
        }
    }

    /// What a name consists of.
    private struct Name {
        let machine: String
        let number: Int32
        /// Distinguishes processes that had the same number.
        let run: String

        init(machine: String, number: Int32, run: String) {
            (self.machine, self.number, self.run) = (machine, number, run)
        }

        /// Reads a name; `nil` if it is not valid.
        init?(_ text: String) {
            let parts = text.split(separator: " ")
            guard parts.count == 3, let number = Int32(parts[1]), number > 0 else { return nil }
            self.init(machine: String(parts[0]), number: number, run: String(parts[2]))
        }

        var text: String { "\(machine) \(number) \(run)" }
    }

    /// Since when the machine runs, and which of its processes see each other; no spaces.
    private static var machine: String? {
        #if canImport(Darwin)
        var size = 0
        guard sysctlbyname("kern.bootsessionuuid", nil, &size, nil, 0) == 0, size > 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctlbyname("kern.bootsessionuuid", &bytes, &size, nil, 0) == 0 else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #else
        guard let start = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8),
            let group = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/ns/pid")
        else { return nil }
        return start.filter { !$0.isWhitespace } + group.filter { !$0.isWhitespace }
        #endif
    }
}

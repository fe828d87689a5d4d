import CLevelDBRaw
import CPostgreSQLRaw
import CSQLiteRaw
import Foundation

/// What a run was made on and with.
enum Machine {
    /// Names and values, for people.
    static var facts: [(name: String, value: String)] {
        let process = ProcessInfo.processInfo
        let gigabytes = Double(process.physicalMemory) / 1_073_741_824
        return [
            ("processor", "\(processor), \(process.activeProcessorCount) cores"),
            ("memory", String(format: "%.1f GiB", gigabytes)), ("system", process.operatingSystemVersionString),
            ("Swift", swift), ("SQLite", String(cString: sqlite3_libversion())),
            ("LevelDB", "\(leveldb_major_version()).\(leveldb_minor_version())"),
            ("libpq", "\(PQlibVersion() / 10_000).\(PQlibVersion() % 10_000)"),
        ]
    }

    /// The day as `YYYY-MM-DD`.
    static var today: String { String(Date().formatted(.iso8601).prefix(10)) }

    private static var processor: String {
        #if os(Linux)
        let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
        #else
        var size = 0
        sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
        var bytes = [UInt8](repeating: 0, count: size)
        sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0)
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        #endif
    }

    private static var swift: String {
        #if compiler(>=6.4)
        "6.4 or later"
        #elseif compiler(>=6.3)
        "6.3"
        #else
        "6.2"
        #endif
    }
}

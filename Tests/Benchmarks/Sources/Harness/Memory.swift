import Foundation

#if canImport(Glibc)
    import Glibc

    /// Returns free memory to the system; the Glibc module does not export it.
    @_silgen_name("malloc_trim")
    private func trimHeap(_ padding: Int) -> Int32
#elseif canImport(Darwin)
    import Darwin
#endif

/// The memory of this process, as the system counts it.
struct Memory {
    private let start: Int
    private var highest: Int

    /// Returns free memory to the system, where that can be asked for, and starts counting.
    init() {
        #if canImport(Glibc)
            _ = trimHeap(0)
            // Sets the peak back to the present; without the right to do so samples must do.
            try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
        #endif
        start = Self.residentByteCount
        highest = start
    }

    /// Looks at the present size.
    mutating func sample() { highest = max(highest, Self.residentByteCount) }

    /// How many bytes the process grew by at most since the start.
    var growth: Int { max(highest, Self.peakByteCount ?? 0) - start }

    #if canImport(Darwin)
        private static var peakByteCount: Int? { nil }

        private static var residentByteCount: Int {
            var info = mach_task_basic_info()
            var count = mach_msg_type_number_t(
                MemoryLayout<mach_task_basic_info>.size / MemoryLayout<natural_t>.size)
            let status = withUnsafeMutablePointer(to: &info) { pointer in
                pointer.withMemoryRebound(to: integer_t.self, capacity: Int(count)) {
                    task_info(mach_task_self_, task_flavor_t(MACH_TASK_BASIC_INFO), $0, &count)
                }
            }
            return status == KERN_SUCCESS ? Int(info.resident_size) : 0
        }
    #else
        private static var peakByteCount: Int? { statusField("VmHWM:") }
        private static var residentByteCount: Int { statusField("VmRSS:") ?? 0 }

        private static func statusField(_ name: String) -> Int? {
            guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return nil }
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
            let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
            return kibibytes.map { $0 * 1_024 }
        }
    #endif
}

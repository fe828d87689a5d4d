import Foundation

#if canImport(Glibc)
import Glibc

/// Returns free memory to the system; the Glibc module does not export it.
@_silgen_name("malloc_trim")
private func trimHeap(_ padding: Int) -> Int32

/// Writes what is allocated, as XML; the Glibc module does not export it.
@_silgen_name("malloc_info")
private func describeHeap(_ options: Int32, _ file: UnsafeMutablePointer<FILE>) -> Int32
#elseif canImport(Darwin)
import Darwin
#endif

/// The memory of this process, as the system counts it; on Linux without pages of files that are mapped.
struct Memory {
    private let start: Int
    /// The largest size that was sampled, in bytes.
    private(set) var highest: Int

    /// Returns free memory to the system, where that can be asked for, and starts counting.
    init() {
        #if canImport(Glibc)
        _ = trimHeap(0)
        #endif
        start = Self.residentByteCount
        highest = start
    }

    /// Looks at the present size.
    mutating func sample() { highest = max(highest, Self.residentByteCount) }

    /// Takes over a size that was seen elsewhere.
    mutating func note(_ size: Int) { highest = max(highest, size) }

    /// How many bytes the process had grown by, at most, when it was measured.
    var growth: Int { highest - start }

    /// The bytes that are allocated and not freed; without a count, the memory of the process.
    ///
    /// For what is small beside memory that earlier benchmarks have freed, and that the process still has.
    static var allocatedByteCount: Int {
        #if canImport(Glibc)
        var (text, size): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        guard let file = open_memstream(&text, &size) else { return residentByteCount }
        _ = describeHeap(0, file)
        fclose(file)
        defer { free(text) }
        guard let text else { return residentByteCount }
        // The sums of all arenas come last.
        var sums: [Substring: Int] = [:]
        for line in String(cString: text).split(separator: "\n") {
            let words = line.split(whereSeparator: { " \"</>=".contains($0) })
            guard words.count >= 4, words[0] == "total" || words[0] == "system", words[words.count - 2] == "size" else {
                continue
            }
            sums[words[2]] = Int(words[words.count - 1])
        }
        guard let system = sums["current"] else { return residentByteCount }
        return system - (sums["fast"] ?? 0) - (sums["rest"] ?? 0) + (sums["mmap"] ?? 0)
        #else
        return residentByteCount
        #endif
    }

    #if canImport(Darwin)
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
    private static var residentByteCount: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") }
        let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
        return (kibibytes ?? 0) * 1_024
    }
    #endif
}

internal import CPowerLoss
import Foundation
import HoldfastStorage

/// Faults of the disk under the files of a location, in the process that opened it.
///
/// The other side, which defines the calls a second time, is the C target `CPowerLoss`. A clause that uses them needs a
/// process of its own (`measuresProcess`).
struct DiskFaults: Sendable {
    /// A call that fails.
    enum Call: String, Sendable, CaseIterable {
        case write, sync

        fileprivate var number: Int32 {
            switch self {
            case .write: Int32(HOLDFAST_DISK_WRITE)
            case .sync: Int32(HOLDFAST_DISK_SYNC)
            }
        }
    }

    /// With what the paths of the files begin.
    let path: String

    /// The faults of files whose paths begin so.
    init(path: String) { self.path = path }

    /// The faults of a location's files.
    ///
    /// - Throws: ``ClauseSkip`` if the store is not in files of this process, or the calls cannot be reached.
    init(of location: any StoreLocation) throws {
        guard case .directory(let path)? = location.powerLoss else {
            throw ClauseSkip("The location has no powerLoss of kind .directory.")
        }
        guard holdfast_power_loss_is_available() != 0 else {
            throw ClauseSkip("The calls that write cannot be made to fail on this system.")
        }
        self.path = path
    }

    /// From now on the files can grow by a number of bytes together and no further.
    func limit(room: Int) { holdfast_disk_limit(path, room) }

    /// From now on, `count` calls fail: the one with a number, counted from 1, and those after it.
    ///
    /// - Parameters:
    ///   - call: Which calls are counted.
    ///   - number: The number of the first call that fails.
    ///   - count: How many calls fail.
    ///   - error: The error; 0 ends the process instead.
    func fail(_ call: Call, number: Int, count: Int = 1, error: Int32 = EIO) {
        holdfast_disk_fail(path, call.number, number, count, error)
    }

    /// No more faults.
    func heal() { holdfast_disk_heal() }

    /// How many calls failed since the fault was switched on.
    var count: Int { holdfast_disk_fault_count() }

    /// Overwrites the content of every larger file in the directory from its second page to its last but one.
    ///
    /// The sizes stay. Index, lock and log files of a few pages are left alone.
    ///
    /// - Returns: How many bytes were overwritten.
    func overwriteFiles() throws -> Int {
        var total = 0
        for name in FileManager.default.enumerator(atPath: path)?.compactMap({ $0 as? String }) ?? [] {
            let file = "\(path)/\(name)"
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            guard attributes[.type] as? FileAttributeType == .typeRegular,
                let size = attributes[.size] as? NSNumber, size.intValue >= 40_000, !name.hasSuffix("-shm")
            else { continue }
            let handle = try FileHandle(forUpdating: URL(fileURLWithPath: file))
            try handle.seek(toOffset: 8_192)
            let count = size.intValue - 16_384
            try handle.write(contentsOf: Data(repeating: 0xFF, count: count))
            try handle.close()
            total += count
        }
        return total
    }
}

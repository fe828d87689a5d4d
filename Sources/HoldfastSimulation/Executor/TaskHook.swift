#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The place in Swift's runtime through which every job goes that names no executor of its own.
///
/// It belongs to the process, so a process that installs a hook does nothing but simulate.
enum TaskHook {
    typealias Original = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Where the runtime keeps the hook; `nil` if it has no such place.
    private nonisolated(unsafe) static let place: UnsafeMutablePointer<Hook?>? = {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return nil }
        return symbol.assumingMemoryBound(to: Hook?.self)
    }()

    /// Who receives the jobs.
    nonisolated(unsafe) static var receiver: Simulator?

    /// Has all jobs of the process go to the receiver.
    ///
    /// - Returns: Whether the runtime can do that.
    static func install() -> Bool {
        guard let place else { return false }
        if place.pointee == nil {
            place.pointee = { job, original in
                if let receiver = TaskHook.receiver { receiver.add(job) } else { original(job) }
            }
        }
        return true
    }
}

internal import CSwiftConcurrency

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The place in Swift's runtime through which every job goes that names no executor of its own.
///
/// It belongs to the process. Jobs of other threads than the one that simulates run as they would without it.
enum TaskHook {
    typealias Original = @convention(thin) (UnownedJob) -> Void
    typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    /// Where the runtime keeps the hook.
    private nonisolated(unsafe) static let slot: UnsafeMutablePointer<Hook?>? =
        UnsafeMutableRawPointer(holdfast_enqueue_hook())?.assumingMemoryBound(to: Hook?.self)

    /// Where each thread keeps its receiver.
    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key, nil)
        precondition(status == 0, "The process has too many keys of threads.")
        return key
    }()

    /// Who receives the jobs of this thread.
    static var receiver: Simulator? {
        get { pthread_getspecific(key).map { Unmanaged<Simulator>.fromOpaque($0).takeUnretainedValue() } }
        set { pthread_setspecific(key, newValue.map { Unmanaged.passUnretained($0).toOpaque() }) }
    }

    /// Whether jobs of threads with a receiver go to it.
    static let isInstalled: Bool = {
        guard let slot else { return false }
        slot.pointee = { job, original in
            if let receiver = TaskHook.receiver { receiver.add(job) } else { original(job) }
        }
        return true
    }()
}

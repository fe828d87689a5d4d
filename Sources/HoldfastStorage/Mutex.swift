#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A value that one thread at a time can use.
///
/// It works like `Mutex` of the standard library's `Synchronization`, which needs iOS 18 and macOS 15.
///
/// ```swift
/// let count = Mutex(0)
/// let next = count.withLock { count in
///     count += 1
///     return count
/// }
/// ```
package struct Mutex<Value>: ~Copyable, @unchecked Sendable {
    @usableFromInline let storage: ManagedBuffer<Value, PlatformLock>

    /// Creates a mutex that no thread holds.
    @inlinable
    package init(_ value: sending Value) {
        storage = MutexStorage<Value>.create(minimumCapacity: 1) { _ in value }
        storage.withUnsafeMutablePointerToElements { $0.create() }
    }

    /// Waits for the lock, and holds it while the closure uses the value.
    ///
    /// The closure must not call the same mutex again; that ends the process.
    ///
    /// - Throws: What the closure throws.
    @inlinable
    package borrowing func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.withUnsafeMutablePointerToElements { $0.lock() }
        defer { storage.withUnsafeMutablePointerToElements { $0.unlock() } }
        return try body(&storage.header)
    }

    /// Does the same if the lock is free.
    ///
    /// - Returns: What the closure returns, or `nil` if a thread holds the lock.
    /// - Throws: What the closure throws.
    @inlinable
    package borrowing func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard storage.withUnsafeMutablePointerToElements({ $0.lockIfAvailable() }) else { return nil }
        defer { storage.withUnsafeMutablePointerToElements { $0.unlock() } }
        return try body(&storage.header)
    }
}

extension Mutex where Value: Sendable {
    /// The value at the moment.
    @inlinable
    package func load() -> Value { withLock { $0 } }

    /// Replaces the value.
    @inlinable
    package func store(_ value: Value) { withLock { $0 = value } }

    /// Replaces the value.
    ///
    /// - Returns: The value before.
    @inlinable
    package func exchange(_ value: Value) -> Value {
        withLock { current in
            defer { current = value }
            return current
        }
    }
}

extension Mutex where Value: BinaryInteger & Sendable {
    /// Adds one.
    ///
    /// - Returns: The value afterwards.
    @inlinable
    @discardableResult
    package func increment() -> Value {
        withLock { value in
            value += 1
            return value
        }
    }
}

/// The value, followed by the lock: one allocation, whose address does not change.
@usableFromInline
final class MutexStorage<Value>: ManagedBuffer<Value, PlatformLock> {
    @inlinable
    deinit { withUnsafeMutablePointerToElements { $0.destroy() } }
}

#if canImport(Darwin)
@usableFromInline
struct PlatformLock {
    fileprivate var lock = os_unfair_lock()
}

extension UnsafeMutablePointer<PlatformLock> {
    private var platform: UnsafeMutablePointer<os_unfair_lock> { pointer(to: \.lock)! }

    @usableFromInline func create() { initialize(to: PlatformLock()) }
    @usableFromInline func destroy() { deinitialize(count: 1) }
    @usableFromInline func lock() { os_unfair_lock_lock(platform) }
    @usableFromInline func lockIfAvailable() -> Bool { os_unfair_lock_trylock(platform) }
    @usableFromInline func unlock() { os_unfair_lock_unlock(platform) }
}
#else
@usableFromInline
struct PlatformLock {
    fileprivate var lock = pthread_mutex_t()
}

extension UnsafeMutablePointer<PlatformLock> {
    private var platform: UnsafeMutablePointer<pthread_mutex_t> { pointer(to: \.lock)! }

    @usableFromInline
    func create() {
        initialize(to: PlatformLock())
        var attributes = pthread_mutexattr_t()
        pthread_mutexattr_init(&attributes)
        defer { pthread_mutexattr_destroy(&attributes) }
        // So that a thread that locks twice fails instead of waiting for itself.
        pthread_mutexattr_settype(&attributes, CInt(PTHREAD_MUTEX_ERRORCHECK))
        let status = pthread_mutex_init(platform, &attributes)
        precondition(status == 0, "pthread_mutex_init failed with \(status).")
    }

    @usableFromInline
    func destroy() {
        pthread_mutex_destroy(platform)
        deinitialize(count: 1)
    }

    @usableFromInline
    func lock() {
        let status = pthread_mutex_lock(platform)
        precondition(status == 0, "pthread_mutex_lock failed with \(status).")
    }

    @usableFromInline func lockIfAvailable() -> Bool { pthread_mutex_trylock(platform) == 0 }

    @usableFromInline
    func unlock() {
        let status = pthread_mutex_unlock(platform)
        precondition(status == 0, "pthread_mutex_unlock failed with \(status).")
    }
}
#endif

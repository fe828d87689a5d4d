import Foundation

/// Whether a closure writes to a pipe or a socket that nothing reads, so that this thread gets `SIGPIPE`.
///
/// It is blocked meanwhile, since it is kept then also where the process ignores it, as SwiftNIO has it do.
package func raisesBrokenPipe(_ body: () throws -> Void) rethrows -> Bool {
    var (brokenPipe, blocked, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &brokenPipe, &blocked)
    defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
    try body()
    sigpending(&pending)
    guard sigismember(&pending, SIGPIPE) == 1 else { return false }
    var signal: Int32 = 0
    sigwait(&brokenPipe, &signal)
    return true
}

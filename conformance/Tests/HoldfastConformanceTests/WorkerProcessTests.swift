import Foundation
import HoldfastConformance
import Testing

struct WorkerProcessTests {
    @Test func childReadsWhatItIsGiven() async throws {
        let child = try WorkerProcess(executable: "/bin/cat", arguments: [], takesInput: true)
        child.write("one\ntwo\n")
        child.closeInput()

        var lines: [String] = []
        for await line in child.lines { lines.append(line) }
        #expect(lines == ["one", "two"])
        #expect(await child.end().code == 0)
    }

    @Test func writingToOneThatHasEndedSendsNoSignal() async throws {
        let child = try WorkerProcess(executable: "/bin/cat", arguments: [], takesInput: true)
        child.kill()
        _ = await child.end()

        #expect(!sendsBrokenPipe { child.write("\n") })
    }
}

// Another test may have the process ignore the signal; where it is blocked, it is kept nevertheless.
private func sendsBrokenPipe(_ body: () -> Void) -> Bool {
    var (signals, former, pending) = (sigset_t(), sigset_t(), sigset_t())
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, &former)
    defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
    body()
    sigpending(&pending)
    return sigismember(&pending, SIGPIPE) == 1
}

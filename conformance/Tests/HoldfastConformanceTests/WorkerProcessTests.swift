import Foundation
import HoldfastConformance
import HoldfastTestSupport
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

        #expect(!raisesBrokenPipe { child.write("\n") })
    }
}

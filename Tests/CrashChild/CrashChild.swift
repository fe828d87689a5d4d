import Foundation
import HoldfastStorage
import Synchronization

/// A process that tests start to end it in the middle of its work.
///
/// It says on its standard output, line by line, how far it has come: each line is written before the work that it
/// announces and after the work that it reports. Where it is told to stop, it waits for a line of its standard input.
@main
enum CrashChild {
    static func main() async {
        do {
            var arguments = CommandLine.arguments.dropFirst()
            switch arguments.popFirst() {
            case "migrate": try await migrate(Array(arguments))
            default: exit(64)
            }
        } catch let error as StorageError {
            say("failed \(error.kind.rawValue)")
        } catch {
            say("failed")
        }
    }

    /// `migrate <path> <scenario> [<record>]`: opens a store with the scenario's models; stops before the record.
    private static func migrate(_ arguments: [String]) async throws {
        #if SQLite
            guard arguments.count >= 2, let scenario = MigrationScenario(rawValue: arguments[1]) else { exit(64) }
            let stop = arguments.count > 2 ? Int(arguments[2]) : nil
            let transformed = Atomic(0)
            say("opening")
            let store = try await scenario.open(arguments[0]) { record in
                transformed.wrappingAdd(1, ordering: .relaxed)
                if record == stop { pause(at: record) }
            }
            say("opened \(transformed.load(ordering: .relaxed))")
            try await store.close()
            say("closed")
        #else
            exit(69)
        #endif
    }

    private static func pause(at record: Int) {
        say("stopped \(record)")
        _ = readLine()
    }

    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

import Foundation
import HoldfastEngine
import HoldfastLevelDB
import HoldfastSQLite
import HoldfastStorage
import HoldfastTestSupport

/// A process that tests start to end it in the middle of its work.
///
/// It says on its standard output, line by line, how far it has come: each line is written before the work that it
/// announces and after the work that it reports. Where it has to stop, it waits for a line of its standard input.
@main
enum CrashChild {
    static func main() async {
        do {
            var arguments = CommandLine.arguments.dropFirst()
            switch arguments.popFirst() {
            case "migrate": try await migrate(Array(arguments))
            case "copy": try await copy(Array(arguments))
            case "fill": try await fill(Array(arguments))
            case "sync": try await sync(Array(arguments))
            default: exit(64)
            }
        } catch let error as StorageError {
            say("failed \(error.kind.rawValue)")
        } catch {
            say("failed")
        }
    }

    /// `migrate <path> <scenario> <milliseconds> [<record>]`: opens a store with the scenario's models, waiting that
    /// long for another process; stops before the record.
    private static func migrate(_ arguments: [String]) async throws {
        #if SQLite
        guard arguments.count >= 3, let scenario = MigrationScenario(rawValue: arguments[1]),
            let milliseconds = Int64(arguments[2])
        else { exit(64) }
        let stop = arguments.count > 3 ? Int(arguments[3]) : nil
        let transformed = Mutex(0)
        say("opening")
        let store = try await scenario.open(arguments[0], busyTimeout: .milliseconds(milliseconds)) { record in
            transformed.increment()
            if record == stop { pause(at: record) }
        }
        say("opened \(transformed.load())")
        try await store.close()
        say("closed")
        #else
        exit(69)
        #endif
    }

    /// `copy <path> <adapter> <path> [<record>]`: copies a SQLite store to another adapter; stops after the batch of
    /// posts that reaches the record.
    private static func copy(_ arguments: [String]) async throws {
        #if SQLite
        guard arguments.count >= 3 else { exit(64) }
        let stop = arguments.count > 3 ? Int(arguments[3]) : nil
        let (name, path) = (arguments[1], arguments[2])
        let source = try await Store.openAsStored {
            SQLiteAdapter(SQLiteConfiguration(.file(arguments[0]), isReadOnly: true))
        }
        say("copying")
        let copy = StoreCopy(from: source) { progress in
            guard let stop, progress.entity == "Post", progress.recordCount >= stop else { return }
            pause(at: progress.recordCount)
        } to: {
            try makeTarget(name, path)
        }
        let (target, _) = try await copy.run()
        say("copied")
        try await target.close()
        try await source.close()
        #else
        exit(69)
        #endif
    }

    /// `fill <path> <count>`: makes a SQLite store with a blog and that number of posts, all of them in the outbox.
    private static func fill(_ arguments: [String]) async throws {
        #if SQLite
        guard arguments.count == 2, let count = Int(arguments[1]) else { exit(64) }
        let store = try await DataStore.open(SQLiteAdapter(path: arguments[0]), models: [Blog.self, Post.self])
        let blog = Blog(id: "b", name: "Blog")
        try await store.save(blog)
        try await store.save((0..<count).map { Post(id: "p\($0)", title: "A secret title", blog: blog) })
        try await store.close()
        say("filled")
        #else
        exit(69)
        #endif
    }

    /// Synchronizes a device with its service; see ``SyncingChild/init(_:)``.
    private static func sync(_ arguments: [String]) async throws {
        #if SQLite
        guard let child = SyncingChild(arguments) else { exit(64) }
        try await child.run()
        #else
        exit(69)
        #endif
    }

    #if SQLite
    private static func makeTarget(_ name: String, _ path: String) throws -> any StorageAdapter {
        #if LevelDB
        if name == "leveldb" { return LevelDBAdapter(path: path) }
        #endif
        guard name == "sqlite" else { exit(69) }
        return SQLiteAdapter(path: path)
    }
    #endif

    static func pause(at record: Int) {
        say("stopped \(record)")
        _ = readLine()
    }

    static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
}

#if SQLite && (os(Linux) || os(macOS))
import Foundation
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct SharedFileTests {
    /// Another process that closes the file must see that it is not the last one: it would take away the log to which
    /// the first handle still writes.
    @Test func aSecondHandleKeepsTheLocksOfTheFirst() async throws {
        let (location, copy) = (TestLocation(.sqlite), TestLocation(.sqlite))
        func open(_ location: TestLocation) async throws -> DataStore {
            try await DataStore.open(location.make(), models: [Blog.self, Post.self])
        }
        let first = try await open(location)
        try await first.save(Blog(id: "a", name: "A"))
        let second = try await open(location)
        let child = try ChildProcess("CrashChild", ["fill", location.path, "1"])
        #expect(await child.readLine() == "filled")
        await child.wait()
        try await first.save(Blog(id: "c", name: "C"))
        // What another process finds, also if this one dies now.
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: location.path + suffix) {
            try FileManager.default.copyItem(atPath: location.path + suffix, toPath: copy.path + suffix)
        }
        let other = try await open(copy)
        #expect(try await other.query(Blog.self).map(\.id).sorted() == ["a", "b", "c"])
        for store in [first, second, other] { try await store.close() }
    }
}
#endif

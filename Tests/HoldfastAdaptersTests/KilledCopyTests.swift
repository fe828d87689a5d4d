#if SQLite && (os(Linux) || os(macOS))
import Foundation
import HoldfastAdapterTestSupport
import HoldfastEngine
import HoldfastModel
import HoldfastStorage
import HoldfastTestSupport
import Testing

struct KilledCopyTests {
    /// A process that copies is killed between two batches; the next copy continues where it was.
    @Test(arguments: TestedAdapter.lasting)
    func aCopyWhoseProcessWasKilledIsFinishedByTheNext(_ adapter: TestedAdapter) async throws {
        let (location, target) = (TestLocation(.sqlite), TestLocation(adapter))
        try await ShopStore.fill(location)
        let files = try location.storeFiles()
        let child = try ChildProcess("CrashChild", ["copy", location.path, adapter.rawValue, target.path, "1000"])
        #expect(await child.readLine() == "copying")
        #expect(await child.readLine() == "stopped 1016")
        child.end()
        await child.wait()
        #expect(try location.storeFiles() == files)
        let refusal = await storageError {
            _ = try await DataStore.open(target.make(), models: ShopStore.models)
        }
        #expect(refusal?.kind == .incompatibleStore)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        let (copy, report) = try await StoreCopy(from: source) { target.make() }.run()
        #expect(report.entities.first { $0.name == "Post" }?.keptCount == 1_016)
        #expect(try await copy.content() == source.content())
        try await copy.close()
        try await source.close()
    }

    /// From the first instant to the last: whatever is left can be finished, or is finished.
    @Test(arguments: TestedAdapter.lasting)
    func aCopyKilledAtAnyInstantCanBeFinished(_ adapter: TestedAdapter) async throws {
        let location = TestLocation(.sqlite)
        try await ShopStore.fill(location)
        let source = try await Store.openAsStored { location.make(isReadOnly: true) }
        let content = try await source.content()
        let undisturbed = TestLocation(adapter)
        let whole = try ChildProcess("CrashChild", ["copy", location.path, adapter.rawValue, undisturbed.path])
        #expect(await whole.readLine() == "copying")
        let duration = await ContinuousClock().measure { #expect(await whole.readLine() == "copied") }
        await whole.wait()
        for instant in 0..<8 {
            let target = TestLocation(adapter)
            let child = try ChildProcess("CrashChild", ["copy", location.path, adapter.rawValue, target.path])
            #expect(await child.readLine() == "copying")
            // What is waited for is an instant, not an event.
            usleep(UInt32((duration * (Double(instant) / 7)) / .microseconds(1)))
            child.end()
            await child.wait()
            do {
                let (copy, _) = try await StoreCopy(from: source) { target.make() }.run()
                #expect(try await copy.content() == content)
                try await copy.close()
            } catch let error as StorageError where error.message.contains("holds a store already") {
                // Killed after its last step.
                let application = try await Store.openAsStored { target.make() }
                #expect(try await application.content() == content)
                try await application.close()
            }
        }
        try await source.close()
    }
}
#endif

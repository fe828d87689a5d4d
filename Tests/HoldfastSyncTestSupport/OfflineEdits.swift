import HoldfastEngine
import HoldfastModel
package import HoldfastServer
import HoldfastSync
import HoldfastTestSupport
import HoldfastWire

/// Edits that two devices make while they have no network, and that meet at the service.
package enum OfflineEdits {
    /// Lets two devices make the edits and synchronize, and a third one read what they became.
    ///
    /// - Parameters:
    ///   - a: The device whose edits come first.
    ///   - b: The other device.
    ///   - makeThird: Opens a device that has nothing.
    /// - Returns: What all three hold.
    /// - Throws: What the stores throw; an error if a device could not read a model.
    package static func meet(
        _ a: Device, _ b: Device, makeThird: () async throws -> Device
    ) async throws -> [String] {
        try await start(a)
        for id in ["apart", "same", "gone"] { try await a.store.save(Note(id: id, title: "t", body: "b")) }
        try await a.waitUntilSent()
        try await start(b)

        for device in [a, b] { _ = await device.engine.stop() }
        try await edit(a, "apart") { $0.title = "from a" }
        try await edit(b, "apart") { $0.body = "from b" }
        try await edit(a, "same") { $0.title = "from a" }
        try await edit(b, "same") { $0.title = "from b" }
        try await a.store.delete(Note.self, withId: "gone")
        try await edit(b, "gone") { $0.rating = 1 }
        for (name, device) in [("a", a), ("b", b)] {
            let note = Note(id: "new \(name)", title: name)
            try await device.store.save(note)
            try await device.store.save(Remark(id: "remark \(name)", text: name, note: LazyReference(note)))
        }

        for device in [a, b] {
            try await start(device, again: true)
            try await device.waitUntilSent()
        }
        let c = try await makeThird()
        try await start(c)
        let content = try await c.content()
        for device in [a, b] { try await device.wait { try await device.content() == content } }
        for device in [a, b, c] { try await device.end() }
        return content
    }

    /// What they become: both edits of different fields survive, one edit of the same field does, and a deleted record
    /// stays deleted.
    package static let outcome = [
        "note apart: from a, from b, -", "note new a: a, -, -", "note new b: b, -, -", "note same: from a, b, -",
        "remark remark a: a", "remark remark b: b",
    ]

    /// A service of a strategy, whose handler keeps the title that came first.
    package static func options(_ strategy: ConflictStrategy) -> ServerOptions {
        ServerOptions(apiKeys: ["key"], strategy: strategy) { conflict in
            if conflict.existingItem["_deleted"]?.boolean == true { return .reject }
            var item = conflict.newItem
            item["title"] = conflict.existingItem["title"]
            return .resolve(item)
        }
    }

    /// Starts a device.
    ///
    /// It is also ready after a read that failed, and then may never have what the edits need.
    private static func start(_ device: Device, again: Bool = false) async throws {
        _ = await device.engine.start()
        try await device.waitUntilReady(again ? 2 : 1)
        for case .report(let report) in device.log.events {
            if case .model = report { throw FailedRead(report: report) }
        }
    }

    private static func edit(_ device: Device, _ id: String, _ change: (inout Note) -> Void) async throws {
        guard var note = try await device.store.query(Note.self, byId: id) else { throw MissingNote(id: id) }
        change(&note)
        try await device.store.save(note)
    }

    private struct MissingNote: Error { let id: String }
    private struct FailedRead: Error { let report: SyncReport }
}

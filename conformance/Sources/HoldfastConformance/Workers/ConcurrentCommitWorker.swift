import HoldfastStorage

/// Several tasks that commit at the same time, each into a lane of its own.
enum ConcurrentCommitWorker {
    static let lane = EntitySchema(
        "Lane", fields: [FieldSchema("id", .id), FieldSchema("number", .int), FieldSchema("text", .string)])
    static let laneCount = 6
    static let stepCount = 8

    /// A record of a lane; every step of it is one record more.
    static func key(_ lane: Int, _ step: Int) -> String { "l\(lane)s\(step)" }

    /// Every lane has another; the first ones are strong.
    static func durability(of lane: Int) -> Durability { [.powerLoss, .none, .processCrash][lane % 3] }

    static func load(_ location: any StoreLocation) async throws {
        let store = try await Store.open(try location.makeAdapter(), schema: StorageSchema(entities: [lane]))
        WorkerJob.say("open")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<laneCount { group.addTask { try await fill(lane, store) } }
            try await group.waitForAll()
        }
        try await store.close()
        WorkerJob.say("end")
    }

    private static func fill(_ lane: Int, _ store: Store) async throws {
        for step in 0..<stepCount {
            let row: [Value] = [
                .text(key(lane, step)), .integer(Int64(step)), .text(String(repeating: "x", count: 300)),
            ]
            let receipt = try await store.commit(
                CommitRequest(
                    operations: [.put(entity: "Lane", rows: RowBuffer(row: row), mode: .insert)],
                    durability: durability(of: lane)))
            WorkerJob.say("ack \(lane) \(step) \(receipt.sequence)")
        }
    }
}

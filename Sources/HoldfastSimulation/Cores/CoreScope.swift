import HoldfastEngine
import HoldfastGraphQL
import HoldfastSchema
package import HoldfastServer
import HoldfastStorage

/// A small scope of which every course is tried: three clients and two records of two fields, with two or three
/// changes.
package struct CoreScope: Sendable {
    /// What a search came to.
    package struct Search: Sendable {
        /// How many things happened.
        package var events = 0
        /// How many states were met, each counted once for each choice of changes.
        package var states = 0
        /// How many choices of changes were tried in every order.
        package var choices = 0
        /// How many courses came to their end in a state of its own.
        package var ends = 0
        /// What must never happen, and did, with the course that led to it.
        package var problem: String?

        /// A search that has not begun.
        package init() {}

        /// Adds another search.
        package mutating func add(_ other: Search) {
            events += other.events
            states += other.states
            ends += other.ends
            choices += other.choices
            problem = problem ?? other.problem
        }
    }

    let recordCount = 2
    let strategy: ConflictStrategy
    /// Whether clients put their changes on top of what won a conflict.
    let retriesLocal: Bool
    /// Whether changes of other fields are put on top of what the service says.
    let rebases: Bool
    let model: ServerModel
    /// A record of a client.
    let entity = EntitySchema(
        "Item", fields: [FieldSchema("id", .id), FieldSchema("title", .int), FieldSchema("body", .int)],
        primaryKey: ["id"])
    private let columns: [Int]

    /// Prepares a scope.
    ///
    /// - Parameters:
    ///   - strategy: How the service deals with conflicts.
    ///   - retriesLocal: Whether clients put their changes on top of what won a conflict.
    ///   - rebases: Whether clients put changes of other fields on top of what the service says.
    /// - Throws: `SchemaError`, or `StorageError` `.unknownEntity`, if the schema of the scope were wrong.
    package init(strategy: ConflictStrategy, retriesLocal: Bool = false, rebases: Bool = true) throws {
        let schema = try ServerSchema(
            sources: [Source("type Item @model @auth(rules: [{ allow: public }]) { title: Int body: Int }")],
            defaultMode: .apiKey)
        guard let model = schema.model("Item") else { throw StorageError.unknownEntity("Item") }
        self.model = model
        self.strategy = strategy
        self.retriesLocal = retriesLocal
        self.rebases = rebases
        columns = entity.fields.compactMap { model.entity.position(of: $0.name) }
    }

    /// Tries every course of every choice of one change for two clients, which the third sees, and then for all of
    /// them.
    ///
    /// - Parameter choices: How many choices are tried; 32 are all of two changes, 176 all.
    /// - Returns: How much was tried, and the first problem.
    package func search(choices: Int = .max) -> Search {
        var search = Search()
        let edits = (0..<recordCount).flatMap { record in
            CoreWorld.Edit.Kind.allCases.map { CoreWorld.Edit(record: record, kind: $0) }
        }
        // Records are alike, so the first change is one of the first record; and so are the other clients.
        let firsts = edits.filter { $0.record == 0 }
        var all = firsts.flatMap { first in edits.map { [[first], [$0], []] } }
        for first in firsts {
            for (index, second) in edits.enumerated() { all += edits[index...].map { [[first], [second], [$0]] } }
        }
        for edits in all.prefix(choices) where search.problem == nil {
            search.add(everyCourse(edits))
        }
        return search
    }

    private func everyCourse(_ edits: [[CoreWorld.Edit]]) -> Search {
        var search = Search()
        let start = CoreWorld(self, edits: edits)
        var met: Set<CoreWorld> = [start]
        var stack = [start]
        while let world = stack.popLast(), search.problem == nil {
            let steps = world.steps
            if steps.isEmpty {
                search.ends += 1
                if let problem = world.finalProblem { search.problem = "\(problem), after \(edits)" }
            }
            for step in steps {
                var next = world
                search.events += 1
                if let problem = next.take(step) { search.problem = "\(problem), after \(edits)" }
                if met.insert(next).inserted { stack.append(next) }
            }
        }
        search.choices = 1
        search.states = met.count
        return search
    }

    // MARK: - Records

    func key(_ record: Int) -> RecordKey { RecordKey("r\(record)") }

    /// The position of a client's field in the service's rows.
    func column(_ position: Int) -> Int { columns[position] }

    /// What the service has at first.
    func firstRow(_ record: Int) -> [Value] {
        let mutation = Mutation(.create, key: key(record), now: 1_000, tombstoneLife: 60)
        guard case .write(let row) = model.decide(mutation, stored: nil, strategy: strategy) else { return [] }
        return row
    }

    /// A row of the service as clients receive it.
    func remote(_ row: [Value]) -> RemoteRecord {
        RemoteRecord(
            key: model.entity.key(of: row), row: model.isDeleted(row) ? nil : columns.map { row[$0] },
            version: model.version(of: row), lastChangedAt: model.lastChangedAt(of: row))
    }
}

import HoldfastStorage

/// What the commits of an application wrote: each acknowledged edit must be among that.
struct CommittedEdits: Sendable {
    private var values: [ServiceHistory.Record: [String: Set<Value>]] = [:]
    private var deletions: [ServiceHistory.Record: Int] = [:]

    /// Takes in a commit.
    mutating func note(_ request: CommitRequest, of schema: StorageSchema) {
        for operation in request.operations where operation.entity.namesModel {
            guard let entity = try? schema.entity(named: operation.entity) else { continue }
            switch operation {
            case .put(_, let rows, _):
                for row in 0..<rows.rowCount {
                    let record = ServiceHistory.Record(model: entity.name, key: entity.key(of: rows[row]))
                    for (field, value) in zip(entity.fields, rows[row]) where !value.isNull {
                        values[record, default: [:]][field.name, default: []].insert(value)
                    }
                }
            case .delete(_, let keys):
                for key in keys { deletions[ServiceHistory.Record(model: entity.name, key: key), default: 0] += 1 }
            case .clear: break
            }
        }
    }

    /// What of an acknowledged edit no commit wrote.
    ///
    /// - Parameters:
    ///   - step: The number of the edit.
    ///   - record: The record.
    ///   - given: What the edit gave that no other one does.
    /// - Returns: A text for each field.
    func problems(
        step: Int, _ record: ServiceHistory.Record, _ given: [(field: String, value: Value)]
    ) -> [String] {
        given.filter { values[record]?[$0.field]?.contains($0.value) != true }.map {
            "step \(step): the change of \($0.field) of \(record.text) was acknowledged, and never committed"
        }
    }

    /// How many times the application has deleted a record.
    func deletionCount(of record: ServiceHistory.Record) -> Int { deletions[record] ?? 0 }
}

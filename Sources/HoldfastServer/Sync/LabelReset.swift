import HoldfastStorage

/// Makes devices read everything from a store whose labels are about the commits of another one.
///
/// A copy has the labels of its source, and numbers its own commits from 1. Without a reset, changes would not be
/// found:
///
///     source                                copy
///     label 1700, up to commit 500          label 1700, up to commit 500
///     commit 501 changes a record           commit 3 has the record as of commit 501
///     since 1700: the record                since 1700: nothing
///
/// The newest label and the head are written by one commit, and copied by two.
struct LabelReset {
    let store: Store
    /// Milliseconds since 1970.
    let now: Int64

    /// Replaces the labels if they are those of another store.
    ///
    /// - Throws: ``StorageError`` if the store cannot be read or written. The call can be repeated.
    func run() async throws(StorageError) { while try await !isDone() {} }

    /// - Returns: Whether the labels are those of this store; `false` also after they were replaced.
    private func isDone() async throws(StorageError) -> Bool {
        let request = try await store.read { snapshot async throws(StorageError) -> CommitRequest? in
            guard let head = try await Labels.head(in: snapshot) else { return nil }
            let newest = head.label.label
            var label = RowBuffer()
            try await snapshot.get([RecordKey([.integer(newest)])], of: SystemEntity.label.name, into: &label)
            if label.versions[0] == head.version { return nil }
            var request = CommitRequest(
                preconditions: [
                    .version(entity: SystemEntity.labelHead.name, key: Labels.headKey, head.version)
                ], operations: [.clear(entity: SystemEntity.label.name)])
            request.operations += Labels.operations(
                Labels.Label(label: max(now, newest + 1), sequence: snapshot.sequence))
            // Also of models that the schema lacks: other processes, or later ones, serve them from the same store.
            for model in store.schema.entities where model.position(of: "_version") != nil {
                // It is about the commits of the source, too.
                let (condition, operation) = try await PurgeNote(model, in: snapshot).raised(to: snapshot.sequence)
                request.preconditions.append(condition)
                request.operations.append(operation)
            }
            return request
        }
        guard let request else { return true }
        _ = try await store.commitIfFirst(request)
        return false
    }
}

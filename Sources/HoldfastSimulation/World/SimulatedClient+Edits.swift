import HoldfastEngine
import HoldfastModel
import HoldfastStorage

extension SimulatedClient {
    /// Carries out an edit of the application, and notes what was acknowledged.
    func save(
        step: Int, _ model: SimulatedModelName, _ record: Int, _ fields: [Scenario.Field], parent: Int?,
        _ ledger: EditLedger
    ) async {
        await save(SimulatedSchema.type(of: model), step: step, record, fields, parent: parent, ledger)
    }

    private func save<M: SimulatedModel>(
        _ type: M.Type, step: Int, _ record: Int, _ fields: [Scenario.Field], parent: Int?, _ ledger: EditLedger
    ) async {
        guard let life else { return }
        let data = life.data
        let (id, token) = ("r\(record)", "s\(step)")
        var made = M.make(id, title: token + "title", parent: parent.map { "r\($0)" })
        made.change(fields, token, step)
        var values = Self.values(fields, token, step)
        do {
            if try await data.update(type, id, { $0.change(fields, token, step) }) == nil {
                if !fields.contains(.title) { values.append(("title", .text(token + "title"))) }
                life.observers.follow(try await data.saveWithReceipt(made))
            }
            ledger.add(step: step, client: number, Self.named(type, id), values, isAcknowledged: true)
            ledger.noteOperation()
        } catch {
            ledger.add(step: step, client: number, Self.named(type, id), values, isAcknowledged: false)
        }
    }

    /// Carries out a deletion of the application; what it deletes is noted where it is committed.
    func delete(_ model: SimulatedModelName, _ record: Int, _ ledger: EditLedger) async {
        await delete(SimulatedSchema.type(of: model), record, ledger)
    }

    private func delete<M: SimulatedModel>(_ type: M.Type, _ record: Int, _ ledger: EditLedger) async {
        guard let data = life?.data else { return }
        if (try? await data.delete(type, withId: "r\(record)")) != nil { ledger.noteOperation() }
    }

    private static func named<M: SimulatedModel>(_ type: M.Type, _ id: String) -> ServiceHistory.Record {
        ServiceHistory.Record(model: M.modelName, key: RecordKey(id))
    }

    private static func values(
        _ fields: [Scenario.Field], _ token: String, _ step: Int
    ) -> [(field: String, value: Value)] {
        fields.compactMap { field in
            switch field {
            case .title: ("title", .text(token + "title"))
            case .body: ("body", .text(token + "body"))
            case .rating: ("rating", .integer(Int64(1_000 + step)))
            // The service appends whole lists when it merges, so that a value is not one edit.
            case .tags: nil
            }
        }
    }
}

extension SimulatedModel {
    /// Gives some fields values that nothing else has.
    fileprivate mutating func change(_ fields: [Scenario.Field], _ token: String, _ step: Int) {
        for field in fields {
            switch field {
            case .title: title = token + "title"
            case .body: body = token + "body"
            case .rating: rating = 1_000 + step
            case .tags: tags = (tags ?? []) + [token]
            }
        }
    }
}

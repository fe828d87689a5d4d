import HoldfastEngine
import HoldfastModel
import HoldfastSchema
import HoldfastStorage

extension SimulatedClient {
    /// Carries out an edit of the application, and notes what was acknowledged.
    func save(
        step: Int, _ model: String, _ record: Int, _ fields: [String], parent: Int?, _ ledger: EditLedger
    ) async {
        guard let life, let model = life.schema.model(model) else { return }
        // An earlier version of the application lacks some.
        let known = fields.filter { model.field($0) != nil }
        if known.isEmpty, !fields.isEmpty { return }
        await save(model.type, model, step: step, record, known, parent: parent, life, ledger)
    }

    private func save<M: SimulatedRecord>(
        _ type: M.Type, _ model: SimulatedModel, step: Int, _ record: Int, _ fields: [String], parent: Int?,
        _ life: Life, _ ledger: EditLedger
    ) async {
        let (data, schema, user) = (data(for: step, life), life.schema, provider.user)
        let author = author(of: model, step)
        let key = schema.key(record, of: author, in: model)
        let name = ServiceHistory.Record(model: model.name, key: key)
        var given = schema.given(model, fields, step: step)
        var isWholeRecord = false
        let begun = ledger.last
        do {
            var saved: M?
            if mayTry(.update, model, of: author, step) {
                let isHeldCopy = isHeldCopy(step)
                saved = try await data.update(type, key) {
                    $0.cells = schema.change($0.cells, of: model, fields, step: step)
                    if isHeldCopy { for column in model.readOnlyColumns { $0.cells[column] = .null } }
                }
            }
            if saved == nil {
                guard author == user || !isPersonal(model), mayTry(.create, model, of: author, step) else { return }
                if !rights.isOpen, try await data.query(type, byId: key) != nil { return }
                let made = schema.new(record, of: author, in: model, parent: parent, fields, step: step)
                (given, isWholeRecord) = (made.given, true)
                var row = M(cells: made.cells)
                for (field, value) in rights.ruleFields(of: model, by: author) {
                    if let column = model.entity.position(of: field) { row.cells[column] = value }
                }
                life.observers.follow(try await data.saveWithReceipt(row))
            }
            ledger.add(
                step: step, client: number, name, given, isAcknowledged: true, begun: begun,
                isWholeRecord: isWholeRecord)
            ledger.noteOperation()
            for problem in watch.committed.problems(step: step, name, given) { violation(problem) }
        } catch {
            guard maySave(error, step: step, life) else { return }
            ledger.add(
                step: step, client: number, name, given, isAcknowledged: false, begun: begun,
                isWholeRecord: isWholeRecord)
        }
    }

    /// Whether the application saves the copy that it made itself, which lacks what the service has set since.
    private func isHeldCopy(_ step: Int) -> Bool {
        var random = SplitMix64(seed: scenario.seed, 0x4E1D, UInt64(step))
        return random.chance(30)
    }

    /// Takes values of a record away, as the application does; there is nothing to be found again of that.
    func empty(step: Int, _ model: String, _ record: Int, _ fields: [String], _ ledger: EditLedger) async {
        guard let life, let model = life.schema.model(model) else { return }
        let known = model.fields.filter { fields.contains($0.name) && !$0.content.isRequired }
        if !known.isEmpty { await empty(model.type, model, step: step, record, known, life, ledger) }
    }

    private func empty<M: SimulatedRecord>(
        _ type: M.Type, _ model: SimulatedModel, step: Int, _ record: Int, _ fields: [SimulatedModel.Field],
        _ life: Life, _ ledger: EditLedger
    ) async {
        let author = author(of: model, step)
        guard mayTry(.update, model, of: author, step) else { return }
        let key = life.schema.key(record, of: author, in: model)
        let begun = ledger.last
        do {
            let saved = try await data(for: step, life).update(type, key) { record in
                for field in fields { record.cells[field.column] = .null }
            }
            guard saved != nil else { return }
            ledger.noteOperation()
        } catch {
            guard maySave(error, step: step, life) else { return }
        }
        ledger.add(
            step: step, client: number, ServiceHistory.Record(model: model.name, key: key),
            fields.map { ($0.name, .null) }, isAcknowledged: false, begun: begun)
    }

    /// Has a record belong to another one; nothing else of it changes, and no value is to be found again.
    func move(step: Int, _ model: String, _ record: Int, to parent: Int?, _ ledger: EditLedger) async {
        guard let life, let model = life.schema.model(model) else { return }
        let links = life.schema.movableLinks(of: model, toNone: parent == nil)
        if !links.isEmpty { await move(model.type, model, step: step, record, to: parent, by: links, life, ledger) }
    }

    private func move<M: SimulatedRecord>(
        _ type: M.Type, _ model: SimulatedModel, step: Int, _ record: Int, to parent: Int?,
        by links: [SimulatedModel.Link], _ life: Life, _ ledger: EditLedger
    ) async {
        let schema = life.schema
        let author = author(of: model, step)
        guard mayTry(.update, model, of: author, step) else { return }
        let key = schema.key(record, of: author, in: model)
        do {
            let moved = try await data(for: step, life).update(type, key) { record in
                for link in links {
                    let key = schema.model(link.model).flatMap { other in
                        parent.map { schema.key($0, of: author, in: other).components }
                    }
                    for (index, column) in link.columns.enumerated() { record.cells[column] = key?[index] ?? .null }
                }
            }
            if moved != nil { ledger.noteOperation() }
        } catch {
            _ = maySave(error, step: step, life)
        }
    }

    /// Carries out a deletion of the application; what it deletes is noted where it is committed.
    func delete(step: Int, _ model: String, _ record: Int, _ ledger: EditLedger) async {
        guard let life, let model = life.schema.model(model) else { return }
        await delete(model.type, model, step: step, record, life, ledger)
    }

    private func delete<M: SimulatedRecord>(
        _ type: M.Type, _ model: SimulatedModel, step: Int, _ record: Int, _ life: Life, _ ledger: EditLedger,
        hasCondition: Bool = false
    ) async {
        let author = author(of: model, step)
        guard mayTry(.delete, model, of: author, step) else { return }
        let key = schema.key(record, of: author, in: model)
        let name = ServiceHistory.Record(model: model.name, key: key)
        let count = watch.committed.deletionCount(of: name)
        do {
            let data = data(for: step, life)
            var condition: QueryPredicateOperation?
            if hasCondition {
                guard let found = try await data.query(type, byId: key),
                    let wanted = SimulatedClient.condition(on: found.cells, of: model)
                else { return }
                condition = wanted
            }
            let existed = try await data.delete(type, withId: key, where: condition)
            ledger.noteOperation()
            if existed, watch.committed.deletionCount(of: name) == count {
                violation("step \(step): the deletion of \(name.text) was acknowledged, and never committed")
            }
        } catch {
            _ = maySave(error, step: step, life, hasCondition: hasCondition)
        }
    }

    // MARK: - Dead letters

    /// Decides about the oldest change that was given up.
    ///
    /// The letter counts at the end as if it were still there. What is retried replaces earlier edits of its fields.
    func decide(_ decision: Scenario.LetterDecision, step: Int, _ ledger: EditLedger) async {
        guard let life else { return }
        let data = data(for: step, life)
        let begun = ledger.last
        var decided: DeadLetter?
        do {
            guard let letter = try await data.deadLetters(limit: 1).first else { return }
            decided = letter
            // Before it is gone, since the application may die meanwhile.
            if !decidedLetters.contains(letter) { decidedLetters.append(letter) }
            switch decision {
            case .discard: try await data.discard(letter)
            case .retry: try await data.retry(letter)
            }
            ledger.noteOperation()
        } catch {
            // What is left of an update may need a record that is gone.
            guard maySave(error, step: step, life, hasCondition: true) else { return }
        }
        guard decision == .retry, let decided, let model = schema.model(decided.model),
            let key = RecordKey(outboxText: decided.key, of: model.entity)
        else { return }
        ledger.retry(
            step: step, client: number, ServiceHistory.Record(model: model.name, key: key),
            model.entity.fields.map(\.name), begun: begun)
    }

    // MARK: - Conditions

    /// Carries out an edit of a record that the application has, if a number in it stays the same until then.
    func saveIf(step: Int, _ model: String, _ record: Int, _ fields: [String], _ ledger: EditLedger) async {
        guard let life, let model = life.schema.model(model) else { return }
        let known = fields.filter { model.field($0) != nil }
        if !known.isEmpty { await saveIf(model.type, model, step: step, record, known, life, ledger) }
    }

    private func saveIf<M: SimulatedRecord>(
        _ type: M.Type, _ model: SimulatedModel, step: Int, _ record: Int, _ fields: [String], _ life: Life,
        _ ledger: EditLedger
    ) async {
        let schema = life.schema
        let author = author(of: model, step)
        guard mayTry(.update, model, of: author, step) else { return }
        let key = schema.key(record, of: author, in: model)
        let name = ServiceHistory.Record(model: model.name, key: key)
        let given = schema.given(model, fields, step: step)
        let begun = ledger.last
        do {
            let expected = try await data(for: step, life).transaction { transaction -> Value? in
                guard var found = try await transaction.query(type, byId: key),
                    let condition = SimulatedClient.condition(on: found.cells, of: model)
                else { return nil }
                let expected = model.number.map { found.cells[$0.column] }
                found.cells = schema.change(found.cells, of: model, fields, step: step)
                try await transaction.save(found, where: condition)
                return expected
            }
            guard let expected, let field = model.number?.name else { return }
            ledger.add(
                step: step, client: number, name, given, isAcknowledged: true, begun: begun,
                condition: (field, expected))
            ledger.noteOperation()
            for problem in watch.committed.problems(step: step, name, given) { violation(problem) }
        } catch {
            guard maySave(error, step: step, life, hasCondition: true) else { return }
            ledger.add(step: step, client: number, name, given, isAcknowledged: false, begun: begun)
        }
    }

    /// Carries out a deletion on the same condition.
    func deleteIf(step: Int, _ model: String, _ record: Int, _ ledger: EditLedger) async {
        guard let life, let model = life.schema.model(model) else { return }
        await delete(model.type, model, step: step, record, life, ledger, hasCondition: true)
    }

    /// That the number of a record is what it is in these cells; `nil` if there is none.
    ///
    /// Where it is null, an application that was just upgraded may lack what the service has.
    private static func condition(on cells: [Value], of model: SimulatedModel) -> QueryPredicateOperation? {
        guard let field = model.number, let number = cells[field.column].integer else { return nil }
        return QueryPredicateOperation(field: field.name, operator: .equals(Int(number)))
    }

    // MARK: - Rights

    private func isPersonal(_ model: SimulatedModel) -> Bool { !rights.isOpen && schema.isPersonal(model) }

    /// Whose record an edit is about: mostly one of the user's own.
    private func author(of model: SimulatedModel, _ step: Int) -> Int {
        guard isPersonal(model) else { return 0 }
        var random = SplitMix64(seed: scenario.seed, 0xA07_402, UInt64(step))
        return random.chance(30) ? random.number(in: 0...(Rights.userCount - 1)) : provider.user
    }

    /// Whether the application offers its user to do something; now and then it offers what no rule allows.
    private func mayTry(_ action: ModelAccess.Action, _ model: SimulatedModel, of author: Int, _ step: Int) -> Bool {
        let user = provider.user
        let owner = isPersonal(model) ? author : user
        if rights.offers(action, model, of: owner, to: user) { return true }
        guard rights.offers(.sync, model, of: owner, to: user) else { return false }
        var random = SplitMix64(seed: scenario.seed, 0x7219, UInt64(step))
        return random.chance(15)
    }
}

import HoldfastEngine
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// The mutations of all clients that reached the service.
///
/// Unchecked because everything happens on one thread.
final class MutationLog: @unchecked Sendable {
    private(set) var requests = 0
    private(set) var mutations = 0
    private(set) var conflicts = 0

    private let strategy: @Sendable (_ model: String) -> Scenario.Strategy
    private let history: ServiceHistory
    private let schema: SimulatedSchema
    private let rights: Rights
    /// The clients that the network or the service may have misled, so that they may be in conflict with themselves.
    private let misled: Set<Int>
    /// The clients whose requests brought about the states of a record, as far as that is known.
    private var authors: [ServiceHistory.Record: [Int64: Int]] = [:]
    /// The states of records that are not as the client sent them, since the service decided otherwise; no client can
    /// know that they came of its request if the answer is lost.
    private var altered: [ServiceHistory.Record: Set<Int64>] = [:]
    /// For each client and record, the fields that its outbox said were changed.
    private var changedFields: [String: Set<String>] = [:]
    /// For each client and record, the users whose changes its outbox has held.
    private var users: [String: Set<String?>] = [:]

    init(
        _ schema: SimulatedSchema = .standard, _ rights: Rights? = nil,
        _ history: ServiceHistory = ServiceHistory(), misled: Set<Int> = [],
        strategy: @escaping @Sendable (_ model: String) -> Scenario.Strategy
    ) {
        self.strategy = strategy
        self.history = history
        self.schema = schema
        self.rights = rights ?? Rights(schema, seed: 0)
        self.misled = misled
    }

    /// Records fields that a client is going to send.
    func noteChange(of fields: [String], in record: ServiceHistory.Record, by client: Int, user: String? = nil) {
        changedFields["\(client) \(record.text)", default: []].formUnion(fields)
        users["\(client) \(record.text)", default: []].insert(user)
    }

    /// Whether a client alone has made what the service has of a record, and never deleted it.
    func isAlone(_ client: Int, with record: ServiceHistory.Record) -> Bool {
        guard !misled.contains(client), !history.lost.contains(record), let states = history.states[record] else {
            return false
        }
        return states.allSatisfy { !$0.isDeleted && authors[record]?[$0.lastChangedAt] == client }
    }

    /// Records a request of a client and its answer.
    ///
    /// - Returns: What of it must never happen.
    func add(_ request: [UInt8], _ answer: [UInt8], of client: Int = 0, user: String? = nil) -> [String] {
        requests += 1
        guard let body = try? WireValue(parsing: request).object,
            body["query"]?.string?.hasPrefix("mutation") == true
        else { return [] }
        mutations += 1
        guard let response = try? WireValue(parsing: answer).object,
            let input = body["variables"]?.object?["input"]?.object
        else { return [] }
        var problems: [String] = []
        let field = response["data"]?.object?.members.first
        let mutation = Mutation(
            field?.name ?? Self.name(of: body["query"]?.string ?? ""), input, of: client, in: schema)
        if let user, let record = mutation.record, let known = users["\(client) \(record.text)"], !known.contains(user),
            !known.contains(nil)
        {
            problems.append("\(user) sent a change of \(record.text) that another user of client \(client) made")
        }
        if case .array(let errors)? = response["errors"], !errors.isEmpty {
            if let error = errors.first?.object, error["errorType"]?.string == "ConflictUnhandled" {
                conflicts += 1
                if let problem = conflict(mutation, error["data"]) { problems.append(problem) }
            }
            return problems
        }
        guard let record = field?.value, let version = record["_version"]?.integer else { return problems }
        let isChecked =
            switch mutation.record.map({ strategy($0.model) }) {
            case .optimistic: true
            case .function: mutation.kind == .create
            case .automerge, nil: mutation.kind != .update
            }
        if isChecked, version != mutation.base + 1 {
            problems.append("a change based on version \(mutation.base) became version \(version)")
        }
        guard let name = mutation.record else { return problems }
        if let time = record["_lastChangedAt"]?.integer {
            authors[name, default: [:]][time] = client
            if input.members.contains(where: { $0.name != "_version" && (record[$0.name] ?? $0.value) != $0.value }) {
                altered[name, default: []].insert(time)
            }
            if let user, let problem = overreach(mutation, of: name, at: time, by: user) { problems.append(problem) }
            if mutation.kind == .update {
                problems += wrongFields(mutation, in: name, version: version, at: time)
            }
        }
        let known = changedFields["\(client) \(name.text)"] ?? []
        if mutation.kind == .update, !known.isEmpty, let model = schema.model(name.model) {
            let joined = model.jointFields.filter { !known.isDisjoint(with: $0) }.joined()
            let allowed = known.union(joined).union(model.entity.primaryKey + ["_version"])
            for member in input.members where !allowed.contains(member.name) {
                problems.append("client \(client) sent \(member.name) of \(name.text), which it had not changed")
            }
        }
        return problems
    }

    /// The field of a mutation, for an answer without data.
    private static func name(of query: String) -> String {
        let name = query.dropFirst("mutation ".count).prefix { $0.isLetter }
        return name.prefix(1).lowercased() + name.dropFirst()
    }

    /// The service does nothing for those whom no rule allows it.
    private func overreach(
        _ mutation: Mutation, of record: ServiceHistory.Record, at time: Int64, by name: String
    ) -> String? {
        guard let model = schema.model(record.model), let user = Int(name.drop { !$0.isNumber }),
            let states = history.states[record], let index = states.lastIndex(where: { $0.lastChangedAt == time })
        else { return nil }
        let action: ModelAccess.Action =
            switch mutation.kind {
            case .create: .create
            case .update: .update
            case .delete: .delete
            }
        let judged = mutation.kind == .create || index == 0 ? states[index] : states[index - 1]
        if rights.allows(action, model, judged.fields, to: user) { return nil }
        return "\(name) could \(mutation.kind) \(record.text), which no rule allows"
    }

    /// A client that knows what it did is in conflict with others only.
    private func conflict(_ mutation: Mutation, _ remote: WireValue?) -> String? {
        guard let record = mutation.record, mutation.kind != .create, !misled.contains(mutation.client),
            let version = remote?["_version"]?.integer, version > mutation.base,
            let states = history.states[record]
        else { return nil }
        let newer = states.suffix(while: { $0.version > mutation.base && $0.version <= version })
        guard !newer.isEmpty, newer.allSatisfy({ authors[record]?[$0.lastChangedAt] == mutation.client }),
            newer.allSatisfy({ !$0.isDeleted && altered[record]?.contains($0.lastChangedAt) != true })
        else { return nil }
        return "client \(mutation.client) is in conflict with itself over \(record.text)"
    }

    /// What an update led to, compared with what the service must make of it.
    ///
    /// A change of the current version replaces what it sends, lists and nulls too. A change of an older one is merged.
    /// Both leave everything else.
    private func wrongFields(
        _ mutation: Mutation, in record: ServiceHistory.Record, version: Int64, at time: Int64
    ) -> [String] {
        let isMerge = version != mutation.base + 1
        if isMerge, strategy(record.model) != .automerge { return [] }
        guard let model = schema.model(record.model), let states = history.states[record],
            let index = states.lastIndex(where: { $0.version == version && $0.lastChangedAt == time }), index > 0
        else { return [] }
        let (before, after) = (states[index - 1], states[index])
        // What a restored service has lost was not there any longer.
        if before.isLost || !isMerge && before.version != mutation.base { return [] }
        // A function decides about a tombstone.
        if before.isDeleted { return isMerge ? ["a merge brought \(record.text) back from its tombstone"] : [] }
        let others = model.serviceFields.union(model.ruleFields).union(model.entity.primaryKey)
        var problems: [String] = []
        for field in model.entity.fields where !others.contains(field.name) {
            var (expected, failure) = (before.fields[field.name] ?? .null, "did not leave")
            let type = model.serviceType(of: field)
            if let sent = mutation.input[field.name] {
                guard let value = try? sent.cell(of: field.type) else { continue }
                expected = isMerge ? ReferenceMerge.merged(expected, value, of: type) : value
                failure = isMerge ? "was not merged into" : "did not replace"
            }
            if !ReferenceMerge.isSame(expected, after.fields[field.name] ?? .null, of: type) {
                problems.append("a change \(failure) \(field.name) of \(record.text)")
            }
        }
        return problems
    }
}

/// A mutation as it was sent.
private struct Mutation {
    enum Kind { case create, update, delete }

    let client: Int
    let kind: Kind
    let record: ServiceHistory.Record?
    let input: JSONObject
    /// The version that it builds on; a record that was forgotten begins again.
    let base: Int64

    init(_ name: String, _ input: JSONObject, of client: Int, in schema: SimulatedSchema) {
        self.client = client
        self.input = input
        kind = name.hasPrefix("create") ? .create : name.hasPrefix("delete") ? .delete : .update
        base = kind == .create ? 0 : input["_version"]?.integer ?? 0
        // The names of operations begin with three words of six letters.
        let title = String(name.dropFirst("create".count))
        let model = schema.models.first { Names.upperFirst($0.name) == title }
        record = model.flatMap { model in
            let key = model.key.compactMap { field in
                try? input[field.name]?.cell(of: model.entity.fields[field.column].type)
            }
            guard key.count == model.key.count else { return nil }
            return ServiceHistory.Record(model: model.name, key: RecordKey(key))
        }
    }
}

extension Array {
    /// The elements at the end that satisfy a condition.
    fileprivate func suffix(while holds: (Element) -> Bool) -> ArraySlice<Element> {
        self[(lastIndex { !holds($0) }.map { $0 + 1 } ?? 0)...]
    }
}

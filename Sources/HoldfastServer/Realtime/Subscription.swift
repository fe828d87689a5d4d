import HoldfastGraphQL
import HoldfastSchema
import HoldfastStorage
import HoldfastWire

/// A subscription that was accepted: which events its client receives, and what it selects of them.
struct Subscription: Sendable {
    let model: ServerModel
    let operation: MutationOperation
    let identity: Identity
    /// The name of the field in the response.
    let response: String
    let selection: RecordSelection
    /// Subscriptions with the same key receive the same payload of an event; `nil` for a payload of its own.
    let payloadKey: String?
    /// How much of the limit of its connection it takes.
    let selectionCount: Int
    private let visible: RecordFilter
    private let filter: RecordFilter?
    /// The owners that arguments demand, by the position of their field.
    private let owners: [(position: Int, name: String?)]

    /// Judges a request.
    ///
    /// - Parameters:
    ///   - body: The request.
    ///   - identity: Who sent it.
    ///   - service: What it is about.
    ///   - limit: How much it may select.
    /// - Throws: ``RequestFault`` if it is not a subscription, or the identity may not listen.
    init(_ body: RequestBody, for identity: Identity, in service: Service, selecting limit: Int) throws {
        let prepared = try Self.prepared(body, in: service)
        let api = service.schema.api
        guard let root = api.rootType(.subscription),
            let field = prepared.collector.fields(of: prepared.operation.selections, on: root.name).first,
            case .subscription(let model, let operation)? = service.schema.roots[.subscription]?[field.first.name.text],
            let definition = root.field(field.first.name.text)
        else { throw RequestFault("UnsupportedOperation", "The subscription has no field that reports changes.") }
        let right = model.right(.listen, for: identity)
        guard right != .deny, !identity.denies(field.first.name.text, of: root.name) else {
            throw RequestFault.unauthorized(field.first.name.text, on: "Subscription")
        }
        let meter = SelectionMeter(limit: limit, valueLimit: limit)
        // The selection keeps them as long as the subscription lasts.
        for value in prepared.collector.variables.values { try meter.take(argument: value) }
        let compiler = SelectionCompiler(
            schema: service.schema, collector: prepared.collector, identity: identity, hidesProtectedFields: true,
            hidesUnreadable: true, meter: meter)
        let arguments = try compiler.arguments(of: field.first, definition)
        self.model = model
        self.operation = operation
        self.identity = identity
        response = field.response
        selection = try compiler.record(field.selections, of: model)
        selectionCount = meter.count
        payloadKey = Self.payloadKey(response, selection)
        let filters = FilterReader(model: model, identity: identity, actions: [.listen], isOfSubscription: true)
        filter = try arguments["filter"].flatMap { try Self.filter($0, filters) }
        var owners = arguments.members.filter { $0.name != "filter" && model.column($0.name) != nil }
        for owner in owners where right != .allow {
            guard let name = owner.value.string, !model.isOwner(name, identity, of: owner.name) else { continue }
            throw RequestFault.unauthorized(field.first.name.text, on: "Subscription")
        }
        // As in the original: rules that speak of the record, or a filter, take the place of the arguments.
        if right != .allow || filter != nil { owners = [] }
        // Who owns the records of the events is what the owner's field says.
        let readable = try filters.readable(owners.map(\.name))
        visible = try RecordFilter(.and([right.predicate] + readable), on: model)
        self.owners = owners.compactMap { owner in
            model.column(owner.name).map { (position: $0.position, name: owner.value.string) }
        }
    }

    /// The subscription of a request, checked against the API.
    private static func prepared(_ body: RequestBody, in service: Service) throws -> PreparedOperation {
        let prepared: PreparedOperation
        do {
            prepared = try PreparedOperation(body, in: service)
        } catch {
            switch error {
            case .invalid(let faults): throw faults.first?.fault ?? .internalFailure
            case .unnamed: throw RequestFault("BadRequestException", "Missing operation name.")
            }
        }
        let kind = prepared.operation.kind
        guard kind == .subscription else {
            throw RequestFault("UnsupportedOperation", "\(kind.rawValue) not supported through the realtime channel")
        }
        return prepared
    }

    /// The filter that a client sends; `nil` for an empty one.
    private static func filter(_ value: WireValue, _ filters: FilterReader) throws -> RecordFilter? {
        guard value.object?.members.isEmpty == false else { return nil }
        try SubscriptionFilterLimits.check(value)
        return try filters.filter(value)
    }

    /// The bytes that ``wants(_:)`` looks at in a record for what the client demands; a value counts for each comparison.
    func comparedByteCount(of row: [Value]) -> Int {
        let filtered = filter.map { filter in row.withUnsafeBufferPointer { filter.comparedByteCount(of: $0) } } ?? 0
        return owners.reduce(filtered) { $0 + row[$1.position].byteCount }
    }

    /// Whether the user may read a record, and is to be notified of it.
    func isVisible(_ row: [Value]) -> Bool { visible.matches(row) }

    /// Whether a visible record is one of those that the client demands.
    func wants(_ row: [Value]) -> Bool {
        guard filter?.matches(row) ?? true else { return false }
        return owners.allSatisfy { owner in
            guard case .text(let stored) = row[owner.position] else { return owner.name == nil }
            return owner.name.map { OwnerName.forms(of: stored).contains($0) } ?? false
        }
    }
}

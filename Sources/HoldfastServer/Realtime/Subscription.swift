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
    /// The owners that arguments demand, by the place of their field.
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
        let api = service.schema.api
        guard let root = api.rootType(.subscription),
            let field = prepared.collector.fields(of: prepared.operation.selections, on: root.name).first,
            case .subscription(let model, let operation)? = service.schema.roots[.subscription]?[field.first.name.text],
            let definition = root.field(field.first.name.text)
        else { throw RequestFault("UnsupportedOperation", "The subscription has no field that reports changes.") }
        let permission = model.permission(.listen, for: identity)
        guard permission != .deny, !identity.denies(field.first.name.text, of: root.name) else {
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
        var filter: RecordFilter?
        if let value = arguments["filter"], value.object?.members.isEmpty == false {
            try SubscriptionFilterLimits.check(value)
            filter = try filters.filter(value)
        }
        self.filter = filter
        var owners = arguments.members.filter { $0.name != "filter" && model.column($0.name) != nil }
        for owner in owners where permission != .allow {
            guard let name = owner.value.string, !model.isOwner(name, identity, of: owner.name) else { continue }
            throw RequestFault.unauthorized(field.first.name.text, on: "Subscription")
        }
        // As in the original: rules that speak of the record, or a filter, take the place of the arguments.
        if permission != .allow || filter != nil { owners = [] }
        // Who owns the records of the events is what the owner's field says.
        let readable = try filters.readable(owners.map(\.name))
        visible = try RecordFilter(.and([permission.predicate] + readable), on: model)
        self.owners = owners.compactMap { owner in
            model.column(owner.name).map { (position: $0.position, name: owner.value.string) }
        }
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
            return owner.name.map { OwnerName.parts(of: stored).contains($0) } ?? false
        }
    }
}

/// The forms of the name of an owner.
enum OwnerName {
    /// The name as stored, and each part of it between double colons.
    static func parts(of stored: String) -> [String] {
        var parts: [[UInt8]] = [[]]
        let bytes = Array(stored.utf8)
        var index = 0
        while index < bytes.count {
            if bytes[index] == 0x3A, index + 1 < bytes.count, bytes[index + 1] == 0x3A {
                parts.append([])
                index += 2
            } else {
                parts[parts.count - 1].append(bytes[index])
                index += 1
            }
        }
        return [stored] + parts.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension SubscriptionFilterLimits {
    /// All comparisons of a filter: those of five fields in each combination.
    ///
    /// Each is made for each event.
    private static let comparisonMaximum = fieldCount * combinationCount

    /// Checks a filter.
    ///
    /// - Throws: ``RequestFault`` with a message that clients know; they subscribe again without the filter then.
    static func check(_ filter: JSONValue) throws(RequestFault) {
        var comparisonCount = 0
        _ = try combinations(filter, depth: 1, &comparisonCount)
    }

    /// In how many ways a filter can be true, counted as the service does: alternatives multiply.
    ///
    /// It ends at the first part that makes too many; a product of all parts could be greater than any integer.
    ///
    /// Adds the comparisons to `comparisonCount`, at least one, as a part without any is looked at, too.
    private static func combinations(
        _ filter: JSONValue, depth: Int, _ comparisonCount: inout Int
    ) throws(RequestFault) -> Int {
        guard depth <= levelCount else {
            throw RequestFault("BadRequestException", "Filters combination exceed maximum limit \(levelCount) levels")
        }
        var count = 1
        var fields = 0
        let formerCount = comparisonCount
        for member in filter.object?.members ?? [] where !member.value.isNull {
            switch member.name {
            case "and":
                for part in member.value.array ?? [] {
                    count = try checked(count * combinations(part, depth: depth + 1, &comparisonCount))
                }
            case "or":
                var alternatives = 0
                for part in member.value.array ?? [] {
                    alternatives = try checked(alternatives + combinations(part, depth: depth + 1, &comparisonCount))
                }
                count = try checked(count * max(1, alternatives))
            default:
                fields += 1
                let comparisons = member.value.object?.members ?? []
                comparisonCount += comparisons.count
                for comparison in comparisons { try checkOperand(comparison.value) }
            }
        }
        guard fields <= fieldCount else {
            throw RequestFault("BadRequestException", "Filters exceed maximum attributes limit \(fieldCount)")
        }
        comparisonCount = max(comparisonCount, formerCount + 1)
        guard comparisonCount <= comparisonMaximum else {
            throw RequestFault("BadRequestException", "Filters exceed maximum attributes limit \(comparisonMaximum)")
        }
        return count
    }

    private static func checked(_ count: Int) throws(RequestFault) -> Int {
        guard count <= combinationCount else {
            throw RequestFault("BadRequestException", "Filters combination exceed maximum limit \(combinationCount)")
        }
        return count
    }

    private static func checkOperand(_ operand: JSONValue) throws(RequestFault) {
        switch operand {
        case .string(let text) where text.utf8.count > textByteCount:
            throw RequestFault("BadRequestException", "Filters exceed maximum attributes limit \(textByteCount) bytes")
        case .array(let values):
            guard values.count <= valueCount else {
                throw RequestFault(
                    "BadRequestException", "Filters exceed maximum attributes limit \(valueCount) values")
            }
            for value in values { try checkOperand(value) }
        default: break
        }
    }
}

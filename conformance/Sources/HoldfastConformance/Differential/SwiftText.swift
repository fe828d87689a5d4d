import HoldfastStorage

/// Prints cases as Swift that can be pasted into a test.
enum SwiftText {
    static func string(_ text: String) -> String {
        if text.utf8.count > 40, let first = text.unicodeScalars.first,
            text.unicodeScalars.allSatisfy({ $0 == first })
        {
            return "String(repeating: \(string(String(first))), count: \(text.unicodeScalars.count))"
        }
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case " "..."~": result += String(scalar)
            default: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return result + "\""
    }

    static func value(_ value: Value) -> String {
        switch value {
        case .null: ".null"
        case .boolean(let boolean): ".boolean(\(boolean))"
        case .integer(.min): ".integer(.min)"
        case .integer(.max): ".integer(.max)"
        case .integer(let integer): ".integer(\(integer))"
        case .double(let double): ".double(\(double))"
        case .text(let text): ".text(\(string(text)))"
        case .bytes(let bytes): ".bytes(\(bytes))"
        case .date(let date):
            ".date(CalendarDate(daysSinceEpoch: \(date.daysSinceEpoch), tail: \(tail(date.tail))))"
        case .time(let time):
            ".time(ClockTime(nanosecondsSinceMidnight: \(time.nanosecondsSinceMidnight), tail: \(tail(time.tail))))"
        case .timestamp(let instant):
            ".timestamp(Timestamp(secondsSinceEpoch: \(instant.secondsSinceEpoch), "
                + "nanoseconds: \(instant.nanoseconds), tail: \(tail(instant.tail))))"
        case .list(let values): ".list(\(list(values)))"
        }
    }

    static func list(_ values: some Sequence<Value>) -> String {
        "[" + values.map(value).joined(separator: ", ") + "]"
    }

    private static func tail(_ tail: WrittenForm) -> String {
        "WrittenForm(offset: \(tail.offset.map { "\($0)" } ?? "nil"), fractionDigits: \(tail.fractionDigits))"
    }

    private static func strings(_ texts: [String]) -> String {
        "[" + texts.map(string).joined(separator: ", ") + "]"
    }

    // MARK: Schemas

    static func entity(_ entity: EntitySchema) -> String {
        let fields = entity.fields.map(field)
        let indexes = entity.indexes.map(index)
        return "EntitySchema(\n    \(string(entity.name)),\n    fields: [\n        "
            + fields.joined(separator: ",\n        ") + "\n    ],\n    primaryKey: \(strings(entity.primaryKey))"
            + (indexes.isEmpty ? "" : ",\n    indexes: [\(indexes.joined(separator: ", "))]") + ")"
    }

    private static func field(_ field: FieldSchema) -> String {
        "FieldSchema(\(string(field.name)), \(type(field.type))\(field.isRequired ? ", isRequired: true" : ""))"
    }

    private static func index(_ index: IndexSchema) -> String {
        "IndexSchema(\(string(index.name)), on: \(strings(index.fields))"
            + (index.isUnique ? ", isUnique: true)" : ")")
    }

    private static func widening(_ widening: SchemaWidening) -> String {
        switch widening {
        case .entity(let entity): ".entity(\(Self.entity(entity)))"
        case .field(let entity, let field): ".field(\(string(entity)), \(Self.field(field)))"
        case .index(let entity, let index): ".index(\(string(entity)), \(Self.index(index)))"
        case .withoutIndex(let entity, let index): ".withoutIndex(\(string(entity)), \(string(index)))"
        }
    }

    private static func type(_ type: FieldType) -> String {
        switch type {
        case .enumeration(let name): ".enumeration(\(string(name)))"
        case .embedded(let name): ".embedded(\(string(name)))"
        case .list(let element, let required):
            ".list(of: \(self.type(element)), elementsAreRequired: \(required))"
        default: ".\(type)"
        }
    }

    // MARK: Steps

    static func step(_ step: DifferentialStep) -> String {
        switch step {
        case .commit(let request): "_ = try await store.commit(\(commit(request)))"
        case .query(let plan, let batch, nil): "_ = try await store.rows(\(query(plan)))  // in batches of \(batch)"
        case .query(let plan, let batch, let number?):
            "_ = try await snapshot\(number).rows(\(query(plan)), batch: \(batch))"
        case .readPages(let plan, let page, let number):
            "_ = try await \(number.map { "snapshot\($0)" } ?? "store.snapshot()").readPages(\(query(plan)), page: \(page), "
                + "of: schema.entity(named: \(string(plan.entity))), maximumCount: 1_000)"
        case .aggregate(let plan, let number):
            "_ = try await \(number.map { "snapshot\($0)" } ?? "store.snapshot()").aggregate(\(aggregate(plan)))"
        case .get(let entity, let keys, let number):
            "_ = try await \(number.map { "snapshot\($0)" } ?? "store").records("
                + "[\(keys.map(key).joined(separator: ", "))], of: \(string(entity)))"
        case .open(let number): "let snapshot\(number) = try await store.snapshot()"
        case .close(let number): "await snapshot\(number).close()"
        case .reopen: "store = try await reopen(store, schema)"
        case .widen(let widening): "store = try await reopen(store, schema.widened(by: \(Self.widening(widening))))"
        }
    }

    private static func key(_ key: RecordKey) -> String { "RecordKey(\(list(key.components)))" }

    private static func commit(_ request: CommitRequest) -> String {
        var parts: [String] = []
        if !request.preconditions.isEmpty {
            parts.append("preconditions: [\(request.preconditions.map(precondition).joined(separator: ", "))]")
        }
        if !request.operations.isEmpty {
            parts.append("operations: [\n    \(request.operations.map(operation).joined(separator: ",\n    "))\n]")
        }
        return "CommitRequest(\(parts.joined(separator: ", ")))"
    }

    private static func precondition(_ precondition: Precondition) -> String {
        switch precondition {
        case .absent(let entity, let key): ".absent(entity: \(string(entity)), key: \(Self.key(key)))"
        case .present(let entity, let key): ".present(entity: \(string(entity)), key: \(Self.key(key)))"
        case .version(let entity, let key, let version):
            ".version(entity: \(string(entity)), key: \(Self.key(key)), \(version))"
        case .unchanged(let range, let since):
            ".unchanged(KeyRange(\(string(range.entity)), from: \(bound(range.lower)), to: \(bound(range.upper))), "
                + "since: \(since))"
        }
    }

    private static func bound(_ bound: KeyRange.Bound) -> String {
        switch bound {
        case .unbounded: ".unbounded"
        case .included(let prefix): ".included(\(list(prefix)))"
        case .excluded(let prefix): ".excluded(\(list(prefix)))"
        }
    }

    private static func operation(_ operation: WriteOperation) -> String {
        switch operation {
        case .put(let entity, let rows, let mode):
            ".put(entity: \(string(entity)), rows: RowBuffer(rows: [\n        "
                + (0..<rows.rowCount).map { list(rows[$0]) }.joined(separator: ",\n        ")
                + "\n    ]), mode: .\(mode))"
        case .delete(let entity, let keys):
            ".delete(entity: \(string(entity)), keys: [\(keys.map(key).joined(separator: ", "))])"
        case .clear(let entity): ".clear(entity: \(string(entity)))"
        }
    }
}

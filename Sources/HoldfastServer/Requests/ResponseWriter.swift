import HoldfastGraphQL
import HoldfastStorage
import HoldfastWire

/// Writes the data of a response, and keeps the errors that occur on the way.
///
/// A value that cannot be null and is missing makes the nearest value around it null that can be.
struct ResponseWriter {
    /// A step on the way to a value.
    enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
    }

    /// An error with its place.
    struct Entry: Sendable {
        var fault: RequestFault
        var path: [Step]?
        var location: Location?
        /// The record that goes with the fault, as the request selects it.
        var data: WireValue = .null
    }

    /// The bytes after which no more records are written.
    private let byteCount: Int
    /// Whether what is missing is left out, where the values around it stay.
    private let leavesOut: Bool
    /// Whether a relation to a record that was purged is null with an error if what is selected of it is missing.
    private let reportsPurged: Bool
    /// How often something was not written because of the limit.
    private var cutCount = 0
    /// Whether a record was so large, or so much was written and discarded, that nothing more is written.
    private var isFull = false
    /// The bytes of the last page that did not fit, and those of all relations that did not.
    private var (cutByteCount, discardedByteCount) = (0, 0)
    var json = JSONWriter()
    private(set) var errors: [Entry] = []
    private(set) var path: [Step] = []

    /// Creates a writer.
    ///
    /// - Parameters:
    ///   - byteCount: The bytes after which no more records are written.
    ///   - leavesOut: Whether a value that cannot be null and is missing is left out, instead of making the values
    ///     around it null.
    ///   - reportsPurged: Whether a relation to a record that was purged is null with an error if what is selected of it
    ///     is missing; without one by default, as in AppSync.
    init(byteCount: Int, leavesOut: Bool = false, reportsPurged: Bool = false) {
        self.byteCount = byteCount
        self.leavesOut = leavesOut
        self.reportsPurged = reportsPurged
    }

    /// The bytes after the limit that a record may have which began before it.
    ///
    /// A stored record hardly has so many, but a request can select a large value under very many names.
    private static let recordByteCount = 16 << 20

    /// The bytes of relations that do not fit after which nothing more is written.
    ///
    /// A request can select the same relation under very many names, and each is written until the limit.
    private static let discardLimit = 32 << 20

    /// The errors after which a response lists no more than one of each field of the root type.
    private static let maximumErrorCount = 100

    /// Notes an error at the place that is being written.
    mutating func fail(
        _ fault: RequestFault, location: Location? = nil, hasPath: Bool = true, data: WireValue = .null
    ) {
        // Without any, null would be the answer of a field that failed.
        guard errors.count < Self.maximumErrorCount || errors.last?.path?.first != path.first else { return }
        errors.append(Entry(fault: fault, path: hasPath ? path : nil, location: location, data: data))
    }

    // MARK: - Steps

    /// Writes a member whose value may be null or not.
    ///
    /// - Parameters:
    ///   - name: The name of the member.
    ///   - isNonNull: Whether the value cannot be null.
    ///   - body: Writes the value; returns whether there is one.
    /// - Returns: Whether the object may stay.
    mutating func member(
        _ name: String, isNonNull: Bool, _ body: (inout ResponseWriter) -> Bool
    ) -> Bool {
        let start = json.bytes.count
        json.name(name)
        if step(.name(name), isNonNull: isNonNull, body) { return true }
        if leavesOut { json.truncate(to: start) }
        return leavesOut
    }

    private mutating func step(_ step: Step, isNonNull: Bool, _ body: (inout ResponseWriter) -> Bool) -> Bool {
        path.append(step)
        defer { path.removeLast() }
        let start = json.bytes.count
        if body(&self) { return true }
        json.truncate(to: start)
        if isNonNull { return false }
        json.null()
        return true
    }

    /// Reports that a value is missing, if it cannot be null.
    ///
    /// - Returns: Always `false`, since nothing is written.
    private mutating func failMissing(_ type: TypeReference, in parent: String) -> Bool {
        if type.isNonNull {
            fail(
                RequestFault(
                    nil,
                    "Cannot return null for non-nullable type: '\(type.name)' within parent '\(parent)' (\(shownPath))")
            )
        }
        return false
    }

    private var shownPath: String {
        path.reduce(into: "") { text, step in
            switch step {
            case .name(let name): text += "/" + name
            case .index(let index): text += "[\(index)]"
            }
        }
    }

    // MARK: - Records

    /// Writes a record.
    ///
    /// - Returns: Whether it has all that cannot be null.
    mutating func record(_ records: LoadedRecords, _ row: Int) -> Bool {
        let model = records.selection.model
        guard hasRoom() else { return false }
        json.beginObject()
        for entry in records.selection.entries {
            guard hasRoom(isWithinRecord: true) else { return false }
            if writesPlainly(entry, of: records, row) { continue }
            let isWritten =
                switch entry.content {
                case .typename: member(entry.response, isNonNull: true) { $0.text(model.name) }
                case .column(let column, let reading, let object):
                    member(entry.response, isNonNull: column.reference.isNonNull) {
                        $0.column(column, reading, object, of: records, row)
                    }
                case .relation(let index):
                    member(entry.response, isNonNull: records.selection.relations[index].type.isNonNull) {
                        $0.relation(index, of: records, row)
                    }
                }
            guard isWritten else { return false }
        }
        json.endObject()
        return true
    }

    /// Whether more may be written; otherwise, writes an error.
    private mutating func hasRoom(isWithinRecord: Bool = false) -> Bool {
        if isWithinRecord, json.bytes.count >= byteCount + Self.recordByteCount { isFull = true }
        if !isFull, isWithinRecord || json.bytes.count < byteCount { return true }
        cutCount += 1
        fail(.tooLarge)
        return false
    }

    /// Writes a member without keeping the way to it, if it is a value that cannot fail; most are.
    private mutating func writesPlainly(
        _ entry: RecordSelection.Entry, of records: LoadedRecords, _ row: Int
    ) -> Bool {
        guard case .column(let column, .always, nil) = entry.content, !column.isOwner else { return false }
        switch records.rows[row, column.position] {
        case .text(let text):
            json.name(entry.name)
            json.string(text)
        case .integer(let integer):
            json.name(entry.name)
            json.integer(integer)
        case .boolean(let boolean):
            json.name(entry.name)
            json.boolean(boolean)
        case .timestamp(let timestamp):
            json.name(entry.name)
            json.string(timestamp.text)
        default: return false
        }
        return true
    }

    private mutating func column(
        _ column: ServerModel.Column, _ reading: FieldReading, _ object: ObjectSelection?, of records: LoadedRecords,
        _ row: Int
    ) -> Bool {
        let model = records.selection.model
        guard shows(reading, column.name, column.reference, of: records, row) else { return false }
        var value = records.rows[row, column.position]
        // Clients know owners by the part after the last colons.
        if column.isOwner { value = value.shortOwner }
        return cell(value, column.reference, object, in: model.name)
    }

    /// Whether a field is shown; otherwise, writes an error if the client should receive one.
    private mutating func shows(
        _ reading: FieldReading, _ field: String, _ type: TypeReference, of records: LoadedRecords, _ row: Int
    ) -> Bool {
        let parent = records.selection.model.name
        switch reading {
        case .always: return true
        case .hidden: return failMissing(type, in: parent)
        case .denied: break
        case .when(let filter, let isHidden):
            if filter.matches(Array(records.rows[row])) { return true }
            if isHidden { return failMissing(type, in: parent) }
        }
        fail(.unauthorized(field, on: parent))
        return false
    }

    private mutating func cell(
        _ value: Value, _ type: TypeReference, _ object: ObjectSelection?, in parent: String
    ) -> Bool {
        switch value {
        case .null, .bytes: return failMissing(type, in: parent)
        case .integer(let integer): json.integer(integer)
        case .double(let double): json.double(double)
        case .boolean(let boolean): json.boolean(boolean)
        case .date, .time, .timestamp: json.string(value.shownText ?? "")
        case .text(let text):
            guard let object else {
                json.string(text)
                return true
            }
            return self.object((try? WireValue(parsing: Array(text.utf8))) ?? .null, object, type, in: parent)
        case .list(let elements):
            guard let element = type.element else { return failMissing(type, in: parent) }
            json.beginArray()
            for (index, value) in elements.enumerated() {
                guard
                    step(.index(index), isNonNull: element.isNonNull, { $0.cell(value, element, object, in: parent) })
                else { return false }
            }
            json.endArray()
        }
        return true
    }

    // MARK: - Relations

    private mutating func relation(_ index: Int, of records: LoadedRecords, _ row: Int) -> Bool {
        let selection = records.selection.relations[index]
        let parent = records.selection.model.name
        guard shows(selection.reading, selection.field, selection.type, of: records, row) else { return false }
        switch records.relations[index] {
        case .denied:
            if selection.isHidden { return failMissing(selection.type, in: parent) }
            fail(.unauthorized(selection.field, on: parent))
            return false
        case .failed(let fault):
            fail(fault)
            return false
        case .records(let others, let positions):
            guard let position = positions[row] else { return failMissing(selection.type, in: parent) }
            let (errorCount, formerCutCount) = (errors.count, cutCount)
            if record(others, position) { return true }
            let isPurged = others.rows.versions[position] == 0 && cutCount == formerCutCount
            if isPurged, !reportsPurged, !selection.type.isNonNull { errors.removeLast(errors.count - errorCount) }
            return false
        case .pages(let pages):
            guard case .page(let page, _) = selection.target else { return false }
            return self.page(pages[row] ?? LoadedPage(items: [], nextToken: nil), page)
        }
    }

    /// Writes a page of records.
    ///
    /// A page that meets the limit ends before the first record that is not complete, with a token for the rest: clients
    /// take what comes before a token for all that there is. Its first record stays with what it has, as the list must
    /// go on. A page without tokens for its records is missing.
    ///
    /// - Returns: Whether it has all that cannot be null.
    mutating func page(_ page: LoadedPage, _ selection: PageSelection) -> Bool {
        let (start, errorCount) = (json.bytes.count, errors.count)
        var page = page
        var count = page.items.first?.rows.rowCount ?? 0
        while true {
            var cut: Int?
            let isWritten = members(of: page, selection, count, &cut)
            guard let row = cut else { return isWritten }
            json.truncate(to: start)
            errors.removeLast(errors.count - errorCount)
            guard let tokenAfter = page.tokenAfter, count > 1 else {
                discardedByteCount += cutByteCount
                if discardedByteCount > Self.discardLimit { isFull = true }
                fail(.tooLarge)
                return false
            }
            // Written again, since the token may come before the records. If these come more than once, the next cut could
            // be near, and another one after it.
            count = max(1, page.items.count > 1 ? min(row, count / 2) : row)
            isFull = false
            page.nextToken = tokenAfter(count - 1)
        }
    }

    /// Writes the first `count` records of a page; sets `cut` to the first one that is not complete, if the page cannot
    /// stay because of it.
    private mutating func members(
        of page: LoadedPage, _ selection: PageSelection, _ count: Int, _ cut: inout Int?
    ) -> Bool {
        json.beginObject()
        for entry in selection.entries {
            let isWritten =
                switch entry.content {
                case .typename: member(entry.response, isNonNull: true) { $0.text(selection.model.connection) }
                case .nextToken: member(entry.response, isNonNull: false) { $0.text(page.nextToken) }
                case .startedAt: member(entry.response, isNonNull: false) { $0.integer(page.startedAt) }
                case .denied(let field):
                    member(entry.response, isNonNull: field == "items") { writer in
                        writer.fail(.unauthorized(field, on: selection.model.connection))
                        return false
                    }
                case .items(let index):
                    member(entry.response, isNonNull: true) { writer in
                        writer.items(index < page.items.count ? page.items[index] : nil, count, &cut)
                    }
                }
            guard isWritten else { return false }
        }
        json.endObject()
        return true
    }

    private mutating func items(_ records: LoadedRecords?, _ count: Int, _ cut: inout Int?) -> Bool {
        let start = json.bytes.count
        json.beginArray()
        if let records {
            for row in 0..<count {
                let former = cutCount
                var (isWritten, end) = (false, start)
                _ = step(.index(row), isNonNull: false) { writer in
                    isWritten = writer.record(records, row)
                    end = writer.json.bytes.count
                    return isWritten
                }
                if cutCount > former, count > 1 || !isWritten {
                    (cut, cutByteCount) = (row, end - start)
                    return false
                }
            }
        }
        json.endArray()
        return true
    }

    private mutating func text(_ text: String?) -> Bool {
        guard let text else { return false }
        json.string(text)
        return true
    }

    private mutating func integer(_ integer: Int64?) -> Bool {
        guard let integer else { return false }
        json.integer(integer)
        return true
    }

    // MARK: - Objects inside fields

    private mutating func object(
        _ value: WireValue, _ selection: ObjectSelection, _ type: TypeReference, in parent: String
    ) -> Bool {
        switch value {
        case .null: return failMissing(type, in: parent)
        case .array(let elements):
            guard let element = type.element else { return failMissing(type, in: parent) }
            json.beginArray()
            for (index, value) in elements.enumerated() {
                guard
                    step(
                        .index(index), isNonNull: element.isNonNull,
                        { $0.object(value, selection, element, in: parent) })
                else { return false }
            }
            json.endArray()
            return true
        default: break
        }
        json.beginObject()
        for entry in selection.entries {
            guard hasRoom(isWithinRecord: true) else { return false }
            let isWritten = member(entry.response, isNonNull: entry.type.isNonNull) { writer in
                guard let name = entry.member else { return writer.text(selection.type) }
                if entry.isDenied {
                    writer.fail(.unauthorized(name, on: selection.type))
                    return false
                }
                let inner = value[name] ?? .null
                if let nested = entry.selection.first {
                    return writer.object(inner, nested, entry.type, in: selection.type)
                }
                if inner.isNull { return writer.failMissing(entry.type, in: selection.type) }
                writer.json.value(inner)
                return true
            }
            guard isWritten else { return false }
        }
        json.endObject()
        return true
    }
}

extension Value {
    /// The name of an owner as clients see it: the part after the last two colons.
    var shortOwner: Value {
        switch self {
        case .text(let text):
            let bytes = Array(text.utf8)
            let colons = bytes.indices.dropLast().last { bytes[$0] == 0x3A && bytes[$0 + 1] == 0x3A }
            return colons.map { .text(String(decoding: bytes[($0 + 2)...], as: UTF8.self)) } ?? self
        case .list(let elements): return .list(elements.map(\.shortOwner))
        default: return self
        }
    }
}

import Foundation
import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Values that are right when a record is created, and wrong when it is replaced.
    static let sporadicOfReplacements: [Mutant] = [
        replacing("replaced-offsets-lost", "A date-time that replaces another loses its offset.", "MAP-008") { value in
            guard case .timestamp(var instant) = value, instant.tail.offset != 0 else { return value }
            instant.tail.offset = 0
            return .timestamp(instant)
        },
        replacing("replaced-nanoseconds-cut", "A date-time that replaces another loses nanoseconds.", "MAP-008") {
            guard case .timestamp(var instant) = $0 else { return $0 }
            instant.nanoseconds -= instant.nanoseconds % 1_000
            return .timestamp(instant)
        },
        replacing("replaced-integers-rounded", "A large integer that replaces another is rounded.", "MAP-003") {
            guard case .integer(let number) = $0, let rounded = Int64(exactly: Double(number)) else { return $0 }
            return .integer(rounded)
        },
        replacing("replaced-doubles-of-32-bits", "A double that replaces another has 32 bits.", "MAP-004") {
            guard case .double(let number) = $0, Double(Float(number)).isFinite else { return $0 }
            return .double(Double(Float(number)))
        },
        replacing("replaced-bytes-end-at-zero", "Bytes that replace others end at a zero.", "MAP-017") {
            guard case .bytes(let bytes) = $0 else { return $0 }
            return .bytes(Array(bytes.prefix { $0 != 0 }))
        },
        replacing("replaced-false-is-null", "False does not replace true.", "MAP-005") {
            $0 == .boolean(false) ? .null : $0
        },
        replacing("replaced-dates-lose-offset", "A date that replaces another loses its offset.", "MAP-006") {
            guard case .date(var date) = $0 else { return $0 }
            date.tail.offset = nil
            return .date(date)
        },
        replacing("replaced-times-lose-digits", "A time that replaces another loses zeros at its end.", "MAP-007") {
            guard case .time(var time) = $0 else { return $0 }
            time.tail.fractionDigits = min(time.tail.fractionDigits, 3)
            return .time(time)
        },
        replacing("replaced-texts-trimmed", "A text that replaces another loses a space at its end.", "TXT-003") {
            $0.changingText { $0.hasSuffix(" ") ? String($0.dropLast()) : $0 }
        },
        replacing("replaced-texts-normalized", "A text that replaces another is normalized.", "TXT-003") {
            $0.changingText { $0.precomposedStringWithCanonicalMapping }
        },
    ]

    /// Creates a mutant that changes the cells of rows that replace a record.
    ///
    /// `change` gets each cell that is not part of the key, and returns the one to store instead.
    private static func replacing(
        _ id: String, _ summary: String, _ clause: String, _ change: @escaping @Sendable (Value) -> Value
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            noting: { hooks, notes, _, trigger in
                hooks.committing = { request, base async throws(StorageError) in
                    var request = request
                    for (index, operation) in request.operations.enumerated() {
                        guard case .put(let name, var rows, let mode) = operation, !rows.isEmpty else { continue }
                        let entity = try notes.schema().entity(named: name)
                        var stored = RowBuffer()
                        try await base.get(
                            GetRequest(name, keys: (0..<rows.rowCount).map { entity.key(of: rows[$0]) }), into: &stored)
                        for row in 0..<rows.rowCount where stored.versions[row] > 0 {
                            for column in entity.fields.indices where !entity.primaryKeyPositions.contains(column) {
                                let changed = change(rows[row, column])
                                if changed != rows[row, column] { trigger.fire() }
                                rows.set(changed, row: row, column: column)
                            }
                        }
                        request.operations[index] = .put(entity: name, rows: rows, mode: mode)
                    }
                    return try await base.commit(request)
                }
            })
    }
}

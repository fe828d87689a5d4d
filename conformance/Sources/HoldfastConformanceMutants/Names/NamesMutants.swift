import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Mutants that the clauses of `NAM` must find.
    static let names: [Mutant] = [
        nulled("rowid-reads-null", "A field named like the row number keeps nothing.", killedBy: "NAM-001") {
            $0 == "rowid"
        },
        nulled("reserved-reads-null", "A field named `order` keeps nothing.", killedBy: "NAM-001") { $0 == "order" },
        nulled("dotted-reads-null", "A field with a point in its name keeps nothing.", killedBy: "NAM-001") {
            $0.contains(".")
        },
        merged(
            "percent-fields-merged", "A field whose name begins with a percent sign gets the value of `_`.",
            killedBy: "NAM-001", of: { $0.hasPrefix("%") }, into: { _ in "_" }),
        merged(
            "quoted-fields-merged", "Quotes in names are dropped.", killedBy: "NAM-001", of: { $0 == "\"\"" },
            into: { _ in "\"" }),
        Mutant(
            "unquoted-field-matches-all", "A condition on a field with a quote in its name is true.",
            killedBy: "NAM-001"
        ) { part, _, query in
            guard let position = part.position, query.entity.fields[position].name.contains("\"") else { return nil }
            return true
        },
        Mutant(
            "sort-by-nasty-name-ignored", "A sort by a field with a space in its name does nothing.",
            killedBy: "NAM-001"
        ) { _, _, field in
            field.name.contains(" ") ? .equal : nil
        },
        Mutant(
            "projection-by-first-match", "A projection of a field named like a function gives the key.",
            killedBy: "NAM-001",
            results: { rows, query in
                guard query.projection.count == 2, query.entity.fields[query.projection[0]].name == "(paren)" else {
                    return rows
                }
                return rows.map { StoredRow([$0.cells[1], $0.cells[1]], version: $0.version) }
            }),
        redirected("system-names-share", "Entities whose names begin with sqlite_ are one.", killedBy: "NAM-002") {
            $0.hasPrefix("sqlite_") ? "sqlite_" : $0
        },
        redirected(
            "punctuation-in-entities-lost", "Points in names of entities become underscores.", killedBy: "NAM-002"
        ) { $0 == "dot.ted" ? "_" : $0 },
        redirected(
            "own-names-share", "An entity named like the adapter's own table loses its records to another.",
            killedBy: "NAM-002"
        ) { $0 == "holdfast_store" ? "holdfast" : $0 },
        redirected("spaces-around-entities-lost", "Spaces around names of entities are dropped.", killedBy: "NAM-002") {
            $0 == "trailing " ? "tab\t" : $0
        },
        Mutant(
            "clear-of-nasty-name-ignored", "A clear of an entity with a quote in its name does nothing.",
            killedBy: "NAM-002",
            operation: { operation, _ in
                guard case .clear(let name) = operation, name.contains("'") else { return operation }
                return .delete(entity: name, keys: [])
            }),
        redirected("entities-fold-case", "Names of entities are kept without case.", killedBy: "NAM-003") {
            $0 == "post" || $0 == "POST" ? "Post" : $0
        },
        redirected(
            "entities-fold-unicode", "Names of entities are kept without case beyond ASCII.", killedBy: "NAM-003"
        ) { $0 == "\u{C9}t\u{E9}" ? "\u{E9}t\u{E9}" : $0 },
        merged(
            "fields-fold-case", "Names of fields are kept without case.", killedBy: "NAM-003", of: { $0 == "POST" },
            into: { _ in "post" }),
        Mutant("conditions-fold-names", "A condition finds its field without case.", killedBy: "NAM-003") {
            part, row, query in
            guard case .compare(let position, let comparison, let operand) = part else { return nil }
            let name = query.entity.fields[position].name
            guard let first = query.entity.fields.firstIndex(where: { $0.name.foldingASCII == name.foldingASCII })
            else { return nil }
            return BoundPredicate.compare(first, comparison, operand).matches(row)
        },
        cutEntities("entities-cut-at-63", 63), cutEntities("entities-cut-at-128", 128),
        cutEntities("entities-cut-at-254", 254),
        cutFields("fields-cut-at-63", 63), cutFields("fields-cut-at-31", 31), cutFields("fields-cut-at-254", 254),
        Mutant(
            "companion-collides", "The offset of a date-time is kept in the field `at_tail`.", killedBy: "NAM-005",
            rows: { rows, entity in
                guard let position = entity.position(of: "at_tail") else { return rows }
                return rows.map { $0.replacing(position, .text("20700")) }
            }),
        merged(
            "version-field-collides", "A field named like the version column is the version.", killedBy: "NAM-005",
            of: { $0 == "holdfast_version" }, into: { _ in "version" }),
        redirected(
            "index-named-like-entity-collides", "An entity named like an index of another loses its records.",
            killedBy: "NAM-005"
        ) { $0 == "Thing_index" ? "Thing" : $0 },
        Mutant(
            "second-index-of-name-skipped", "An index is not made if one of its name exists in another entity.",
            killedBy: "NAM-006",
            schema: { entity in
                guard entity.name != "On byText" else { return entity }
                return EntitySchema(
                    entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                    indexes: entity.indexes.filter { $0.name != "same" })
            }),
        Mutant(
            "quoted-unique-index-weak", "A unique index beside one with a quote in its name is not enforced.",
            killedBy: "NAM-006",
            schema: { entity in
                guard entity.indexes.contains(where: { $0.name.contains("\"") }) else { return entity }
                return EntitySchema(
                    entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                    indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
            }),
        Mutant("operand-is-field", "An operand that is the name of a field stands for the field.", killedBy: "NAM-007")
        { part, row, query in
            guard case .compare(let position, let comparison, .text(let operand)) = part,
                let other = query.entity.position(of: operand)
            else { return nil }
            return BoundPredicate.compare(position, comparison, row[other]).matches(row)
        },
        Mutant(
            "in-operand-is-field", "An element of IN that is the name of a field stands for the field.",
            killedBy: "NAM-007"
        ) { part, row, query in
            guard case .isIn(let position, let operands) = part else { return nil }
            let values = operands.map { value in query.entity.position(of: value.sampleText).map { row[$0] } ?? value }
            return values.contains { ValueOrder.areEqual($0, row[position]) }
        },
        injected("injected-or", "A quote in an operand ends it; OR 1=1 makes the condition true.") {
            $0.contains("' OR ")
        },
        injected("injected-comment", "An operand with a comment makes the condition true.") { $0.hasSuffix("--") },
        Mutant("quotes-escaped-in-operands", "Quotes of operands are doubled.", killedBy: "NAM-007") { part, row, _ in
            guard case .compare(let position, let comparison, .text(let text)) = part, text.contains("'") else {
                return nil
            }
            let doubled = text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''")
            return BoundPredicate.compare(position, comparison, .text(doubled)).matches(row)
        },
        Mutant("parameter-in-operand", "An operand that is a question mark is null.", killedBy: "NAM-007") {
            part, row, _ in
            guard case .compare(let position, let comparison, .text("?")) = part else { return nil }
            return BoundPredicate.compare(position, comparison, .null).matches(row)
        },
        Mutant(
            "quoted-key-deletes-all", "A delete of a key with a piece of SQL deletes everything.", killedBy: "NAM-007",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation,
                    keys.contains(where: { $0.components[0].sampleText.contains("DELETE") })
                else { return operation }
                return .clear(entity: name)
            }),
        Mutant(
            "fields-alphabetical", "Cells come back in the alphabetical order of their fields.", killedBy: "NAM-009",
            results: { rows, query in
                guard query.projectsAllFields else { return rows }
                let order = query.entity.fields.indices.sorted {
                    query.entity.fields[$0].name < query.entity.fields[$1].name
                }
                return rows.map { row in StoredRow(order.map { row.cells[$0] }, version: row.version) }
            }),
        Mutant(
            "projection-in-schema-order", "A projection comes in the order of the schema.", killedBy: "NAM-009",
            results: { rows, query in
                let order = query.projection.indices.sorted { query.projection[$0] < query.projection[$1] }
                return rows.map { row in StoredRow(order.map { row.cells[$0] }, version: row.version) }
            }),
        Mutant(
            "keys-in-field-order", "Records lie in the order in which the key's fields are declared.",
            killedBy: "NAM-009",
            scanned: { rows, _ in
                rows.sorted { ($0.cells[1].isBefore($1.cells[1])) }
            }),
        Mutant(
            "key-components-swapped", "A delete takes the components of its keys in the order of the fields.",
            killedBy: "NAM-009",
            operation: { operation, _ in
                guard case .delete(let name, let keys) = operation else { return operation }
                return .delete(entity: name, keys: keys.map { RecordKey($0.components.reversed()) })
            }),
        Mutant(
            "get-in-field-order", "A read takes the components of its keys in the order of the fields.",
            killedBy: "NAM-009",
            wrap: { base, trigger in
                HookedAdapter(base) { hooks in
                    hooks.getting = { request, snapshot throws(StorageError) in
                        trigger.fire()
                        var rows = RowBuffer()
                        try await snapshot.get(
                            GetRequest(request.entity, keys: request.keys.map { RecordKey($0.components.reversed()) }),
                            into: &rows)
                        return rows
                    }
                }
            }),
    ]

    private static func nulled(
        _ id: String, _ summary: String, killedBy clause: String, _ isMeant: @escaping @Sendable (String) -> Bool
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            rows: { rows, entity in
                rows.map { row in zip(row, entity.fields).map { isMeant($1.name) && !$1.isRequired ? .null : $0 } }
            })
    }

    /// A field gets the value of another.
    private static func merged(
        _ id: String, _ summary: String, killedBy clause: String, of isMeant: @escaping @Sendable (String) -> Bool,
        into other: @escaping @Sendable (String) -> String
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            rows: { rows, entity in
                rows.map { row in
                    zip(row, entity.fields).map { cell, field in
                        guard isMeant(field.name), let position = entity.position(of: other(field.name)) else {
                            return cell
                        }
                        return row[position]
                    }
                }
            })
    }

    /// An entity's records are written to another one.
    private static func redirected(
        _ id: String, _ summary: String, killedBy clause: String, _ target: @escaping @Sendable (String) -> String
    ) -> Mutant {
        Mutant(
            id, summary, killedBy: clause,
            operation: { operation, schema in
                guard case .put(let name, let rows, let mode) = operation,
                    (try? schema.entity(named: target(name))) != nil
                else { return operation }
                return .put(entity: target(name), rows: rows, mode: mode)
            })
    }

    private static func cutEntities(_ id: String, _ count: Int) -> Mutant {
        Mutant(
            id, "Names of entities are cut at \(count) bytes.", killedBy: "NAM-004",
            operation: { operation, schema in
                guard case .put(let name, let rows, let mode) = operation,
                    let first = schema.entities.first(where: {
                        $0.name.prefixOfBytes(count) == name.prefixOfBytes(count)
                    })
                else { return operation }
                return .put(entity: first.name, rows: rows, mode: mode)
            })
    }

    private static func cutFields(_ id: String, _ count: Int) -> Mutant {
        Mutant(
            id, "Names of fields are cut at \(count) bytes.", killedBy: "NAM-004",
            rows: { rows, entity in
                rows.map { row in
                    entity.fields.map { field in
                        let first = entity.fields.firstIndex {
                            $0.name.prefixOfBytes(count) == field.name.prefixOfBytes(count)
                        }
                        return row[first ?? 0]
                    }
                }
            })
    }

    private static func injected(_ id: String, _ summary: String, _ isMeant: @escaping @Sendable (String) -> Bool)
        -> Mutant
    {
        Mutant(id, summary, killedBy: "NAM-007") { part, _, _ in
            guard case .compare(_, .equal, .text(let text)) = part, isMeant(text) else { return nil }
            return true
        }
    }
}

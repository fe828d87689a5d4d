import HoldfastConformance
import HoldfastStorage

extension Mutant {
    /// Declarations that are not true, and calls that never end.
    static let sporadicOfDeclarations: [Mutant] = [
        declaring(
            "undeclared-feed", "The change feed works although it is declared unsupported.", .changeFeed, "FED-001"),
        declaring("undeclared-backup", "A backup works although it is declared unsupported.", .backup, "LIF-012"),
        declaring(
            "undeclared-verification", "verify() works although it is declared unsupported.", .verification, "LIF-011"),
        declaring(
            "undeclared-unique-indexes", "Unique indexes bind although they are declared unsupported.", .uniqueIndexes,
            "PRE-008"),
        Mutant(
            "unsupported-indexes-ignored", "Unique indexes are declared unsupported, accepted, and not enforced.",
            killedBy: "PRE-009"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.declaration = { declared in
                    var declared = declared
                    declared.support[.uniqueIndexes] = .unsupported
                    return declared
                }
                hooks.opening = { request, base throws(StorageError) in
                    let entities = request.schema.entities.map { entity in
                        EntitySchema(
                            entity.name, fields: entity.fields, primaryKey: entity.primaryKey,
                            indexes: entity.indexes.map { IndexSchema($0.name, on: $0.fields) })
                    }
                    if entities != request.schema.entities { trigger.fire() }
                    try await base.open(
                        OpenRequest(schema: StorageSchema(entities: entities), migration: request.migration))
                }
            }
        },
        Mutant(
            "promised-durability-refused", "A durability that is declared is refused.", killedBy: "LIF-007"
        ) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.committing = { request, base throws(StorageError) in
                    let durability = base.capabilities.durability
                    if durability > .none, (request.durability ?? durability) == durability {
                        trigger.fire()
                        throw StorageError(.unsupported, "The durability is beyond the declared one.")
                    }
                    return try await base.commit(request)
                }
            }
        },
        Mutant("reader-waits-for-ever", "The 65th open snapshot waits for one to be closed.", killedBy: "RES-010") {
            base, trigger in
            let open = Counter()
            return HookedAdapter(base) { hooks in
                hooks.snapshotting = { base throws(StorageError) in
                    if open.next() >= 64 {
                        trigger.hang()
                        while open.current > 64 { do { try await Task.sleep(for: .milliseconds(50)) } catch { break } }
                    }
                    return ClosingSnapshot(base: try await base.snapshot()) { open.set(open.current - 1) }
                }
            }
        },
    ]

    /// Creates a mutant that declares what works unsupported.
    private static func declaring(
        _ id: String, _ summary: String, _ feature: Capabilities.Feature, _ clause: String
    ) -> Mutant {
        Mutant(id, summary, killedBy: clause) { base, trigger in
            HookedAdapter(base) { hooks in
                hooks.declaration = { declared in
                    var declared = declared
                    if declared.support(for: feature) != .unsupported { trigger.fire() }
                    declared.support[feature] = .unsupported
                    return declared
                }
            }
        }
    }
}

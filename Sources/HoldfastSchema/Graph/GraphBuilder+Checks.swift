import HoldfastGraphQL

// What can only be said of the whole.
extension GraphBuilder {
    /// Reports embedded types that contain themselves.
    mutating func checkCycles() {
        var embeddedEdges: [String: [String]] = [:]
        for type in graph.embedded {
            embeddedEdges[type.name] = type.fields.filter { !$0.isList }.compactMap(\.value?.embeddedType)
        }
        for cycle in Cycles.components(of: embeddedEdges, order: graph.embedded.map(\.name)) {
            let type = graph.embedded.first { cycle.contains($0.name) }
            problems.add(
                "the embedded type \"\(cycle[0])\" contains itself\(path(cycle))", at: type?.location ?? .none,
                "Make one of the fields a list, or one of the types a model.")
        }
    }

    /// Reports models of which none can be the first.
    ///
    /// A service accepts the key of a record that is made later.
    mutating func checkRequiredCycles() {
        var edges: [String: [String]] = [:]
        for model in graph.models {
            edges[model.name] = model.fields.compactMap { field in
                guard field.isRequired, let relation = field.relation, relation.kind != .hasMany else { return nil }
                return relation.model
            }
        }
        for cycle in Cycles.components(of: edges, order: graph.models.map(\.name)) {
            guard let model = model(cycle[0]) else { continue }
            let field = model.fields.first {
                $0.isRequired && $0.relation.map { $0.kind != .hasMany && cycle.contains($0.model) } ?? false
            }
            problems.add(
                "\"\(model.name)\" requires itself\(path(cycle)), so no record could be the first",
                at: field?.location ?? model.location, "Make one of the relations optional.")
        }
    }

    /// Reports lists that are looked up by other fields than the key of the model that has them.
    ///
    /// A service compares these fields. A list in Swift knows only the key of its record.
    mutating func checkLists() {
        for model in graph.models {
            for declaration in declared(model.name) {
                guard let fields = declaration.directive.strings("fields")?.map(\.text), fields != model.primaryKey,
                    model.field(declaration.field.name.text)?.relation?.kind == .hasMany
                else { continue }
                let key = model.primaryKey.map { "\"\($0)\"" }.joined(separator: ", ")
                problems.add(
                    "the fields of \"\(declaration.name)\" are not the key of \"\(model.name)\","
                        + " by which lists are looked up in Swift",
                    at: declaration.location,
                    "Name the key, \(key), or leave the list out and query \"\(declaration.target)\".")
            }
        }
    }

    /// Reports relations whose key no property of the children stands for: a relation holds more than the key, or
    /// several relations hold its parts.
    mutating func checkHeldKeys() {
        for model in graph.models {
            for field in model.fields {
                guard let relation = field.relation, let other = self.model(relation.model),
                    let name = relation.associated.first(where: { other.field($0) == nil })
                else { continue }
                problems.add(
                    "\"\(model.name).\(field.name)\" is looked up by \"\(name)\","
                        + " which a relation of \"\(other.name)\" holds with another key",
                    at: field.location, "Give \"\(other.name)\" a field of its own for this key.")
            }
        }
    }

    private func path(_ cycle: [String]) -> String {
        cycle.count == 1 ? "" : " by way of \(cycle.dropFirst().map { "\"\($0)\"" }.joined(separator: ", "))"
    }

    /// Takes indexes out whose columns nothing holds.
    mutating func checkIndexFields() {
        for index in graph.models.indices {
            let model = graph.models[index]
            let columns = Set(model.fields.flatMap(\.columns))
            graph.models[index].indexes.removeAll { !$0.fields.allSatisfy(columns.contains) }
        }
    }
}

/// Finds what leads back to itself.
package enum Cycles {
    /// The groups of names that lead to each other, each in the given order; a name alone if it leads to itself.
    ///
    /// - Complexity: O(n + e). Does not recurse, since a schema can be a long chain.
    package static func components(of edges: [String: [String]], order: [String]) -> [[String]] {
        let positions = Dictionary(order.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
        let graph = Graph(edges: order.map { (edges[$0] ?? []).compactMap { positions[$0] } })
        return graph.cyclicComponents().map { $0.map { order[$0] } }
    }
}

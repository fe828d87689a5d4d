// The rule that fields with the same response name can be merged.
//
// The specification compares every pair of fields, again for every pair of their selections. Here fields are compared
// in two passes, each of which needs one comparison per field, because being mergeable is transitive within them:
// first the types of all fields with one response name, then names and arguments of those fields that can apply to the
// same object. A set of fields that was reached before is not checked again, and the steps are counted.
extension DocumentValidator {
    mutating func checkMerging() {
        guard steps >= 0 else { return }
        var merging = MergeCheck(graph: selections, fragmentSets: fragmentFacts.map(\.set))
        // The selections of a fragment are part of those of the operations that use it.
        let unused = fragmentFacts.indices.filter { !isUsed[$0] }.map { fragmentFacts[$0].set }
        for set in operationFacts.map(\.set) + unused { merging.enqueueBoth([set]) }
        while let task = merging.next() {
            let fields = merging.fields(of: task.sets)
            let first = fields.first.map { selections.fields[$0].selection.location } ?? .none
            guard take(merging.takeVisits(), at: first) else { return }
            guard merging.isNew(fields, task.pass) else { continue }
            let groups = merging.groups(of: fields)
            for group in groups {
                switch task.pass {
                case .types: checkTypes(of: group, &merging)
                case .names:
                    let parts = merging.parts(of: group)
                    if parts.concrete.isEmpty { checkNames(of: parts.abstract, &merging) }
                    for own in parts.concrete {
                        guard take(parts.abstract.count + own.count, at: first) else { return }
                        checkNames(of: parts.abstract + own, &merging)
                    }
                }
            }
        }
    }

    /// Checks that all fields of a group have the same shape.
    private mutating func checkTypes(of group: [Int], _ merging: inout MergeCheck) {
        let known = group.first { selections.fields[$0].type != nil }
        if let known {
            let first = selections.fields[known]
            for index in group where index != known {
                let field = selections.fields[index]
                guard let type = field.type, let expected = first.type else { continue }
                if Self.haveSameShape(field, type, first, expected) { continue }
                report(
                    index, known, &merging, "have the types \"\(type)\" and \"\(expected)\"",
                    "Give one of them an alias.")
            }
        }
        merging.enqueue(children(of: group), .types)
    }

    private static func haveSameShape(
        _ left: SelectionGraph.Field, _ leftType: TypeReference, _ right: SelectionGraph.Field,
        _ rightType: TypeReference
    ) -> Bool {
        if left.isComposite, right.isComposite { return leftType.hasSameWrapping(as: rightType) }
        return leftType.isSame(as: rightType)
    }

    /// Checks that fields that can apply to the same object are the same field with the same arguments.
    private mutating func checkNames(of part: [Int], _ merging: inout MergeCheck) {
        if let head = part.first, part.count > 1 {
            let first = selections.fields[head].selection
            let arguments = merging.argumentNumber(of: head)
            for index in part.dropFirst() {
                let field = selections.fields[index].selection
                if field.name.text != first.name.text {
                    report(
                        index, head, &merging, "are the different fields \"\(field.name)\" and \"\(first.name)\"",
                        "Give one of them an alias.")
                } else if merging.argumentNumber(of: index) != arguments {
                    report(
                        index, head, &merging, "have different arguments",
                        "Give one of them an alias, or both the same arguments.")
                }
            }
        }
        merging.enqueue(children(of: part), .names)
    }

    private func children(of fields: [Int]) -> [Int] {
        fields.compactMap { selections.fields[$0].set }
    }

    private mutating func report(
        _ index: Int, _ other: Int, _ merging: inout MergeCheck, _ what: @autoclosure () -> String, _ hint: String
    ) {
        guard merging.isNewConflict(index, other) else { return }
        let field = selections.fields[index].selection
        let location = selections.fields[other].selection.location
        rules.problems.add(
            .fieldsCanBeMerged, at: field.location, location,
            message: "two fields with the response name \"\(field.responseName)\" \(what())",
            hint: "\(hint) The other is at \(location).")
    }
}

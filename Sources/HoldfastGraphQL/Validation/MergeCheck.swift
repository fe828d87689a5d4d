/// The work list of the check whether fields can be merged.
struct MergeCheck {
    /// What is compared.
    enum Pass: Hashable {
        /// The types of all fields with one response name.
        case types
        /// Names and arguments of the fields that can apply to the same object.
        case names
    }

    /// Selections whose fields end up in one object of the response.
    struct Task {
        let sets: [Int]
        let pass: Pass
    }

    private struct Key: Hashable {
        let fields: [Int]
        let pass: Pass
    }

    private struct Conflict: Hashable {
        let left: Int
        let right: Int
    }

    private let graph: SelectionGraph
    private let fragmentSets: [Int]
    private var tasks: [Task] = []
    private var position = 0
    private var seen: Set<Key> = []
    private var conflicts: Set<Conflict> = []
    /// For each selection, the last collection that visited it.
    private var visitedBy: [Int]
    private var collection = 0
    private var visits = 0
    private var argumentNumbers: [Int: Int] = [:]
    private var numbers: [[UInt8]: Int] = [:]

    init(graph: SelectionGraph, fragmentSets: [Int]) {
        self.graph = graph
        self.fragmentSets = fragmentSets
        visitedBy = Array(repeating: 0, count: graph.sets.count)
    }

    mutating func enqueueBoth(_ sets: [Int]) {
        enqueue(sets, .types)
        enqueue(sets, .names)
    }

    mutating func enqueue(_ sets: [Int], _ pass: Pass) {
        if !sets.isEmpty { tasks.append(Task(sets: sets, pass: pass)) }
    }

    /// The next piece of work, if any is left.
    mutating func next() -> Task? {
        guard position < tasks.count else { return nil }
        position += 1
        // Work that is done needs no memory.
        if position > 4096, position * 2 > tasks.count {
            tasks.removeFirst(position - 1)
            position = 1
        }
        return tasks[position - 1]
    }

    /// The fields of selections, those of fragments included, each once, in ascending order.
    mutating func fields(of sets: [Int]) -> [Int] {
        collection += 1
        var fields: [Int] = []
        var open = sets
        while let set = open.popLast() {
            visits += 1
            guard visitedBy[set] != collection else { continue }
            visitedBy[set] = collection
            visits += graph.sets[set].count
            for entry in graph.sets[set] {
                switch entry {
                case .field(let field): fields.append(field)
                case .set(let set): open.append(set)
                case .fragment(let fragment): open.append(fragmentSets[fragment])
                }
            }
        }
        fields.sort()
        return fields
    }

    /// The number of entries that were visited since the last call.
    mutating func takeVisits() -> Int {
        defer { visits = 0 }
        return visits
    }

    /// Whether a set of fields is checked for the first time in a pass.
    mutating func isNew(_ fields: [Int], _ pass: Pass) -> Bool {
        !fields.isEmpty && seen.insert(Key(fields: fields, pass: pass)).inserted
    }

    /// Whether two fields are found to be in conflict for the first time.
    mutating func isNewConflict(_ left: Int, _ right: Int) -> Bool {
        conflicts.insert(Conflict(left: min(left, right), right: max(left, right))).inserted
    }

    /// A number that is the same for fields whose arguments say the same.
    ///
    /// Arguments may be large, and a field is in many sets: they are written out once.
    mutating func argumentNumber(of field: Int) -> Int {
        let arguments = graph.fields[field].selection.arguments
        guard !arguments.isEmpty else { return 0 }
        if let known = argumentNumbers[field] { return known }
        let text = Self.canonical(arguments)
        let number = numbers[text] ?? numbers.count + 1
        numbers[text] = number
        argumentNumbers[field] = number
        return number
    }

    /// Fields by response name, in the order of the first field of each name.
    func groups(of fields: [Int]) -> [[Int]] {
        grouped(fields) { graph.fields[$0].selection.responseName }
    }

    /// The fields of a group by the object on which they are selected, and those on abstract types, which can apply to
    /// any of these objects.
    func parts(of group: [Int]) -> (abstract: [Int], concrete: [[Int]]) {
        guard group.count > 1 else { return (group, []) }
        let abstract = group.filter { graph.fields[$0].parent.kind.isAbstract }
        let concrete = group.filter { !graph.fields[$0].parent.kind.isAbstract }
        return (abstract, concrete.isEmpty ? [] : grouped(concrete) { graph.fields[$0].parent.name })
    }

    private func grouped(_ fields: [Int], _ key: (Int) -> String) -> [[Int]] {
        guard fields.count > 1 else { return [fields] }
        var indices: [String: Int] = [:]
        var groups: [[Int]] = []
        for field in fields {
            let name = key(field)
            if let index = indices[name] {
                groups[index].append(field)
            } else {
                indices[name] = groups.count
                groups.append([field])
            }
        }
        return groups
    }

    /// Arguments as text, in UTF-8, that is the same for arguments that say the same.
    private static func canonical(_ arguments: [Argument]) -> [UInt8] {
        let sorted = arguments.map { Argument(name: $0.name, value: canonical($0.value)) }
            .sorted { $0.name.text < $1.name.text }
        var printer = Printer()
        printer.arguments(sorted)
        return printer.output
    }

    private static func canonical(_ value: GraphQLValue) -> GraphQLValue {
        switch value.content {
        case .list(let values): GraphQLValue(.list(values.map(canonical)))
        case .object(let fields):
            GraphQLValue(
                .object(
                    fields.map { ObjectField(name: $0.name, value: canonical($0.value)) }
                        .sorted { $0.name.text < $1.name.text }))
        default: value
        }
    }
}

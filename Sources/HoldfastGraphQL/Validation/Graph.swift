/// Finds cycles in a directed graph without recursion.
package struct Graph {
    /// The targets of the edges of each node.
    private let edges: [[Int]]

    package init(edges: [[Int]]) {
        self.edges = edges
    }

    /// One cycle for each set of nodes that all reach each other, starting at its smallest node.
    ///
    /// - Complexity: O(nodes + edges), and sorting.
    func cycles() -> [[Int]] {
        cyclicComponents().map { shortestCycle(from: $0[0], within: Set($0)) }.sorted { $0[0] < $1[0] }
    }

    /// The sets of nodes that all reach each other, each in ascending order; a node alone if it reaches itself.
    ///
    /// - Complexity: O(nodes + edges), and sorting.
    package func cyclicComponents() -> [[Int]] {
        components().filter { $0.count > 1 || edges[$0[0]].contains($0[0]) }.map { $0.sorted() }
    }

    /// The sets of nodes that all reach each other (Tarjan's algorithm with its own stack).
    private func components() -> [[Int]] {
        var result: [[Int]] = []
        var order = [Int](repeating: -1, count: edges.count)
        var low = [Int](repeating: 0, count: edges.count)
        var isOpen = [Bool](repeating: false, count: edges.count)
        var open: [Int] = []
        var next = 0
        var path: [(node: Int, edge: Int)] = []
        for root in edges.indices where order[root] < 0 {
            path.append((root, 0))
            while let (node, edge) = path.last {
                if order[node] < 0 {
                    order[node] = next
                    low[node] = next
                    next += 1
                    open.append(node)
                    isOpen[node] = true
                }
                if edge < edges[node].count {
                    path[path.count - 1].edge += 1
                    let target = edges[node][edge]
                    if order[target] < 0 {
                        path.append((target, 0))
                    } else if isOpen[target] {
                        low[node] = min(low[node], order[target])
                    }
                    continue
                }
                path.removeLast()
                if let parent = path.last { low[parent.node] = min(low[parent.node], low[node]) }
                guard low[node] == order[node] else { continue }
                var component: [Int] = []
                while let member = open.popLast() {
                    isOpen[member] = false
                    component.append(member)
                    if member == node { break }
                }
                result.append(component)
            }
        }
        return result
    }

    private func shortestCycle(from start: Int, within nodes: Set<Int>) -> [Int] {
        var cameFrom: [Int: Int] = [:]
        var queue = [start]
        var position = 0
        while position < queue.count {
            let node = queue[position]
            position += 1
            for target in edges[node] where nodes.contains(target) {
                if target == start {
                    var cycle = [node]
                    while let last = cycle.last, last != start, let previous = cameFrom[last] { cycle.append(previous) }
                    return cycle.reversed()
                }
                if cameFrom[target] == nil {
                    cameFrom[target] = node
                    queue.append(target)
                }
            }
        }
        return [start]
    }
}

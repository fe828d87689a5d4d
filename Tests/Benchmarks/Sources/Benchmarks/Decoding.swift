import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastWire

/// A service's answers, from bytes to rows.
enum Decoding {
    static let all = [page]

    /// One page of 1,000 records of 10 columns; beside it Foundation's decoder, which makes models.
    private static let page = Benchmark(name: "decode a sync page") { bench in
        let count = 1_000
        let body = try answer(recordCount: count)
        let data = Data(body)
        let model = try WireModel(Errand.schema, among: [Errand.modelName: Errand.schema])
        var (wire, foundation) = (Samples(), Samples())
        for round in 0...bench.rounds(9) {
            let foundationTurn = try await time {
                try JSONDecoder().decode(Answer.self, from: data).data.syncErrands.items.count
            }
            if round > 0 { foundation.add(foundationTurn) }
            for _ in 0..<10 {
                let turn = try await time {
                    guard let items = try model.page(body).result?.items, items.faults.isEmpty else { return 0 }
                    precondition(items.count == count, "every record is read")
                    return items.count
                }
                if round > 0 { wire.add(turn) }
            }
        }
        let speeds = [foundation, wire].map { Double(count) / $0.best }
        let pair = Measurement.beside(
            "decode a sync page, against JSONDecoder into models", "wire", "rows/s", isRate: true,
            [
                Measurement.Entry(layer: "JSONDecoder", value: speeds[0]),
                Measurement.Entry(layer: "HoldfastWire", value: speeds[1], goal: .ratio(0.1)),
            ])
        let single = Measurement(
            name: "decode a sync page into rows", adapter: "wire", layer: "HoldfastWire", value: speeds[1],
            unit: "rows/s", goal: .atLeast(200_000))
        return [single] + pair
    }

    /// A page as a service sends it.
    private static func answer(recordCount: Int) throws -> [UInt8] {
        let items = (0..<recordCount).map { number in
            let rating = Double(number) / 8
            return """
                {"id":"\(Errands.id(number))","content":"A few words for record \(number), é and \\"quotes\\"",\
                "count":\(number),"createdAt":"2026-01-01T00:00:00.000Z","isDone":\(number.isMultiple(of: 2)),\
                "listID":"\(Errands.id(1_000_000 + number % 100))","rating":\(rating),\
                "status":\(number.isMultiple(of: 3) ? "null" : "\"OPEN\""),"title":"Title number \(number)",\
                "updatedAt":"2026-01-01T00:00:00.000Z","__typename":"Errand","_version":\(number + 1),\
                "_deleted":null,"_lastChangedAt":1767225600000}
                """
        }
        let text = """
            {"data":{"syncErrands":{"items":[\(items.joined(separator: ","))],"nextToken":null,\
            "startedAt":1767225600000}}}
            """
        return Array(text.utf8)
    }

    private struct Answer: Decodable {
        struct Data: Decodable { var syncErrands: Page }
        struct Page: Decodable { var items: [MutationSync<Errand>?] }
        var data: Data
    }
}

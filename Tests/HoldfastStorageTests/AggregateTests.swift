import HoldfastStorage
import HoldfastTestSupport
import Testing

struct AggregateTests {
    private func bound(_ functions: [AggregatePlan.Function]) throws -> BoundAggregate {
        let schema = try StorageSchema(entities: [
            EntitySchema(
                "E", fields: [FieldSchema("id", .int), FieldSchema("n", .int), FieldSchema("x", .float)])
        ])
        return try schema.bind(AggregatePlan("E", functions))
    }

    private func result(_ functions: [AggregatePlan.Function], _ rows: [[Value]]) throws -> [Value] {
        var accumulator = AggregateAccumulator(try bound(functions))
        for row in rows { row.withUnsafeBufferPointer { accumulator.add($0) } }
        return try accumulator.result()
    }

    private func rows(_ integers: [Int64?]) -> [[Value]] {
        integers.enumerated().map { [.integer(Int64($0)), $1.map(Value.integer) ?? .null, .null] }
    }

    @Test(arguments: [[Int64.max, 1], [.min, -1], [.max, .max, .max], [.min, .min]])
    func sumThatLeavesSixtyFourBitsIsUnrepresentable(_ integers: [Int64]) throws {
        #expect(throws: StorageError(.unrepresentable, "")) { try result([.sum("n")], rows(integers)) }
    }

    @Test(arguments: [[Int64.max, 1, -1], [1, .max, -1], [.min, -1, 1], [.max, .max, .min, .min, 2]])
    func sumThatFitsDoesNotDependOnTheOrderOfItsParts(_ integers: [Int64]) throws {
        let sum = integers.reduce(0, &+)
        #expect(try result([.sum("n")], rows(integers)) == [.integer(sum)])
        #expect(try result([.sum("n")], rows(integers.reversed())) == [.integer(sum)])
    }

    @Test(arguments: [[1e308, 1e308], [-1e308, -1e308], [Double.greatestFiniteMagnitude, 1e300, 1]])
    func sumThatLeavesTheRangeOfDoublesIsUnrepresentable(_ doubles: [Double]) throws {
        let rows: [[Value]] = doubles.enumerated().map { [.integer(Int64($0)), .null, .double($1)] }
        for function in [AggregatePlan.Function.sum("x"), .average("x")] {
            #expect(throws: StorageError(.unrepresentable, "")) { try result([function], rows) }
        }
        let greatest = try #require(doubles.max())
        #expect(try result([.count, .maximum("x")], rows) == [.integer(Int64(doubles.count)), .double(greatest)])
    }

    @Test func overflowOfASumLeavesOtherAggregatesIntact() throws {
        let rows = rows([.max, .max])
        #expect(
            try result([.count, .maximum("n"), .average("n")], rows) == [
                .integer(2), .integer(.max), .double(0x1p63),
            ])
    }

    @Test func aggregatesOfNothingAreZeroOrNull() throws {
        let functions: [AggregatePlan.Function] = [
            .count, .sum("n"), .sum("x"), .average("n"), .minimum("n"), .maximum("x"),
        ]
        #expect(try result(functions, []) == [.integer(0), .integer(0), .double(0), .null, .null, .null])
        #expect(try result(functions, rows([nil])) == [.integer(1), .integer(0), .double(0), .null, .null, .null])
    }

    @Test func nullsAreCountedButNotAveraged() throws {
        #expect(
            try result([.count, .average("n"), .minimum("n")], rows([4, nil, 2]))
                == [.integer(3), .double(3), .integer(2)])
    }

    @Test func extremesOfEqualTimesAreThatOfTheFirstKeyInAnyOrderOfTheRows() throws {
        let schema = try StorageSchema(entities: [
            EntitySchema("E", fields: [FieldSchema("id", .int), FieldSchema("at", .dateTime)])
        ])
        let aggregate = try schema.bind(AggregatePlan("E", [.minimum("at"), .maximum("at")]))
        let times = try ["00:00:00Z", "01:00:00+01:00", "00:00:00.0Z", "00:00:00Z"].map { time in
            try Value.timestamp(Timestamp(parsing: "2024-01-01T" + time))
        }
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [3, 1, 0, 2], [2, 3, 1]] {
            var accumulator = AggregateAccumulator(aggregate)
            for number in order {
                let row: [Value] = [.integer(Int64(number)), times[number]]
                row.withUnsafeBufferPointer { accumulator.add($0) }
            }
            let first = times[order.contains(0) ? 0 : 1]
            #expect(try accumulator.result() == [first, first])
        }
    }

    @Test(arguments: [AggregatePlan.Function.sum("t"), .average("t"), .minimum("l"), .maximum("l")])
    func functionThatTheTypeDoesNotAllowIsRefused(_ function: AggregatePlan.Function) throws {
        let schema = try StorageSchema(entities: [
            EntitySchema(
                "E",
                fields: [
                    FieldSchema("id", .int), FieldSchema("t", .string),
                    FieldSchema("l", .list(of: .int, elementsAreRequired: false)),
                ])
        ])
        #expect(throws: StorageError(.schemaMismatch, "")) { try schema.bind(AggregatePlan("E", [function])) }
    }

    @Test(
        arguments: [
            ([9_007_199_254_740_993, -9_007_199_254_740_992], 0.5), ([Int64.max, .min], -0.5), ([.max, 1, .min], 0),
            ([.max, .max, .min, .min, .min], -0x1p63 / 5), ([.min, .min], -0x1p63),
        ] as [([Int64], Double)])
    func averageOfIntegersIsRoundedAtTheEnd(_ integers: [Int64], mean: Double) throws {
        #expect(try result([.average("n")], rows(integers)) == [.double(mean)])
    }

    @Test func averageOfLargeIntegersIsNearTheExactOne() throws {
        let integers: [Int64?] = [.max, .max - 1, 1 << 53, -1]
        let values = try result([.average("n")], rows(integers))
        guard case .double(let average)? = values.first else {
            Issue.record("not a double")
            return
        }
        let exact = integers.compactMap { $0 }.reduce(0.0) { $0 + Double($1) } / 4
        #expect(abs(average - exact) <= exact * 1e-12)
    }
}

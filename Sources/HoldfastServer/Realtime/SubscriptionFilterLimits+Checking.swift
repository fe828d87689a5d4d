import HoldfastWire

extension SubscriptionFilterLimits {
    /// All comparisons of a filter: those of five fields in each combination.
    ///
    /// Each is made for each event.
    private static let comparisonMaximum = fieldCount * combinationCount

    /// Checks a filter.
    ///
    /// - Throws: ``RequestFault`` with a message that clients know; they subscribe again without the filter then.
    static func check(_ filter: WireValue) throws(RequestFault) {
        var comparisonCount = 0
        _ = try combinations(filter, depth: 1, &comparisonCount)
    }

    /// In how many ways a filter can be true, counted as the service does: alternatives multiply.
    ///
    /// It ends at the first part that makes too many; a product of all parts could be greater than any integer.
    ///
    /// Adds the comparisons to `comparisonCount`, at least one, as a part without any is looked at, too.
    private static func combinations(
        _ filter: WireValue, depth: Int, _ comparisonCount: inout Int
    ) throws(RequestFault) -> Int {
        guard depth <= levelCount else {
            throw RequestFault("BadRequestException", "Filters combination exceed maximum limit \(levelCount) levels")
        }
        var count = 1
        var fields = 0
        let formerCount = comparisonCount
        for member in filter.object?.members ?? [] where !member.value.isNull {
            switch member.name {
            case "and":
                for part in member.value.array ?? [] {
                    count = try checked(count * combinations(part, depth: depth + 1, &comparisonCount))
                }
            case "or":
                var alternatives = 0
                for part in member.value.array ?? [] {
                    alternatives = try checked(alternatives + combinations(part, depth: depth + 1, &comparisonCount))
                }
                count = try checked(count * max(1, alternatives))
            default:
                fields += 1
                let comparisons = member.value.object?.members ?? []
                comparisonCount += comparisons.count
                for comparison in comparisons { try checkOperand(comparison.value) }
            }
        }
        guard fields <= fieldCount else {
            throw RequestFault("BadRequestException", "Filters exceed maximum attributes limit \(fieldCount)")
        }
        comparisonCount = max(comparisonCount, formerCount + 1)
        guard comparisonCount <= comparisonMaximum else {
            throw RequestFault("BadRequestException", "Filters exceed maximum attributes limit \(comparisonMaximum)")
        }
        return count
    }

    private static func checked(_ count: Int) throws(RequestFault) -> Int {
        guard count <= combinationCount else {
            throw RequestFault("BadRequestException", "Filters combination exceed maximum limit \(combinationCount)")
        }
        return count
    }

    private static func checkOperand(_ operand: WireValue) throws(RequestFault) {
        switch operand {
        case .string(let text) where text.utf8.count > textByteCount:
            throw RequestFault("BadRequestException", "Filters exceed maximum attributes limit \(textByteCount) bytes")
        case .array(let values):
            guard values.count <= valueCount else {
                throw RequestFault(
                    "BadRequestException", "Filters exceed maximum attributes limit \(valueCount) values")
            }
            for value in values { try checkOperand(value) }
        default: break
        }
    }
}

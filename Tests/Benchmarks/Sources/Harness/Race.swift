/// Measures contenders in turns, so that whatever else the machine does disturbs all of them alike.
struct Race {
    /// Who is measured.
    var contenders: [Contender]
    /// How often each is measured after one unmeasured turn.
    var rounds: Int

    /// Measures.
    ///
    /// - Parameter measure: One turn of one contender; what it returns in the first round is discarded.
    /// - Returns: The samples of all turns for each contender that had any, in the order of ``contenders``.
    /// - Throws: What `measure` throws.
    func run(_ measure: (Contender) async throws -> Samples) async throws -> [(Contender, Samples)] {
        var results = contenders.map { ($0, Samples()) }
        var random = SplitMix64(state: 1)
        var order = Array(results.indices)
        for round in 0...rounds {
            // No one always runs after the same other, nor twice in a row: a second turn finds the processor's caches
            // full of its own data.
            let last = order.last
            order.shuffle(using: &random)
            if order.first == last { order.swapAt(0, order.count - 1) }
            for index in order {
                let samples = try await measure(results[index].0)
                if round > 0 { results[index].1.add(samples) }
            }
        }
        return results.filter { !$0.1.seconds.isEmpty }
    }
}

/// Measures one piece of work.
///
/// - Parameter body: The work; returns something computed from all of it.
/// - Returns: One sample, the duration of the work.
func time(_ body: () async throws -> Int) async rethrows -> Samples {
    let start = ContinuousClock.now
    let result = try await body()
    let duration = ContinuousClock.now - start
    consume(result)
    var samples = Samples()
    samples.add(duration)
    return samples
}

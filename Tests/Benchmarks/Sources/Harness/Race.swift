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
        for round in 0...rounds {
            // There and back again: nobody always runs after the same other.
            let order = round.isMultiple(of: 2) ? Array(results.indices) : results.indices.reversed()
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

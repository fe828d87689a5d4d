/// One way in which a store can be wrong; ``FaultyAdapter`` has exactly one of them.
package enum ModelDefect: String, Sendable, CaseIterable {
    // Queries.
    case nullsLast, notDropped, noKeyTieBreak, caseInsensitiveEquality, wildcardsInNeedles, emptyOrIsTrue
    case notEqualSkipsNull, rowLostBeyondFifty, limitZeroIsAll, cursorSkipsNulls, offsetBeforeCursorIgnored
    // Snapshots.
    case snapshotLiveForScan, snapshotLiveForGet
    // Commits.
    case preconditionIgnored, batchNotAtomic, updateActsAsUpsert, insertActsAsUpsert, missingDeletesCounted
    case versionKeptByReplacement, positionMissing, uniqueIgnored
    // Values.
    case integersThroughDouble, normalisedOnWrite, emptyListIsNull, fractionTruncated, offsetLost, textTrimmed, textCut
    // Aggregates.
    case sumWraps, averageCountsNulls, minimumIsNull
}

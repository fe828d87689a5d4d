import Foundation
import HoldfastStorage

extension Clause {
    /// Time zones of the process.
    static let temporalZones: [Clause] = [
        Clause(
            "TIM-013",
            "Dates, times and instants are stored and compared alike whatever the time zone of the process, also where its "
                + "clocks are put forward or back.",
            catches: "A date passes through midnight in local time, an instant through the local clock.",
            witness: "values compared in several time zones", protectsData: true
        ) { context in
            if let zone = ProcessInfo.processInfo.environment[LocalZone.variable] {
                return try await LocalZone(named: zone).check(context)
            }
            guard let workers = context.workers else { throw ClauseSkip.noWorkers }
            guard let clause = temporalZones.first else { return }
            for zone in LocalZone.all {
                let result = await workers.check(
                    clause, context.harness, seed: context.seed,
                    environment: ["TZ": zone.name, LocalZone.variable: zone.name])
                switch result.verdict {
                case .conformant: context.witness(result.witnessCount)
                case .skipped: throw ClauseSkip(result.reason ?? "")
                case .harnessError: throw HarnessFailure(result.reason ?? "")
                default: throw ClauseFailure("In the time zone \(zone.name): \(result.reason ?? "")")
                }
            }
        }
    ]
}

/// A time zone in which a child checks values.
struct LocalZone: Sendable {
    /// The variable that names the zone for the child.
    static let variable = "HOLDFAST_ZONE"

    let name: String
    /// An instant, and the seconds by which the zone is then ahead of UTC.
    let instant: Int
    let offset: Int
    /// Days and times of day, written without a zone, around the zone's own gaps and overlaps.
    let localTimes: [String]

    static let all = [
        LocalZone(
            name: "Europe/Berlin", instant: 1_720_000_000, offset: 7_200,
            localTimes: [
                "2024-03-31T02:30:00", "2024-03-31T01:59:59.5", "2024-10-27T02:30:00", "2024-10-27T01:30:00",
                "1893-04-01T00:03:00",
            ]),
        LocalZone(
            name: "America/New_York", instant: 1_720_000_000, offset: -14_400,
            localTimes: ["2024-03-10T02:30:00", "2024-11-03T01:30:00", "2024-11-03T06:30:00", "1883-11-18T12:01:00"]),
        LocalZone(
            name: "Pacific/Kiritimati", instant: 1_720_000_000, offset: 50_400,
            localTimes: ["1994-12-31T12:00:00", "1995-01-01T00:00:00", "2024-02-29T23:30:00"]),
        LocalZone(
            name: "Asia/Kathmandu", instant: 1_720_000_000, offset: 20_700,
            localTimes: ["1986-01-01T00:07:00", "1985-12-31T23:59:59", "2024-06-30T00:00:00"]),
    ]

    init(name: String, instant: Int, offset: Int, localTimes: [String]) {
        self.name = name
        self.instant = instant
        self.offset = offset
        self.localTimes = localTimes
    }

    init(named name: String) throws {
        guard let zone = Self.all.first(where: { $0.name == name }) else {
            throw HarnessFailure("There is no time zone \(name) to check in.")
        }
        self = zone
    }

    /// Checks values around the zone's gaps and overlaps, as local times and as times in UTC.
    func check(_ context: ClauseContext) async throws {
        var now = time_t(instant)
        var local = tm()
        localtime_r(&now, &local)
        guard local.tm_gmtoff == offset else {
            throw ClauseSkip("The system does not know the time zone \(name).")
        }
        let minutes = abs(offset) / 60
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let suffix = "\(offset < 0 ? "-" : "+")\(padded(minutes / 60)):\(padded(minutes % 60))"
        let days = Set(
            localTimes.map { String($0.prefix(10)) } + ["1970-01-01", "1969-12-31", "0001-01-01", "9999-12-31"])
        let times = localTimes.map { String($0.dropFirst(11)) } + ["00:00:00", "23:59:59.999"]
        try await Clause.expectKept(context, .date, days.sorted() + days.sorted().map { $0 + "Z" })
        try await Clause.expectKept(context, .time, Array(Set(times)).sorted())
        let instants = localTimes.flatMap { [$0 + "Z", $0 + suffix, $0 + "+00:30"] }
        try await Clause.expectKept(context, .dateTime, instants)
    }
}

/// The families of clauses by the letters of their ids.
enum Family {
    /// What the clauses of a family are about.
    static func title(of letters: String) -> String { titles[letters] ?? letters }

    private static let titles = [
        "TXT": "text", "NAM": "names", "NUM": "numbers and truth values", "PRD": "predicates and nulls",
        "LST": "lists, JSON and bytes", "TIM": "dates, times and instants", "ORD": "order, pages and delivery",
        "AGG": "aggregates", "MAP": "type mapping", "WRT": "writes", "PRE": "preconditions and unique indexes",
        "ISO": "isolation and concurrency", "CAN": "cancellation and executors", "ERR": "errors and their fate",
        "LIM": "limits and sizes", "LIF": "opening, closing, reopening", "SCH": "schema change and migration",
        "FED": "the change feed", "CRS": "the death of the process", "PWR": "the loss of power",
        "PRC": "several processes", "RES": "memory, handles and files", "HIS": "random histories",
        "ENG": "the storage engine",
    ]
}

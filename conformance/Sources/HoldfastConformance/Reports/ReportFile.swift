public import Foundation

/// The JSON of a run: the reports of all adapters that it tried.
public struct ReportFile: Sendable, Codable {
    /// The version of this layout.
    public var format = 1
    /// One report per adapter.
    public var reports: [ConformanceReport]

    /// Creates a file of some reports.
    public init(reports: [ConformanceReport]) { self.reports = reports }

    /// The file as JSON, keys in order.
    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(self)
    }
}

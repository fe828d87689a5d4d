import Foundation

extension Suite {
    /// The current day in UTC as `YYYY-MM-DD`: what waivers are judged by.
    public static var today: String {
        let day = Calendar(identifier: .gregorian).dateComponents(in: .gmt, from: Date())
        return String(format: "%04d-%02d-%02d", day.year ?? 0, day.month ?? 0, day.day ?? 0)
    }
}

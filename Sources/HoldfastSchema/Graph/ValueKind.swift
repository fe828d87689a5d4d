/// What one value is.
package enum ValueKind: Hashable, Sendable {
    case string, int, double, bool, date, dateTime, time
    case enumeration(String)
    case embedded(String)
}

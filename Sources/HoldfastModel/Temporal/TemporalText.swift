import Foundation
import HoldfastStorage

/// Reads and writes the text forms of dates and times beyond the canonical ones of the store.
enum TemporalText {
    /// The parts of a text, as far as formats differ in them.
    private struct Shape {
        var hasSeconds = false
        var fractionDigits = 0
        var hasOffset = false

        /// - Parameter clock: Text after the date and the `T`: `hh:mm[:ss[.f…]]` and an offset.
        init(clock: Substring.UTF8View) {
            var bytes = clock.dropFirst(5)
            if bytes.first == UInt8(ascii: ":") {
                hasSeconds = true
                bytes = bytes.dropFirst(3)
            }
            if bytes.first == UInt8(ascii: ".") {
                let digits = bytes.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                fractionDigits = digits.count
                bytes = bytes.dropFirst(1 + digits.count)
            }
            hasOffset = !bytes.isEmpty
        }
    }

    /// A text with its offset in the form `±hh:mm[:ss]`, from `±hh` or `±hhmm`; `Z` if it has none and one is needed.
    ///
    /// - Parameters:
    ///   - text: The text as given.
    ///   - clockStart: How many bytes are before the part in which `+` and `-` begin an offset.
    ///   - needsOffset: Whether a text without an offset gets `Z`.
    /// - Returns: The completed text; the same text if nothing is missing.
    static func completed(_ text: String, clockStart: Int, needsOffset: Bool) -> String {
        let head = text.utf8.prefix(clockStart)
        let tail = text.utf8.dropFirst(clockStart)
        guard let sign = tail.firstIndex(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-") }) else {
            return needsOffset && tail.last != UInt8(ascii: "Z") ? text + "Z" : text
        }
        let offset = tail[sign...].dropFirst()
        let isPlain = offset.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        switch (isPlain, offset.count) {
        case (true, 2): return text + ":00"
        case (true, 4):
            return String(Substring(head) + Substring(tail[..<offset.startIndex]))
                + String(Substring(offset.prefix(2))) + ":" + String(Substring(offset.suffix(2)))
        default: return text
        }
    }

    /// Whether a date-time is written in a format.
    static func isDateTime(_ text: String, in format: TemporalFormat) -> Bool {
        let shape = Shape(clock: text.utf8.dropFirst(11))
        return switch format {
        case .short: !shape.hasSeconds && !shape.hasOffset
        case .medium: shape.hasSeconds && shape.fractionDigits == 0 && !shape.hasOffset
        case .long: shape.hasSeconds && shape.fractionDigits == 0 && shape.hasOffset
        case .full: shape.fractionDigits > 0 && shape.hasOffset
        }
    }

    /// Whether a time is written in a format.
    static func isTime(_ text: String, in format: TemporalFormat) -> Bool {
        let shape = Shape(clock: Substring(text).utf8)
        return switch format {
        case .short: !shape.hasSeconds && !shape.hasOffset
        case .medium: shape.hasSeconds && shape.fractionDigits == 0 && !shape.hasOffset
        case .long: shape.fractionDigits > 0 && !shape.hasOffset
        case .full: shape.fractionDigits > 0 && shape.hasOffset
        }
    }

    /// A date-time in a format, looked at with an offset.
    static func text(of timestamp: Timestamp, _ format: TemporalFormat, offset: Int32) -> String {
        var timestamp = timestamp
        timestamp.tail = WrittenForm(offset: offset, fractionDigits: format == .full ? 3 : 0)
        let text = timestamp.text
        return switch format {
        case .short: String(text.prefix(16))
        case .medium: String(text.prefix(19))
        case .long, .full: text
        }
    }

    /// A time in a format.
    static func text(of time: ClockTime, _ format: TemporalFormat, offset: Int32) -> String {
        let digits = format == .long || format == .full ? 3 : 0
        let text = ClockTime(
            nanosecondsSinceMidnight: time.nanosecondsSinceMidnight,
            tail: WrittenForm(offset: format == .full ? offset : nil, fractionDigits: digits)
        ).text
        return format == .short ? String(text.prefix(5)) : text
    }

    /// The error for a text that is not written in a format.
    static func mismatch(_ type: FieldType, _ format: TemporalFormat) -> InvalidScalar {
        InvalidScalar(type: type, reason: "not written in the format '\(format.rawValue)'")
    }
}

extension TimeZone {
    /// The offset at an instant, as far as the store keeps it.
    func storableOffset(at date: Date) -> Int32 {
        Int32(clamping: min(max(secondsFromGMT(for: date), -64_799), 64_799))
    }
}

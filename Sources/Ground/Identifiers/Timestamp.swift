/// A moment in UTC, to the nanosecond.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded down.
  public let seconds: Int64
  /// 0 to 999,999,999.
  public let nanoseconds: Int32

  /// Cut to whole microseconds, which is what a store keeps: a report that is reprocessed later has
  /// the very time that it was stored with.
  public var wholeMicroseconds: Timestamp {
    Timestamp(seconds: seconds, nanoseconds: nanoseconds / 1000 * 1000)
  }

  public init(seconds: Int64, nanoseconds: Int32 = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// A date of the Gregorian calendar; `nil` when a part is out of range.
  ///
  /// - Parameter zone: Minutes east of UTC.
  public init?(
    year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0,
    nanoseconds: Int32 = 0, zone: Int = 0
  ) {
    guard (0...9999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      (0..<1_000_000_000).contains(nanoseconds), (-1440...1440).contains(zone)
    else { return nil }
    // Days from the civil date, with the year starting in March so that leap days come last.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let seconds = days * 86_400 + hour * 3600 + (minute - zone) * 60 + second
    self.init(seconds: Int64(seconds), nanoseconds: nanoseconds)
  }

  /// Year, month and day in UTC.
  public var date: (year: Int, month: Int, day: Int) {
    let days = Int(seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// RFC 3339 in UTC, with as many digits of a second as are not zero.
  public var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let date = date
    let second = Int(((seconds % 86_400) + 86_400) % 86_400)
    var text = "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
    text += "\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
    if nanoseconds != 0 {
      var digits = padded(Int(nanoseconds), 9)
      while digits.hasSuffix("0") { digits.removeLast() }
      text += "." + digits
    }
    return text + "Z"
  }

  /// Reads what ``description`` prints, and the spellings that reports use: a blank or `T` between
  /// date and time, a fraction of any length, a zone as `Z`, `+0200`, `+02:00`, after a blank or not.
  /// Without a zone the time is taken as UTC.
  public init?(_ text: String) {
    var scanner = Scanner(text)
    guard let year = scanner.number(4), scanner.skip("-"), let month = scanner.number(2),
      scanner.skip("-"), let day = scanner.number(2), scanner.skip("T") || scanner.skip(" "),
      let hour = scanner.number(2), scanner.skip(":"), let minute = scanner.number(2)
    else { return nil }
    let second = scanner.skip(":") ? scanner.number(2) : 0
    guard let second else { return nil }
    var nanoseconds: Int32 = 0
    if scanner.skip(".") || scanner.skip(",") {
      var unit: Int32 = 100_000_000
      while let digit = scanner.number(1) {
        nanoseconds += Int32(digit) * unit
        unit /= 10
      }
    }
    while scanner.skip(" ") {}
    var zone = 0
    if !scanner.skip("Z") && !scanner.isAtEnd {
      let sign = scanner.skip("+") ? 1 : scanner.skip("-") ? -1 : 0
      guard sign != 0, let hours = scanner.number(2) else { return nil }
      _ = scanner.skip(":")
      zone = sign * (hours * 60 + (scanner.number(2) ?? 0))
    }
    while scanner.skip(" ") {}
    guard scanner.isAtEnd else { return nil }
    self.init(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      nanoseconds: nanoseconds, zone: zone)
  }

  private struct Scanner {
    private var rest: Substring.UTF8View

    init(_ text: String) { rest = Substring(text).utf8 }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest.removeFirst()
      return true
    }

    mutating func number(_ width: Int) -> Int? {
      var value = 0
      var ahead = rest
      for _ in 0..<width {
        guard let byte = ahead.popFirst(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      rest = ahead
      return value
    }
  }
}

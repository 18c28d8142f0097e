internal import Identifiers

/// A time in a query: a day, a minute, a second, or a duration before now.
struct TimeSpan {
  let start: Timestamp
  /// The time directly after it.
  let end: Timestamp
  /// Whether it is relative to now.
  let isRelative: Bool

  /// Maximum number of seconds before now.
  private static let limit = 100 * 366 * 86_400

  /// Reads `2026`, `2026-05`, `2026-05-01`, a time of RFC 3339, `today`, `yesterday`, `7d`.
  init?(_ text: String, now: Timestamp) {
    let word = text.lowercased()
    let day = now.seconds - (now.seconds % 86_400 + 86_400) % 86_400
    if word == "today" || word == "yesterday" {
      let first = word == "today" ? day : day - 86_400
      self.init(Timestamp(seconds: first), Timestamp(seconds: first + 86_400), false)
    } else if let seconds = Self.seconds(word) {
      let then = Timestamp(seconds: now.seconds - Int64(seconds), nanoseconds: now.nanoseconds)
      self.init(then, then, true)
    } else {
      self.init(absolute: text)
    }
  }

  private init(_ start: Timestamp, _ end: Timestamp, _ isRelative: Bool) {
    self.start = start
    self.end = end
    self.isRelative = isRelative
  }

  /// The seconds of `7d`; at most a hundred years.
  private static func seconds(_ word: String) -> Int? {
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    guard let last = word.last, let unit = units[last], word.utf8.count <= 12,
      word.dropLast().utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(word.dropLast())
    else { return nil }
    let (seconds, isTooMany) = count.multipliedReportingOverflow(by: unit)
    return isTooMany || seconds > limit ? nil : seconds
  }

  private init?(absolute text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    if numbers.count == parts.count, parts.first?.utf8.count == 4, parts.count <= 3,
      parts.dropFirst().allSatisfy({ $0.utf8.count == 2 })
    {
      guard let (start, end) = Self.days(numbers) else { return nil }
      self.init(start, end, false)
      return
    }
    guard let time = Timestamp(text) else { return nil }
    // Without seconds it means the whole minute, with a fraction that instant.
    let colons = text.utf8.count { $0 == UInt8(ascii: ":") }
    let hasZone = text.dropFirst(11).contains { "+-".contains($0) }
    let isMinute = colons < 2 || colons == 2 && hasZone && text.utf8.count <= 22
    let length: Int64 = isMinute ? 60 : 1
    let end =
      text.contains(".") || text.contains(",")
      ? Timestamp(seconds: time.seconds, nanoseconds: min(time.nanoseconds, 999_999_998) + 1)
      : Timestamp(seconds: time.seconds + length)
    self.init(time, end, false)
  }

  /// The span of a year, a month or a day.
  private static func days(_ numbers: [Int]) -> (start: Timestamp, end: Timestamp)? {
    let year = numbers[0]
    switch numbers.count {
    case 1:
      guard let start = Timestamp(year: year, month: 1, day: 1),
        let last = Timestamp(year: year, month: 12, day: 31)
      else { return nil }
      return (start, Timestamp(seconds: last.seconds + 86_400))
    case 2:
      guard let start = Timestamp(year: year, month: numbers[1], day: 1),
        // The first of the month is at most 31 days after the last first.
        let next = numbers[1] == 12
          ? Timestamp(year: year, month: 12, day: 31).map({
            Timestamp(seconds: $0.seconds + 86_400)
          }) : Timestamp(year: year, month: numbers[1] + 1, day: 1)
      else { return nil }
      return (start, next)
    default:
      guard let start = Timestamp(year: year, month: numbers[1], day: numbers[2]),
        start.date == (year, numbers[1], numbers[2])
      else { return nil }
      return (start, Timestamp(seconds: start.seconds + 86_400))
    }
  }
}

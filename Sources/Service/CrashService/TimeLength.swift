package import Identifiers

/// A length of time in the usual notation: `30d`.
package struct TimeLength: Sendable {
  /// A hundred years; for longer there is no limit to set.
  private static let longest: Int64 = 100 * 366 * 86_400
  private static let units: [Character: Int64] = [
    "m": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400,
  ]

  package let argument: String
  package let seconds: Int64

  package init?(argument: String) {
    guard let unit = argument.last.flatMap({ Self.units[$0] }),
      let count = Int64(argument.dropLast()), count > 0
    else { return nil }
    let (seconds, isTooLong) = count.multipliedReportingOverflow(by: unit)
    guard !isTooLong, seconds <= Self.longest else { return nil }
    self.argument = argument
    self.seconds = seconds
  }

  package func end(from start: Timestamp) -> Timestamp {
    Timestamp(seconds: start.seconds + seconds, nanoseconds: start.nanoseconds)
  }
}

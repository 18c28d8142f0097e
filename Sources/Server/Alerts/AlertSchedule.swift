internal import Identifiers
internal import ServerStore

/// When the waiting alerts of a rule are sent.
struct AlertSchedule {
  let rule: AlertRule

  /// The minimum number of seconds between two deliveries of a rule that sends immediately; alerts in between
  /// are sent together.
  static let shortest: Int64 = 60

  init(of rule: AlertRule) { self.rule = rule }

  /// When a digest is due, regardless of quiet hours.
  ///
  /// - Parameters:
  ///   - since: When the first event in it happened.
  ///   - last: When the last digest was made: events seen later belong to the next one, whenever they
  ///     happened.
  func due(since: Timestamp, last: Timestamp?) -> Timestamp {
    let start = max(since, last ?? since).seconds
    switch rule.digest {
    case .immediately:
      return last.map { max(since, Timestamp(seconds: $0.seconds + Self.shortest)) } ?? since
    case .hourly:
      let local = start + offset
      return Timestamp(seconds: local - Self.rest(local, 3_600) + 3_600 - offset)
    case .daily(let minute):
      let local = start + offset
      let today = local - Self.rest(local, 86_400) + Int64(minute) * 60
      return Timestamp(seconds: (today >= local ? today : today + 86_400) - offset)
    }
  }

  /// Whether waiting alerts are sent now.
  ///
  /// Times in the future date from before the clock was corrected. They are ignored, so that waiting alerts
  /// are not delayed until the clock gets there again.
  func isDue(since: Timestamp, last: Timestamp?, now: Timestamp) -> Bool {
    guard !isQuiet(at: now) else { return false }
    return since > now || now >= due(since: since, last: last.flatMap { $0 > now ? nil : $0 })
  }

  func isQuiet(at now: Timestamp) -> Bool {
    let minute = Self.rest(now.seconds + offset, 86_400) / 60
    return rule.quiet?.minutesLeft(at: Int(minute)) != nil
  }

  /// The seconds of a period that lie in quiet hours, counted in whole minutes.
  func quietSeconds(from start: Timestamp, to end: Timestamp) -> Int64 {
    guard let quiet = rule.quiet, end > start else { return 0 }
    let (days, rest) = (end.seconds - start.seconds).quotientAndRemainder(dividingBy: 86_400)
    let minutes = (0..<rest / 60).count { isQuiet(at: Timestamp(seconds: start.seconds + $0 * 60)) }
    return (days * Int64(quiet.length) + Int64(minutes)) * 60
  }

  /// Seconds east of UTC.
  private var offset: Int64 { Int64(rule.zone) * 60 }

  private static func rest(_ seconds: Int64, _ unit: Int64) -> Int64 {
    ((seconds % unit) + unit) % unit
  }
}

public import Identifiers

/// A rule: when to alert, and when to send the alerts.
public struct AlertRule: Hashable, Sendable {
  /// The kinds of events and conditions.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A report opened a group.
    case newGroup = "new-group"
    /// A resolved group regressed.
    case regression
    /// More reports arrive than before.
    case spike
    /// The share of sessions or users without a crash is too low.
    case crashFree = "crash-free"
    /// Reports of a release in use wait for debug files of the app's own code.
    case missingSymbols = "missing-symbols"
    /// Submissions could not be stored.
    case quarantine
    /// A release was published to a group or a tester.
    case release
    /// A tester was invited.
    case invitation

    /// Whether it is a lasting condition, which is checked repeatedly, rather than a single event.
    public var isCondition: Bool {
      switch self {
      case .newGroup, .regression, .release, .invitation: false
      case .spike, .crashFree, .missingSymbols, .quarantine: true
      }
    }
    /// Whether it is about the distribution of releases rather than about reports.
    public var isAboutDistribution: Bool { self == .release || self == .invitation }
  }

  /// The things that a rule counts.
  public enum Basis: String, Hashable, Sendable, CaseIterable {
    case groups, app
    case sessions, users
  }

  /// The number that identifies it; 0 before it is stored.
  public var number: Int
  public var kind: Kind
  /// The name of the target.
  public var target: String
  /// The only app that it covers; `nil` for all.
  public var app: String?
  /// Only for reports or groups that match this query; empty for all.
  public var query: String
  /// The period of a spike or a crash-free rate, in seconds.
  public var window: Int
  /// The minimum number of reports of a spike, or sessions of a rate.
  public var least: Int
  /// The percentage of the former rate at which a spike begins.
  public var factor: Int
  /// The lowest acceptable crash-free rate, in hundredths of a percent.
  public var below: Int
  public var basis: Basis
  public var digest: AlertDigest
  public var quiet: QuietHours?
  /// The zone of ``digest`` and ``quiet``, in minutes east of UTC.
  public var zone: Int
  public var created: Timestamp
  public var author: String
  /// For apps, the last line of their histories or news that is older than the rule, where it is still to be
  /// read for other rules. It is valid whatever the clock was when the rule was created.
  public var marks: AlertsTable.AppMarks
  /// The reason why it could not be checked; `nil` if it was.
  public var problem: String?

  /// The maximum of ``window``, in seconds.
  public static let longestWindow = 28 * 86_400

  /// A rule with the default values of its kind.
  public init(_ kind: Kind, to target: String, created: Timestamp, author: String) {
    number = 0
    self.kind = kind
    self.target = target
    query = ""
    window = kind == .crashFree ? 86_400 : 3_600
    least = kind == .crashFree ? 100 : 10
    factor = 300
    below = 99_00
    basis = kind == .crashFree ? .sessions : .groups
    digest = .immediately
    zone = 0
    self.created = created
    self.author = author
    marks = [:]
  }
}

/// When alerts of a rule are sent.
public enum AlertDigest: Hashable, Sendable {
  /// Immediately; alerts within a minute are sent together.
  case immediately
  /// On the hour.
  case hourly
  /// Every day at this minute.
  case daily(Int)

  /// Parses the format of ``text``: `immediately`, `hourly`, `09:00`.
  public init?(_ text: String) {
    switch text {
    case "immediately": self = .immediately
    case "hourly": self = .hourly
    default:
      guard let minute = DayMinute.read(text) else { return nil }
      self = .daily(minute)
    }
  }

  public var text: String {
    switch self {
    case .immediately: "immediately"
    case .hourly: "hourly"
    case .daily(let minute): DayMinute.text(minute)
    }
  }
}

/// Hours of every day in which nothing is sent; alerts wait until they end.
public struct QuietHours: Hashable, Sendable {
  /// Minutes of the day; the hours may extend past midnight.
  public let start: Int
  public let end: Int

  /// Parses the format of ``text``: `22:00-07:00`.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = DayMinute.read(String(parts[0])),
      let end = DayMinute.read(String(parts[1])), start != end
    else { return nil }
    (self.start, self.end) = (start, end)
  }

  public var text: String { DayMinute.text(start) + "-" + DayMinute.text(end) }

  /// The number of minutes per day.
  public var length: Int { (end - start + DayMinute.count) % DayMinute.count }

  /// Minutes from a minute of the day until the end of the hours; `nil` outside of them.
  public func minutesLeft(at minute: Int) -> Int? {
    let isInside =
      start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    guard isInside else { return nil }
    return (end - minute + DayMinute.count) % DayMinute.count
  }
}

/// Minutes of a day, written `07:30`.
public enum DayMinute {
  public static let count = 24 * 60

  public static func read(_ text: String) -> Int? {
    let bytes = Array(text.utf8)
    guard bytes.count == 5, bytes[2] == UInt8(ascii: ":"), let hour = number(bytes[0...1]),
      let minute = number(bytes[3...4]), hour < 24, minute < 60
    else { return nil }
    return hour * 60 + minute
  }

  public static func text(_ minute: Int) -> String {
    digits(minute / 60) + ":" + digits(minute % 60)
  }

  /// Parses `+01:00` or `-03:30` as minutes east of UTC; `Z` and `UTC` are 0.
  public static func readZone(_ text: String) -> Int? {
    if text == "Z" || text == "UTC" { return 0 }
    guard text.hasPrefix("+") || text.hasPrefix("-"), let minutes = read(String(text.dropFirst())),
      minutes <= 14 * 60
    else { return nil }
    return text.hasPrefix("-") ? -minutes : minutes
  }

  public static func zoneText(_ minutes: Int) -> String {
    minutes == 0 ? "UTC" : (minutes < 0 ? "-" : "+") + text(abs(minutes))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    digits.allSatisfy { (0x30...0x39).contains($0) }
      ? digits.reduce(0) { $0 * 10 + Int($1 - 0x30) } : nil
  }

  private static func digits(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
}

public import CrashModel

/// A rule: what raises an alert, and when it is sent.
public struct AlertRule: Hashable, Sendable {
  /// What happens.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A report opened a group.
    case newGroup = "new-group"
    /// A group that was resolved came back.
    case regression
    /// More reports come than before.
    case spike
    /// Fewer sessions or users than wanted go without a crash.
    case crashFree = "crash-free"
    /// Reports of a release that is in use wait for debug files of the app's own code.
    case missingSymbols = "missing-symbols"
    /// Submissions could not be stored.
    case quarantine

    /// Whether it lasts, and so is looked at again and again; else it happens in a moment.
    public var isCondition: Bool { self != .newGroup && self != .regression }
  }

  /// What figures are about.
  public enum Basis: String, Hashable, Sendable, CaseIterable {
    case groups, app
    case sessions, users
  }

  /// By which it is called; 0 before it is stored.
  public var number: Int
  public var kind: Kind
  /// The name of the target.
  public var target: String
  /// The one app that it is about; `nil` for all.
  public var app: String?
  /// Only for reports or groups of this query; empty for all.
  public var query: String
  /// The time that is looked at, in seconds: of a spike, and of the crash-free rate.
  public var window: Int
  /// The fewest reports of a spike, or sessions of a rate.
  public var least: Int
  /// The percentage of the former rate from which on it is a spike.
  public var factor: Int
  /// The lowest crash-free rate that is fine, in hundredths of a percent.
  public var below: Int
  public var basis: Basis
  public var digest: AlertDigest
  public var quiet: QuietHours?
  /// The zone of ``digest`` and ``quiet``, in minutes east of UTC.
  public var zone: Int
  public var created: Timestamp
  public var author: String
  /// Why it could not be looked at; `nil` where it could.
  public var problem: String?

  /// Of ``window``, in seconds.
  public static let longestWindow = 28 * 86_400

  /// A rule with the usual figures of its kind.
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
  }
}

/// When alerts of a rule are sent.
public enum AlertDigest: Hashable, Sendable {
  /// At once; those of the same minute together.
  case immediately
  /// At each full hour.
  case hourly
  /// Every day at this minute.
  case daily(Int)

  /// Reads what ``text`` prints: `immediately`, `hourly`, `09:00`.
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

/// A part of every day in which nothing is sent: what happens in it is sent when it is over.
public struct QuietHours: Hashable, Sendable {
  /// Minutes of the day; it may go on after midnight.
  public let start: Int
  public let end: Int

  /// Reads what ``text`` prints: `22:00-07:00`.
  public init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count == 2, let start = DayMinute.read(String(parts[0])),
      let end = DayMinute.read(String(parts[1])), start != end
    else { return nil }
    (self.start, self.end) = (start, end)
  }

  public var text: String { DayMinute.text(start) + "-" + DayMinute.text(end) }

  /// Minutes from a minute of the day until it is over; `nil` outside of it.
  public func minutesLeft(at minute: Int) -> Int? {
    let isInside =
      start < end ? (start..<end).contains(minute) : minute >= start || minute < end
    guard isInside else { return nil }
    return (end - minute + DayMinute.count) % DayMinute.count
  }
}

/// Minutes of a day, as `07:30`.
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

  /// Minutes east of UTC, of `+01:00` or `-03:30`; `Z` and `UTC` are 0.
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

/// Crash-free rates of the sessions and users of an app, with the counts they are computed from.
///
///     crash-free sessions = 1 - crashed sessions / sessions
///     crash-free users    = 1 - users with a crash / users seen
///
/// Every crash counts, whatever client reported it; handled errors, hangs and memory kills are not crashes.
/// Where the counts do not allow a rate, it is `nil`, and ``sessionGap`` or ``userGap`` has the reason.
///
/// docs/use/releases.md explains how sessions and crashes are counted.
public struct CrashFree: Hashable, Sendable {
  /// Sessions that clients reported, one by one or counted.
  public var sessions = 0
  /// Sessions with at least one crash. A crash whose session was not reported counts as one.
  public var crashedSessions = 0
  /// Distinct users that a session or a crash names: installations, or where a client names none, users.
  public var installs = 0
  /// Distinct users with a crash.
  public var crashedInstalls = 0
  /// Distinct users that a session names.
  public var installsWithSessions = 0
  /// Crashed sessions whose user is unknown.
  public var crashesWithoutInstall = 0
  /// Reports of crashes.
  public var crashes = 0
  /// Reports of hangs, which are not crashes.
  public var hangs = 0
  /// Reports of programs that the system ended for their use of memory; these are not crashes either.
  public var outOfMemory = 0

  public init() {}

  /// From 0 to 1; `nil` where ``sessionGap`` has a reason.
  public var sessionRate: Double? {
    sessionGap == nil ? 1 - Double(crashedSessions) / Double(sessions) : nil
  }

  /// From 0 to 1; `nil` where ``userGap`` has a reason.
  public var userRate: Double? {
    userGap == nil ? 1 - Double(crashedInstalls) / Double(installs) : nil
  }

  /// The reason why there is no session rate.
  public var sessionGap: String? {
    if sessions == 0 { return Self.noSessions }
    guard crashedSessions > sessions else { return nil }
    return "more sessions crashed (\(crashedSessions)) than were reported (\(sessions)): "
      + "not every client reports its sessions"
  }

  /// The reason why there is no user rate.
  public var userGap: String? {
    if sessions == 0 { return Self.noSessions }
    if installsWithSessions == 0 { return "no session names its user" }
    if crashesWithoutInstall > 0 {
      return crashesWithoutInstall == 1
        ? "1 crash names no user" : "\(crashesWithoutInstall) crashes name no user"
    }
    guard crashedInstalls > installsWithSessions else { return nil }
    return "more users crashed (\(crashedInstalls)) than reported sessions "
      + "(\(installsWithSessions)): not every client reports its sessions"
  }

  private static let noSessions = "no sessions were reported"

  /// Whether nothing is known: neither sessions nor reports.
  public var isEmpty: Bool { self == CrashFree() }

  /// Adds the counts of another app or day.
  public mutating func add(_ other: CrashFree) {
    sessions += other.sessions
    crashedSessions += other.crashedSessions
    installs += other.installs
    crashedInstalls += other.crashedInstalls
    installsWithSessions += other.installsWithSessions
    crashesWithoutInstall += other.crashesWithoutInstall
    crashes += other.crashes
    hangs += other.hangs
    outOfMemory += other.outOfMemory
  }
}

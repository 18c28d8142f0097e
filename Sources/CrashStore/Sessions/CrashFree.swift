/// How many sessions and installations of an app went without a crash, with what it is made of.
///
///     rate = 1 - crashed / all
///
/// Handled errors are no crashes. There is no rate without sessions, nor where more crashed than are
/// known to have started, as happens when an app does not send its sessions.
public struct CrashFree: Hashable, Sendable {
  public var sessions = 0
  /// Sessions in which at least one crash happened; a crash that names no session counts as one.
  public var crashedSessions = 0
  /// Distinct installations with a session.
  public var installs = 0
  /// Distinct installations with a crash.
  public var crashedInstalls = 0
  public var crashes = 0

  public init() {}

  /// From 0 to 1.
  public var sessionRate: Double? { Self.rate(crashedSessions, of: sessions) }
  /// From 0 to 1.
  public var userRate: Double? { Self.rate(crashedInstalls, of: installs) }

  private static func rate(_ part: Int, of all: Int) -> Double? {
    all > 0 && part <= all ? 1 - Double(part) / Double(all) : nil
  }
}

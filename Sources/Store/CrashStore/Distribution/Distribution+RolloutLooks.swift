internal import Database
public import Identifiers
public import Updates

/// A partly rolled out release, with the last look at its crashes.
public struct ReleaseRollout: Hashable, Sendable {
  public var release: Release
  /// `nil` for a release that is offered to all.
  public var rollout: Rollout?
  /// `nil` before the first look.
  public var look: RolloutCheck?
  /// Why a look that a user asked for was not made; `nil` otherwise.
  public var untested: String?

  public var isPaused: Bool { rollout?.pause != nil }

  public init(
    release: Release, rollout: Rollout?, look: RolloutCheck? = nil, untested: String? = nil
  ) {
    self.release = release
    self.rollout = rollout
    self.look = look
    self.untested = untested
  }
}

extension CrashStore.Distribution {
  /// The author of pauses of roll-outs whose releases crash more often.
  public static let rolloutAuthor = "mayday"
  /// Maximum number of days whose sessions a look counts.
  private static let lookDays = 30

  /// Returns the builds of a release with their roll-outs, oldest first.
  ///
  /// - Parameter release: A version without a build means all of its builds.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func rollouts(of release: Release, app: String) throws -> [ReleaseRollout] {
    try store.read { database in
      try Self.rollouts(of: release, app: try AppsTable.known(app, in: database).row, in: database)
    }
  }

  static func rollouts(
    of release: Release, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> [ReleaseRollout] {
    let rollouts = try rollouts(of: app, in: database)
    return try CrashStore.Releases.releases(of: app, in: database)
      .filter { $0.isBuild(of: release) }
      .map { build in
        ReleaseRollout(
          release: build, rollout: rollouts[build],
          look: try lastLook(at: build, app: app, in: database))
      }
  }

  /// Looks at all roll-outs that are due, and pauses those whose release crashes more often than the one
  /// before it, see ``RolloutTest``. When several processes look at once, each look counts once.
  ///
  /// - Parameter app: Only roll-outs of this app; `nil` for all.
  /// - Returns: The releases that were looked at.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  @discardableResult
  public func lookAtRollouts(of app: String? = nil, now: Timestamp) throws -> [ReleaseRollout] {
    var seen: [ReleaseRollout] = []
    for name in try app.map({ [$0] }) ?? store.apps.list().map(\.name) {
      let due = try store.read { database in
        let row = try AppsTable.known(name, in: database).row
        return try Self.rollouts(of: row, in: database)
          .filter { $0.value.pause == nil && $0.value.percent > 0 }
          .sorted { $0.key.precedesByNumber($1.key) }
          .compactMap { release, rollout -> ReleaseRollout? in
            guard
              case .success(let look) = try Self.look(
                at: release, app: row, now: now, in: database)
            else { return nil }
            return ReleaseRollout(release: release, rollout: rollout, look: look)
          }
      }
      for var rollout in due {
        guard let look = rollout.look else { continue }
        let isPaused: Bool? = try store.act(.apps([name])) { database, _ in
          try Self.keep(
            look, of: rollout.release, app: AppsTable.known(name, in: database).row, now: now,
            in: database)
        }
        guard let isPaused else { continue }
        if isPaused { rollout.rollout?.pause = look.text }
        seen.append(rollout)
      }
    }
    return seen
  }

  /// Looks as ``lookAtRollouts(of:now:)`` does.
  ///
  /// - Returns: The current builds of a release, with the reason where one was not tested.
  /// - Throws: ``StoreError/notFound(_:)``; `DatabaseError`.
  public func checkRollouts(
    of release: Release, app: String, now: Timestamp
  ) throws -> [ReleaseRollout] {
    let gaps = try store.read { database in
      let row = try AppsTable.known(app, in: database).row
      return try Self.rollouts(of: release, app: row, in: database).map { build in
        try Self.gap(of: build, app: row, now: now, in: database)
      }
    }
    try lookAtRollouts(of: app, now: now)
    let builds = try rollouts(of: release, app: app)
    guard builds.count == gaps.count else { return builds }
    return zip(builds, gaps).map { build, gap in
      var build = build
      build.untested = gap
      return build
    }
  }

  /// Returns why a build is not looked at now; `nil` where it is.
  private static func gap(
    of build: ReleaseRollout, app: RowID<Tables.Apps>, now: Timestamp,
    in database: borrowing Connection
  ) throws -> String? {
    guard let rollout = build.rollout else { return "it is not rolled out in part" }
    if rollout.pause != nil { return "it is paused" }
    if rollout.percent == 0 { return "its roll-out is at 0 %" }
    if case .failure(let gap) = try look(at: build.release, app: app, now: now, in: database) {
      return gap.text
    }
    return nil
  }

  /// Why a release cannot be compared with the one before it.
  private struct RolloutCheckGap: Error {
    let text: String
  }

  /// Stores a look, and pauses the roll-out if the release is worse.
  ///
  /// - Returns: Whether it was paused; `nil` where another process looked, or changed the roll-out,
  ///   meanwhile.
  private static func keep(
    _ look: RolloutCheck, of release: Release, app: RowID<Tables.Apps>, now: Timestamp,
    in database: borrowing Connection
  ) throws -> Bool? {
    guard let rollout = try rollouts(of: app, in: database)[release], rollout.pause == nil else {
      return nil
    }
    try database.insert(
      into: "rollout_looks",
      [
        "app": app, "version": release.version, "build": release.build, "number": look.number,
        "time": look.time, "crashed": look.new.crashed, "sessions": look.new.all,
        "crashed_installs": look.crashedInstalls, "former": look.formerRelease,
        "former_crashed": look.former.crashed, "former_sessions": look.former.all,
      ],
      onConflict: "ON CONFLICT DO NOTHING")
    guard database.changes > 0 else { return nil }
    guard look.isWorse else { return false }
    try database.run(
      """
      UPDATE release_rollouts SET pause = ?4, changed = ?5
      WHERE app = ?1 AND version = ?2 AND build = ?3
      """, app, release.version, release.build, look.text, now.microseconds)
    try DistributionHistory.note(
      .paused, look.text, release: release, by: rolloutAuthor, at: now, app: app, in: database)
    return true
  }

  /// Returns the look that is due, or why none is.
  private static func look(
    at release: Release, app: RowID<Tables.Apps>, now: Timestamp, in database: borrowing Connection
  ) throws -> Result<RolloutCheck, RolloutCheckGap> {
    func gap(_ text: String) -> Result<RolloutCheck, RolloutCheckGap> {
      .failure(RolloutCheckGap(text: text))
    }
    let begun = try database.integer(
      """
      SELECT min(time) FROM distribution_history
      WHERE app = ?1 AND version = ?2 AND build = ?3
        AND event = '\(DistributionEvent.Kind.rolledOut.rawValue)'
      """, app, release.version, release.build)
    guard let begun else { return gap("its roll-out has not begun") }
    let today = now.day
    let days = min(today, max(Timestamp(microseconds: begun).day, today - lookDays + 1))...today
    let last = try lastLook(at: release, app: app, in: database)
    let new = try CrashStore.Sessions.crashFree(
      app: app, days: days, release: release, in: database)
    let least = RolloutTest.leastSessions
    guard RolloutTest.isDue(sessions: new.sessions, last: last?.new.all) else {
      let next = max(least, (last?.new.all ?? 0) * 2)
      return gap("\(new.sessions) sessions since the roll-out began; the next look is at \(next)")
    }
    if let reason = new.sessionGap { return gap(reason) }
    guard
      let (former, figures) = try formerRelease(of: release, app: app, days: days, in: database)
    else { return gap("no release before it has \(least) sessions since the roll-out began") }
    if let reason = figures.sessionGap { return gap("of \(former.name), \(reason)") }
    let look = RolloutCheck(
      number: (last?.number ?? 0) + 1, time: now.microseconds, new: new.tested,
      crashedInstalls: new.crashedInstalls, formerRelease: former.name, former: figures.tested,
      pValue: RolloutTest.pValue(new: new.tested, former: figures.tested))
    return .success(look)
  }

  /// Returns the last release before another one that has enough sessions on those days.
  private static func formerRelease(
    of release: Release, app: RowID<Tables.Apps>, days: ClosedRange<Int>,
    in database: borrowing Connection
  ) throws -> (release: Release, figures: CrashFree)? {
    let order = try ReleasesTable.order(of: app, in: database)
    var former: (release: Release, figures: CrashFree)?
    for (other, figures) in try CrashStore.Sessions.crashFreeReleases(
      app: app, days: days, in: database)
    where figures.sessions >= RolloutTest.leastSessions && order.precedes(other, release) {
      if former.map({ order.precedes($0.release, other) }) ?? true { former = (other, figures) }
    }
    return former
  }

  private static func lastLook(
    at release: Release, app: RowID<Tables.Apps>, in database: borrowing Connection
  ) throws -> RolloutCheck? {
    let rows = try database.prepare(
      """
      SELECT number, time, crashed, sessions, crashed_installs, former, former_crashed, former_sessions
      FROM rollout_looks WHERE app = ?1 AND version = ?2 AND build = ?3 ORDER BY number DESC LIMIT 1
      """, [app, release.version, release.build])
    guard try rows.step() else { return nil }
    let new = try RolloutTest.Sessions(crashed: rows.int("crashed"), all: rows.int("sessions"))
    let former = try RolloutTest.Sessions(
      crashed: rows.int("former_crashed"), all: rows.int("former_sessions"))
    guard new.isUsable, former.isUsable else {
      throw StoreError.damaged("a look at the roll-out of \(release.name) has no counts")
    }
    return try RolloutCheck(
      number: rows.int("number"), time: rows.int("time"), new: new,
      crashedInstalls: rows.int("crashed_installs"), formerRelease: rows.text("former"),
      former: former, pValue: RolloutTest.pValue(new: new, former: former))
  }
}

extension CrashFree {
  fileprivate var tested: RolloutTest.Sessions {
    RolloutTest.Sessions(crashed: crashedSessions, all: sessions)
  }
}

/// Intermediate counts of sessions and crashes, until all of them are known.
struct CrashFreeCounts {
  var sessions = 0
  /// Distinct users that sessions name.
  var installs = 0
  /// Crashed sessions that a client only counted.
  var counted = 0
  var hangs = 0
  var outOfMemory = 0

  private var crashes = 0
  /// Reported sessions that crashed, with their users, according to a report or to the session itself.
  private var crashed: [String: [UInt8]?] = [:]
  /// The sessions of ``crashed`` that have a report.
  private var explained: Set<String> = []
  /// Sessions that reports name but no client reported.
  private var unknownSessions: [String: [UInt8]?] = [:]
  /// Crashes of users that name no session.
  private var alone = 0
  /// Crashes that name neither a session nor a user.
  private var blank = 0
  /// Users with a crash.
  private var people: Set<[UInt8]> = []
  /// Users with a crash whose session was not reported: they may have other sessions, or none.
  private(set) var strangers: Set<[UInt8]> = []

  init() {}

  /// Adds a session that was reported as crashed.
  mutating func addCrashed(_ session: String, of install: [UInt8]?) {
    crashed[session] = .some(install)
    if let install { people.insert(install) }
  }

  /// Adds a report of a crash in a session that was reported.
  ///
  /// - Parameter isKnown: Whether the session names its user, not only the report.
  mutating func addCrash(inSession session: String, of person: [UInt8]?, isKnown: Bool) {
    crashes += 1
    explained.insert(session)
    crashed[session] = .some((crashed[session] ?? nil) ?? person)
    guard let person else { return }
    people.insert(person)
    if !isKnown { strangers.insert(person) }
  }

  /// Adds a report of a crash whose session was not reported.
  ///
  /// - Parameter session: The session that the report names; empty for none.
  mutating func addCrash(unknownSession session: String, of person: [UInt8]?) {
    crashes += 1
    if !session.isEmpty {
      unknownSessions[session] = .some((unknownSessions[session] ?? nil) ?? person)
    } else if person != nil {
      alone += 1
    } else {
      blank += 1
    }
    guard let person else { return }
    people.insert(person)
    strangers.insert(person)
  }

  /// Adds another tally's crashes whose session was not reported.
  mutating func addUnknown(_ other: CrashFreeCounts) {
    crashes += other.unknownCrashes
    for (session, person) in other.unknownSessions where unknownSessions[session] == nil {
      unknownSessions[session] = .some(person)
    }
    alone += other.alone
    blank += other.blank
    hangs += other.hangs
    outOfMemory += other.outOfMemory
    people.formUnion(other.strangers)
    strangers.formUnion(other.strangers)
  }

  private var unknownCrashes: Int { unknownSessions.count + alone + blank }

  /// - Parameter strangers: The number of ``strangers`` that no session names.
  func figures(strangers: Int) -> CrashFree {
    // Crashes without a session and user may belong to sessions that were reported as crashed without a
    // report.
    let lonely = max(0, blank - (crashed.count - explained.count))
    let unknown = unknownSessions.count + alone + lonely
    var figures = CrashFree()
    figures.sessions = sessions
    figures.crashedSessions = crashed.count + max(counted, unknown)
    figures.installsWithSessions = installs
    figures.installs = installs + strangers
    figures.crashedInstalls = people.count
    let nobody =
      crashed.values.count { $0 == nil } + unknownSessions.values.count { $0 == nil } + lonely
    figures.crashesWithoutInstall = max(nobody, counted - (unknown - lonely))
    figures.crashes = crashes
    figures.hangs = hangs
    figures.outOfMemory = outOfMemory
    return figures
  }
}

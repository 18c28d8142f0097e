import Archives
import Bytes
import ChildProcess
import CommandSupport
import CrashInput
import CrashService
import CrashStore
import Glibc
import Identifiers
import Pipeline
import Rendering
import Scrubbing
import ServerStore
import Updates

/// Checks of a home, from the outside in: each depends on those before it.
struct HomeCheck {
  /// Free bytes below which the disk is too small for a day of crashes.
  private static let enough: UInt64 = 1 << 30
  /// Seconds that the clock may lag the last arrival.
  private static let clockTolerance: Int64 = 300
  /// Seconds after which a waiting submission means that no worker is running.
  private static let waitTolerance: Int64 = 120

  /// A zip archive with the empty member `a`. Source: APPNOTE.TXT, 4.3.7, 4.3.12, 4.3.16.
  private static let archive: ByteView = {
    let member: [UInt8] =
      [10, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + [UInt8](repeating: 0, count: 12) + [1, 0, 0, 0]
    let local = [0x50, 0x4b, 3, 4] + member + [0x61]
    let central =
      [0x50, 0x4b, 1, 2, 10, 0] + member + [UInt8](repeating: 0, count: 14) + [0x61]
    let end: [UInt8] = [
      0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, UInt8(central.count), 0, 0, 0,
      UInt8(local.count), 0, 0, 0, 0, 0,
    ]
    return ByteView(local + central + end)
  }()

  let home: String

  func run(_ tell: (DoctorFinding) throws -> Void) throws {
    let folder = self.folder()
    try tell(folder)
    let disk = disk()
    try tell(disk)
    for library in DynamicLibrary.all { try tell(library.finding) }
    try tell(sandbox())
    try tell(scrubRules())
    let parts = [
      "database", "clock", "queue", "intake", "worker", "symbolication", "group", "query",
    ]
    guard folder.verdict != .failed else {
      for part in parts { try tell(.skipped(part, after: folder.name)) }
      return
    }
    let isThere = access(home + "/mayday.db", F_OK) == 0
    if isThere {
      try databases(disk, tell)
    } else {
      try tell(.fine("database", "nothing is stored yet"))
    }
    try HomeSelfTest(home: home, disk: disk).run(tell)
  }

  private func folder() -> DoctorFinding {
    var status = stat()
    guard stat(home, &status) == 0 else {
      let reason = String(cString: strerror(errno))
      return .failed(
        "home", "\(home): \(reason)", "give the right one with --home, or make it: mkdir -m 700")
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return .failed("home", "\(home) is not a folder", "give the right one with --home")
    }
    guard access(home, R_OK | W_OK | X_OK) == 0 else {
      return .failed(
        "home", "\(home) belongs to user \(status.st_uid) and may not be written to",
        "run this as the user that the server runs as, or change the owner: chown -R")
    }
    guard status.st_mode & 0o077 == 0 else {
      return .warning(
        "home", "\(home) is open to other users of this machine", "chmod 700 \(home)")
    }
    return .fine("home", "\(home), for its owner only")
  }

  private func disk() -> DoctorFinding {
    let space: DiskSpace
    do {
      space = try DiskSpace(of: home)
    } catch {
      return .failed("disk", error.reason, "create the home, or give another with --home")
    }
    let text = "\(DebugFileList.size(Int(clamping: space.free))) are free"
    if space.isReadOnly {
      return .failed(
        "disk", "the file system is read-only", "mount it for writing: mount -o remount,rw")
    }
    do throws(IntakeError) {
      try DiskReserve(home: home).admit(0)
    } catch {
      return .failed("disk", "\(error.description); a server accepts nothing", DoctorFinding.room)
    }
    if space.free < Self.enough {
      return .warning(
        "disk", text, "delete old reports: mayday apps set APP --keep-days, mayday gc")
    }
    return .fine("disk", text)
  }

  /// A child process reads an archive as it would one from outside.
  private func sandbox() -> DoctorFinding {
    var isRead = false
    var failure = "no member was read"
    _ = InputWalker().read(Self.archive, named: "doctor.zip", ordinal: 0) { file in
      switch file.content {
      case .success: isRead = true
      case .failure(let error): failure = error.description
      }
      return .next
    }
    if isRead {
      do throws(ArchiveError) {
        let status = try ArchiveReader.sandbox()
        guard !status.isComplete else {
          return .fine("sandbox", "child processes read archives in a sandbox: \(status)")
        }
        return .warning(
          "sandbox", "child processes read archives in a sandbox: \(status)",
          "a newer kernel, or landlock and seccomp allowed to the container; --require-sandbox refuses"
            + " to run without")
      } catch {
        failure = error.description
      }
    }
    return .failed(
      "sandbox", failure, "seccomp has to be allowed to the server, such as by its container")
  }

  private func scrubRules() -> DoctorFinding {
    do {
      let rules = try ScrubRules(of: SettingsFolder(of: home))
      _ = try Scrubber(rules)
      let lists = rules.lists.isEmpty ? "no list" : rules.lists.joined(separator: ", ")
      return .fine("scrub rules", "\(lists); version \(rules.version)")
    } catch {
      return .failed("scrub rules", "\(error)", "mend the file: mayday scrub check")
    }
  }

  private func databases(_ disk: DoctorFinding, _ tell: (DoctorFinding) throws -> Void) throws {
    let store: CrashStore
    let server: ServerStore
    do {
      store = try CrashStore(opening: home)
      server = try ServerStore(opening: home)
    } catch {
      try tell(
        .failed(
          "database", Exit.describe(error).message ?? "\(error)",
          StorageCause(of: error) == nil && disk.verdict != .failed
            ? "a newer program made it: use that; or it is damaged: mayday restore a backup"
            : StorageRemedy.text(for: error, disk: disk)))
      for part in ["contents", "clock", "queue"] { try tell(.skipped(part, after: "database")) }
      return
    }
    let remedy = "it is damaged: stop everything and mayday restore a backup"
    func finding(_ name: String, _ look: () throws -> DoctorFinding) -> DoctorFinding {
      do {
        return try look()
      } catch {
        return .failed(
          name, Exit.describe(error).message ?? "\(error)",
          StorageRemedy.text(for: error, disk: disk))
      }
    }
    try tell(
      finding("database") {
        let problems = try store.integrityProblems() + server.integrityProblems()
        if let first = problems.first { return .failed("database", first, remedy) }
        return .fine("database", "whole, of schema \(try store.schemaVersion)")
      })
    try tell(finding("contents") { try contents(store, server) })
    try tell(finding("clock") { try clock(store) })
    try tell(finding("queue") { try queue(server) })
    let left = LeftFolders(in: home)
    if let first = left.paths.first {
      let more = left.paths.count > 1 ? " and \(left.paths.count - 1) more" : ""
      try tell(
        .warning(
          "leftovers",
          "\(first)\(more): \(DebugFileList.size(left.bytes)) of uploads whose server was killed",
          "remove them: mayday gc; a running server does so within ten minutes"))
    }
    let alerts = AlertsTable(in: server)
    var hasRules = true
    let found = finding("alerts") {
      let rules = try alerts.rules()
      hasRules = !rules.isEmpty
      return try state(of: alerts, rules)
    }
    if hasRules { try tell(found) }
    var isPublishing = false
    let address = finding("releases") {
      isPublishing = try store.distribution.catalog().apps.values.contains(where: \.isPublishing)
      return try Self.address(alerts.serverURL())
    }
    if isPublishing || address.verdict == .failed { try tell(address) }
  }

  /// Checks the address by which phones install releases.
  private static func address(_ url: String?) -> DoctorFinding {
    guard let url else {
      return .warning("releases", "no server has served them yet", "start it: mayday serve")
    }
    guard let problem = PhoneAddress.problem(of: url) else {
      return .fine("releases", "the server's address is \(url.printable)")
    }
    return .warning(
      "releases", problem.printable,
      "serve over https, or give mayday serve --server-url https://...")
  }

  /// Checks that all files and bodies that rows refer to exist, by name and size.
  private func contents(_ store: CrashStore, _ server: ServerStore) throws -> DoctorFinding {
    let check = try store.checkContents()
    let bodies = try IntakeQueue(in: server).missingBodies()
    guard check.missing + bodies.count > 0 else {
      return .fine(
        "contents", GroupText.count(check.count, "file or row", "files and rows") + ", none missing"
      )
    }
    var names = check.names
    names += bodies.prefix(max(0, 5 - names.count)).map { "body of submission \($0) of the queue" }
    let more = check.missing + bodies.count - names.count
    return .failed(
      "contents",
      "\(check.missing + bodies.count) of \(check.count + bodies.count) are missing or cut off: "
        + names.joined(separator: ", ") + (more > 0 ? ", and \(more) more" : ""),
      bodies.isEmpty
        ? "restore a backup into another home, and copy what is missing from its blobs folder into this one's"
        : "discard the submissions, which are lost: mayday intake discard ID")
  }

  /// Checks the alert rules and the deliveries of the last day.
  private func state(of alerts: AlertsTable, _ rules: [AlertRule]) throws -> DoctorFinding {
    // A rule that can no longer match is worse than a late delivery.
    if let rule = rules.first(where: { $0.problem != nil }) {
      return .warning(
        "alerts", "rule \(rule.number): \(rule.problem ?? "")".printable,
        "remove it and add a corrected rule: mayday alerts remove \(rule.number)")
    }
    let troubles = try alerts.troubles(since: Timestamp(seconds: Timestamp.now.seconds - 86_400))
    let remedy = "see the reason: mayday alerts log; test the target: mayday alerts test"
    if troubles.failed > 0 {
      return .warning(
        "alerts",
        GroupText.count(troubles.failed, "delivery", "deliveries") + " failed in the last day",
        remedy)
    }
    if troubles.waiting > 0 {
      return .warning(
        "alerts",
        GroupText.count(troubles.waiting, "delivery is", "deliveries are") + " being retried",
        remedy)
    }
    return .fine("alerts", "all deliveries of the last day arrived")
  }

  private func clock(_ store: CrashStore) throws -> DoctorFinding {
    let now = Timestamp.now
    if let last = try store.reports.lastReceived(), last.seconds - now.seconds > Self.clockTolerance
    {
      return .failed(
        "clock", "it is \(now), but the last report was received at \(last)",
        "set the clock and synchronise it, with systemd-timesyncd or chrony")
    }
    if now.description.prefix(10) < MaydayProgram.releaseDate {
      return .failed("clock", "it is \(now), before this program was made", "set the clock")
    }
    return .fine("clock", "\(now)")
  }

  private func queue(_ server: ServerStore) throws -> DoctorFinding {
    let counts = try IntakeQueue(in: server).counts()
    let workers = try WorkerLease.living(in: server)
    let servers = try ServerLease.living(in: server)
    let waiting = GroupText.count(counts.waiting, "submission waits", "submissions wait")
    let age = counts.oldest.map { Timestamp.now.seconds - $0.seconds } ?? 0
    if workers == 0, servers == 0, counts.waiting > 0 {
      return .failed(
        "queue", "\(waiting), and no worker processes them",
        "start the server: mayday serve --home \(home)")
    }
    if age > Self.waitTolerance {
      return .warning(
        "queue", "\(waiting), the oldest for \(age) s",
        "more threads: mayday serve --workers; see what is slow in its log")
    }
    if counts.quarantined > 0 {
      return .warning(
        "queue",
        GroupText.count(counts.quarantined, "submission is", "submissions are") + " quarantined",
        "list them: mayday intake list")
    }
    let who =
      workers > 0
      ? "\(workers) at work" : servers > 0 ? "a server is ready" : "no server runs here"
    return .fine("queue", "\(counts.waiting) wait; \(who)")
  }
}

import Bytes
import Database
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import CrashStore

@Suite struct DurabilityTests {
  let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  /// Submissions of a run over a folder: forty, in batches of four.
  private static func ingest(into home: String) throws {
    let store = try CrashStore(opening: home)
    for batch in 0..<10 {
      let submissions = try (0..<4).map { index in
        let number = batch * 4 + index
        return try StoreFixture.prepared(
          "n\(number)",
          [
            StoreFixture.report("k\(number % 6)", install: "\(number % 3)"),
            StoreFixture.report("k\(number % 4)"),
          ])
      }
      _ = try store.reports.add(submissions)
    }
  }

  /// Everything visible in a store.
  private static func picture(_ home: String) throws -> [String] {
    let store = try CrashStore(opening: home)
    let reports = try store.reports.list()
    for report in reports { _ = try store.reports.get(report.id) }
    return try store.groups.list().map { "\($0)" } + reports.map { "\($0)" } + [
      "\(store.reports.totals())"
    ]
  }

  @Test(
    "Killed at any instant and run again, it ends as if it had not been",
    arguments: [300, 1_000, 3_000, 8_000, 15_000, 25_000, 40_000, 80_000])
  func killed(microseconds: Int) async throws {
    let home = home
    await #expect(processExitsWith: .signal(SIGALRM)) { [home = home as String, microseconds] in
      signal(SIGALRM, SIG_DFL)
      var timer = itimerval()
      timer.it_value.tv_usec = microseconds
      setitimer(__itimer_which_t(0), &timer, nil)
      try DurabilityTests.ingest(into: home)
      // Faster than the timer: the end of the run counts as an instant, too.
      pause()
    }
    try StoreFixture.check(CrashStore(opening: home))
    try Self.ingest(into: home)
    try StoreFixture.check(CrashStore(opening: home))
    let whole = folder.path("whole")
    try Self.ingest(into: whole)
    #expect(try Self.picture(home) == Self.picture(whole))
  }

  @Test("Killed in the middle of a transaction, none of it is there")
  func killedInside() async throws {
    let home = home
    await #expect(processExitsWith: .signal(SIGKILL)) { [home = home as String] in
      let store = try CrashStore(opening: home)
      _ = try store.reports.add([try StoreFixture.prepared("before", [StoreFixture.report("k")])])
      try store.write(.global) { database in
        try database.run("UPDATE groups SET reports = 100")
        try database.run("DELETE FROM counters")
        kill(getpid(), SIGKILL)
      }
    }
    let store = try CrashStore(opening: home)
    #expect(try store.reports.totals().reports == 1)
    try StoreFixture.check(store)
  }

  @Test("A full database undoes the whole batch, and continues once there is space")
  func fullDatabase() throws {
    _ = try CrashStore(opening: home)
    let empty = try Connection(opening: home + "/mayday.db").integer("PRAGMA page_count")
    var options = Connection.Options()
    options.maximumPages = try #require(empty) + 24
    let small = try CrashStore(opening: home, options: options)
    let batches = try (0..<8).map { batch in
      try (0..<20).map {
        try StoreFixture.prepared("\(batch) \($0)", [StoreFixture.report("k\(batch) \($0)")])
      }
    }
    var stored = 0
    var failure: DatabaseError?
    for batch in batches {
      do {
        stored += try small.reports.add(batch).count
      } catch let error as DatabaseError {
        failure = error
        break
      }
    }
    #expect(failure?.kind == .full)
    #expect(stored > 0 && stored % 20 == 0)
    #expect(try small.reports.totals().reports == stored)
    try StoreFixture.check(small)
    let store = try CrashStore(opening: home)
    for batch in batches { _ = try store.reports.add(batch) }
    #expect(try store.reports.totals().reports == 160)
    try StoreFixture.check(store)
  }

  @Test("Without disk space for the contents, nothing is counted")
  func fullContents() throws {
    var options = Connection.Options()
    options.maximumPages = 20
    let store = try CrashStore(opening: home, options: .init(), contentOptions: options)
    let error = #expect(throws: DatabaseError.self) {
      try store.reports.add([
        try StoreFixture.prepared(Self.noise(200_000), [StoreFixture.report("k")])
      ])
    }
    #expect(error?.kind == .full)
    #expect(try store.reports.totals() == StoreTotals())
  }

  @Test("A disk that refuses more of a file is an error, and nothing is counted")
  func fullDisk() async throws {
    let home = home
    _ = try CrashStore(opening: home)
    await #expect(processExitsWith: .success) { [home = home as String] in
      signal(SIGXFSZ, SIG_IGN)
      let store = try CrashStore(opening: home)
      let small = try StoreFixture.prepared(
        DurabilityTests.noise(100_000), [StoreFixture.report("k")])
      let large = try StoreFixture.prepared(
        DurabilityTests.noise(1_000_000), [StoreFixture.report("k")])
      var limit = rlimit(rlim_cur: 50_000, rlim_max: 50_000)
      setrlimit(__rlimit_resource_t(1), &limit)
      do {
        _ = try store.reports.add([small])
        exit(3)
      } catch let error as DatabaseError {
        guard [.full, .io].contains(error.kind) else { exit(4) }
      }
      do {
        _ = try store.reports.add([large])
        exit(5)
      } catch let error as FileError {
        guard error.action == "write" && error.code == EFBIG else { exit(6) }
      }
    }
    let store = try CrashStore(opening: home)
    #expect(try store.reports.totals() == StoreTotals())
    #expect(try folder.names("home/blobs/new").isEmpty)
    try StoreFixture.check(store)
  }

  /// Text that hardly compresses.
  private static func noise(_ count: Int) -> String {
    var random = SplitMix(seed: UInt64(count))
    return String(
      decoding: (0..<count).map { _ in UInt8(33 + random.next() % 94) }, as: UTF8.self)
  }

  @Test("Stores of two processes on one home agree in the end")
  func sideBySide() throws {
    let home = home
    let failures = Mutex<[String]>([])
    runThreads(4) {
      do { try Self.ingest(into: home) } catch { failures.withLock { $0.append("\(error)") } }
    }
    #expect(failures.withLock { $0 } == [])
    let store = try CrashStore(opening: home)
    #expect(try store.reports.totals().reports == 80)
    try StoreFixture.check(store)
  }

  @Test("One store serves many threads")
  func threads() throws {
    let store = try CrashStore(opening: home)
    let failures = Mutex<[String]>([])
    let number = Atomic<Int>(0)
    runThreads(4) {
      do {
        for _ in 0..<10 {
          let number = number.add(1, ordering: .relaxed).newValue
          _ = try store.reports.add([
            try StoreFixture.prepared("\(number)", [StoreFixture.report("k\(number % 3)")])
          ])
          _ = try store.groups.list()
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try store.reports.totals().reports == 40)
    try StoreFixture.check(store)
  }

  @Test("The home is accessible only to its owner")
  func permissions() throws {
    let old = umask(0)
    defer { umask(old) }
    let store = try CrashStore(opening: home)
    _ = try store.reports.add([try StoreFixture.prepared("a", [StoreFixture.report("k")])])
    for name in ["", "/blobs", "/blobs/new", "/caches"] {
      #expect(folder.mode("home" + name) == 0o700)
    }
    for name in ["mayday.db", "mayday.db-wal", "mayday.db-shm", "blobs/small.db"] {
      #expect(folder.mode("home/" + name) == 0o600)
    }
    #expect(store.caches == "\(home)/caches")
  }

  @Test("A changed, truncated or lost file is named")
  func damagedFile() throws {
    let store = try CrashStore(opening: home)
    let receipt = try store.reports.add([try StoreFixture.prepared(Self.noise(900_000), [])])[0]
    let name = "home/blobs/\(receipt.submission.prefix(2))/\(receipt.submission).zst"
    #expect(try store.reports.submission(receipt.submission).text == Self.noise(900_000))
    let other = try store.reports.add([try StoreFixture.prepared(Self.noise(900_001), [])])[0]
    let foreign = folder.bytes("home/blobs/\(other.submission.prefix(2))/\(other.submission).zst")
    let whole = folder.bytes(name)
    for bytes in [foreign, Array(whole.dropLast(3)), [], whole + whole] {
      folder.write(name, bytes)
      let error = #expect(throws: StoreError.self) {
        try store.reports.submission(receipt.submission)
      }
      #expect(error?.description.hasPrefix("\(folder.path(name)): damaged: ") == true)
    }
    unlink(folder.path(name))
    #expect(throws: StoreError.damagedBlob(path: folder.path(name), reason: "the file is missing"))
    {
      try store.reports.submission(receipt.submission)
    }
  }

  @Test("A changed or lost row is named")
  func damagedRow() throws {
    let store = try CrashStore(opening: home)
    let receipt = try store.reports.add([
      try StoreFixture.prepared("text", [StoreFixture.report("k")])
    ])[0]
    let contents = try Connection(opening: "\(home)/blobs/small.db")
    for change in [
      "UPDATE blocks SET bytes = x'00'",
      "UPDATE blocks SET bytes = substr(bytes, 1, length(bytes) - 2)",
      "UPDATE contents SET block = NULL", "DELETE FROM contents",
    ] {
      try contents.execute(change)
      let error = #expect(throws: StoreError.self) {
        try store.reports.submission(receipt.submission)
      }
      #expect(error?.description.contains(receipt.submission) == true)
    }
  }

  @Test("Leftovers of a dead process are deleted, files being written are kept")
  func leftovers() throws {
    _ = try CrashStore(opening: home)
    folder.write("home/blobs/new/old", "x".utf8)
    folder.write("home/blobs/new/young", "x".utf8)
    for name in ["old.tmp", "old.symcache"] { folder.write("home/caches/\(name)", "x".utf8) }
    folder.write("home/caches/young.tmp", "x".utf8)
    var times = [timeval(tv_sec: 1_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000, tv_usec: 0)]
    for name in ["blobs/new/old", "caches/old.tmp", "caches/old.symcache"] {
      utimes(folder.path("home/" + name), &times)
    }
    _ = try CrashStore(opening: home)
    #expect(try folder.names("home/blobs/new") == ["young"])
    #expect(try folder.names("home/caches") == ["old.symcache", "young.tmp"])
  }

  @Test("The same content is stored once")
  func sharedContent() throws {
    let store = try CrashStore(opening: home)
    let large = Self.noise(900_000)
    for app in ["A", "B"] {
      try store.reports.add([
        try StoreFixture.prepared("same", [], app: app),
        try StoreFixture.prepared(large, [], app: app),
      ])
    }
    let contents = try Connection(opening: "\(home)/blobs/small.db")
    #expect(try contents.integer("SELECT count(*) FROM contents") == 1)
    #expect(try folder.names("home/blobs").filter { $0.count == 2 }.count == 1)
  }

  @Test("A home of a newer version is refused, naming both, and left unchanged")
  func newerVersion() throws {
    _ = try CrashStore(opening: home)
    let path = "\(home)/mayday.db"
    do { try Connection(opening: path).execute("PRAGMA user_version = 99") }
    let error = #expect(throws: DatabaseError.self) { try CrashStore(opening: home) }
    #expect(error?.kind == .wrongVersion)
    #expect(
      error?.description.contains(
        "its schema version is 99; this version of Mayday reads up to \(Schema.migrations.version)")
        == true)
    #expect(try Connection(opening: path).integer("PRAGMA user_version") == 99)
  }

  @Test("A home that cannot be created is an error")
  func wrongHomes() throws {
    folder.write("file", "x".utf8)
    #expect(throws: FileError.self) { try CrashStore(opening: folder.path("file")) }
    #expect(throws: FileError.self) { try CrashStore(opening: folder.path("file/home")) }
    #expect(throws: FileError.self) { try CrashStore(opening: "/proc/nowhere") }
    folder.write("damaged/mayday.db", String(repeating: "no database ", count: 1000).utf8)
    let error = #expect(throws: DatabaseError.self) {
      try CrashStore(opening: folder.path("damaged"))
    }
    #expect(error?.kind == .corrupt)
  }
}

extension ScratchFolder {
  func mode(_ name: String) -> UInt32 {
    var status = stat()
    return stat(path(name), &status) == 0 ? status.st_mode & 0o777 : 0
  }

  func bytes(_ name: String) -> [UInt8] {
    (try? ByteView(reading: path(name), limit: 1 << 20).array) ?? []
  }
}

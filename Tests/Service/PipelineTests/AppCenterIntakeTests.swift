import Bytes
import CrashModel
import Database
import Grouping
import Identifiers
import Pipeline
import Query
import ReportDocument
import Scrubbing
import Synchronization
import TestSupport
import Testing
import TriageModel

@testable import CrashStore

@Suite struct AppCenterIntakeTests {
  private static let secret = "5B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"
  private static let install = "0D1E2F3A-0000-4000-8000-0000000000"
  private static let received = Timestamp(seconds: 1_772_500_000)

  private func intake(_ store: CrashStore) throws -> AppCenterIntake {
    AppCenterIntake(
      into: store, symbolicators: SymbolicatorChoice(Samples.symbolicator),
      signers: SignerChoice(Signer(rules: .standard)),
      scrubber: try Scrubber(of: store.settings))
  }

  @discardableResult
  private func send(
    _ logs: [String], to store: CrashStore, install: Int = 1
  ) throws -> AppCenterIntake.IntakeOutcome {
    try intake(store).store(
      ByteView("{\"logs\":[\(logs.joined(separator: ","))]}".utf8), appSecret: Self.secret,
      installID: Self.install + "0\(install)", received: Self.received)
  }

  private static func crash(_ number: Int, fatal: Bool = true, method: String = "load") -> String {
    """
    {"type":"\(fatal ? "managedError" : "handledError")","id":"\(id(number))","sid":"\(sid(number))",
    "timestamp":"2026-03-02T10:12:0\(number % 10).500Z","exception":{"type":"java.lang.Error","frames":
    [{"className":"org.example.tern.Charts","methodName":"\(method)","lineNumber":3}]},
    "device":{"osName":"Android","appVersion":"1.2.0"}}
    """
  }

  private static func id(_ number: Int) -> String {
    "A3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A\(10 + number)"
  }
  private static func sid(_ number: Int) -> String {
    "B3C1F0D2-5B7E-4E19-8C3A-6F2D1B9E0A\(10 + number)"
  }

  private static func attachment(_ number: Int, _ name: String = "log.txt") -> String {
    """
    {"type":"errorAttachment","id":"\(sid(number))","errorId":"\(id(number).lowercased())",
    "fileName":"\(name)","contentType":"text/plain","data":"aGVsbG8="}
    """
  }

  private static func session(_ number: Int) -> String {
    """
    {"type":"startSession","sid":"\(sid(number))","timestamp":"2026-03-02T10:12:00Z",
    "device":{"appVersion":"1.2.0"}}
    """
  }

  private static func event(_ number: Int, second: Int) -> String {
    """
    {"type":"event","sid":"\(sid(number))","id":"e\(second)","name":"step \(second)",
    "timestamp":"2026-03-02T10:12:0\(second)Z","properties":{"n":"\(second)"}}
    """
  }

  @Test("The same report counts once, however its id is spelled and whatever is around it")
  func duplicates() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let first = try send([Self.crash(1)], to: store)
    #expect(first.app == "unknown-5b1e6c1c" && first.receipt.reports[0].isDuplicate == false)
    let other = Self.crash(1).replacing(Self.id(1), with: Self.id(1).lowercased())
      .replacing("\"lineNumber\":3", with: "\"lineNumber\": \"3\"")
    let again = try send([Self.session(1), other, Self.crash(1)], to: store)
    let isAgain = again.receipt.reports.map(\.isDuplicate)
    #expect(isAgain == [true, true])
    let (known, named) = (first.receipt.reports, again.receipt.reports)
    let ids = named.map { $0.reports[0].report }
    #expect(ids == [known[0].reports[0].report, ids[0]])
    #expect(try store.reports.totals().reports == 1)
    #expect(try store.ledger.get().faults.isEmpty)
  }

  @Test("Attachments find their report, whichever comes first")
  func attachments() throws {
    for order in [[0, 1], [1, 0]] {
      let home = ScratchFolder()
      let store = try CrashStore(opening: home.path)
      let requests = [[Self.crash(1)], [Self.attachment(1), Self.attachment(1, "minidump.dmp")]]
      for index in order { try send(requests[index], to: store) }
      try send(requests[1], to: store)
      let report = try #require(try store.reports.list().first)
      #expect(try store.attachments.list(of: report.id).map(\.name) == ["log.txt", "minidump.dmp"])
    }
  }

  private static func native(_ number: Int) -> String {
    """
    {"type":"managedError","id":"\(id(number))","exception":{"type":"minidump"},
    "device":{"osName":"Android","appVersion":"1.2.0"}}
    """
  }

  @Test("A native crash whose dump is stored is found, whichever comes first")
  func dump() throws {
    let now = Self.received
    for order in [[0, 1], [1, 0]] {
      let home = ScratchFolder()
      let store = try CrashStore(opening: home.path)
      let requests = [[Self.native(1), Self.native(2)], [Self.attachment(1, "minidump.dmp")]]
      for index in order { try send(requests[index], to: store) }
      func count(_ query: String) throws -> Int {
        try store.reports.list(ReportQuery(Query(query, now: now))).count
      }
      #expect(try count("tag.minidump:stored") == 1 && count("tag.minidump:awaited") == 1)
      #expect(try count("symbols:missing") == 2 && count("symbols:full") == 0)
    }
  }

  /// An attachment with the dump of a crash.
  private static func attachedDump(_ number: Int, _ bytes: [UInt8]? = nil) -> String {
    var dump = MinidumpBuilder()
    dump.system(platform: 0x8203, text: "Linux 4.9.1 #1 SMP x86_64")
    let context = dump.context(rip: 0x40_1500, rsp: 0x7000, rbp: 0)
    dump.list(
      4, [dump.module(base: 0x40_0000, size: 0x1000, name: "/data/libtern.so", buildID: [1, 2, 3])])
    dump.list(3, [dump.thread(id: 1, stack: (0x7000, [1]), context: context)])
    dump.exception(thread: 1, code: 11, flags: 1, address: 0x18, context: context)
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var data: [UInt8] = []
    var content = bytes ?? dump.bytes()
    // Three bytes are four letters; zeros after a dump change nothing.
    while content.count % 3 != 0 { content.append(0) }
    for start in stride(from: 0, to: content.count, by: 3) {
      let bits = content[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
      for place in 0..<4 { data.append(letters[bits >> (18 - 6 * place) & 63]) }
    }
    return attachment(number, "minidump.dmp").replacing(
      "aGVsbG8=", with: String(decoding: data, as: UTF8.self))
  }

  @Test("The stacks of a native crash come from its dump, whichever arrives first")
  func dumpIsRead() throws {
    for order in [[0, 1], [1, 0]] {
      let home = ScratchFolder()
      let store = try CrashStore(opening: home.path)
      let requests = [[Self.native(1), Self.native(2)], [Self.attachedDump(1)]]
      for index in order { try send(requests[index], to: store) }
      func reprocess() throws -> Int {
        try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run()
      }
      #expect(try reprocess() == 1)
      #expect(try reprocess() == 0)
      func reports(_ query: String) throws -> [String] {
        try store.reports.list(ReportQuery(Query(query, now: Self.received))).map(\.id)
      }
      let id = try #require(try reports("tag.minidump:read").first)
      #expect(try reports("tag.minidump:awaited").count == 1)
      let report = try CrashReport(document: store.reports.get(id).document)
      #expect(report.reason.signal == "SIGSEGV" && report.reason.type == nil)
      #expect(report.threads.first?.frames.first?.address == Address(0x40_1500))
      #expect(report.images.map(\.name) == ["libtern.so"])
      // The SDK's facts about the app and its device are kept.
      #expect(report.app.version == "1.2.0" && report.os.name == "Android")
      #expect(!report.notes.contains { $0.contains("waiting") })
      #expect(try store.reports.totals().reports == 2)
    }
  }

  @Test("An unreadable dump is noted once")
  func dumpIsUnreadable() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try send([Self.native(1), Self.attachedDump(1, Array("MDMP".utf8))], to: store)
    #expect(try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run() == 1)
    #expect(try ReprocessingJob(in: store, signer: Signer(rules: .standard)).run() == 0)
    let id = try #require(try store.reports.list().first).id
    let report = try CrashReport(document: store.reports.get(id).document)
    #expect(report.tags[.minidump] == "unreadable")
    #expect(report.notes.contains { $0.hasPrefix("minidump.dmp cannot be read: ") })
  }

  @Test("An attachment that was refused is told of with its report, whichever comes first")
  func refused() throws {
    let broken = Self.attachment(1, "a.bin").replacing("aGVsbG8=", with: "<>")
    let empty = Self.attachment(1, "b.bin").replacing(#""data":"aGVsbG8=""#, with: #""data":null"#)
    for order in [[0, 1], [1, 0]] {
      let home = ScratchFolder()
      let store = try CrashStore(opening: home.path)
      let requests = [[Self.crash(1)], [broken, empty, Self.attachment(2, "other")]]
      for index in order + order { try send(requests[index], to: store) }
      let report = try store.reports.get(try #require(try store.reports.list().first).id)
      #expect(
        report.refusedAttachments == [
          RefusedAttachment(name: "a.bin", reason: "it is not base64"),
          RefusedAttachment(name: "b.bin", reason: "it has no data"),
        ])
      let late = Timestamp(seconds: Self.received.seconds + 8 * 86_400)
      _ = try store.sessions.expire(at: late)
      #expect(try store.reports.get(report.summary.id).refusedAttachments.count == 2)
      try store.retention.remove(reports: [report.summary.id], at: late)
      _ = try store.sessions.expire(at: late)
      let left = try store.read { try $0.integer("SELECT count(*) FROM refused_attachments") }
      #expect(left == 0)
    }
  }

  @Test("A report is found by the SDK's id, in any spelling")
  func incident() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try send([Self.crash(1), Self.crash(2)], to: store)
    func ids(_ query: String) throws -> [String] {
      try store.reports.list(ReportQuery(Query(query, now: Self.received))).map(\.id)
    }
    let all = try ids("")
    for text in [
      Self.id(1), Self.id(1).lowercased(), Self.id(1).replacing("-", with: ""), "{\(Self.id(1))}",
    ] {
      #expect(try ids("incident:\"\(text)\"").count == 1, "\(text)")
    }
    #expect(try ids("errorid:\(Self.id(1))") != ids("incident:\(Self.id(2))"))
    #expect(try ids("-incident:\(Self.id(1))") == ids("incident:\(Self.id(2))"))
    #expect(try ids("incident:\(Self.sid(1))").isEmpty && ids("-incident:\"\"") == all)
  }

  @Test("An attachment without a report waits a week")
  func orphans() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    #expect(try send([Self.attachment(1)], to: store).receipt.orphans == 1)
    let soon = Timestamp(seconds: Self.received.seconds + 6 * 86_400)
    let late = Timestamp(seconds: Self.received.seconds + 8 * 86_400)
    #expect(try store.sessions.expire(at: soon).orphans == 0)
    #expect(try store.sessions.expire(at: late, isDry: true).orphans == 1)
    #expect(try store.sessions.expire(at: late).orphans == 1)
    try send([Self.crash(1)], to: store)
    let report = try #require(try store.reports.list().first)
    #expect(try store.attachments.list(of: report.id).isEmpty)
  }

  @Test("Events before a crash are its breadcrumbs, whichever comes first")
  func breadcrumbs() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try send([Self.event(3, second: 2), Self.event(3, second: 9)], to: store)
    try send([Self.crash(3)], to: store)
    try send([Self.event(3, second: 1)], to: store)
    let report = try #require(try store.reports.list().first)
    let crumbs = try store.reports.get(report.id).breadcrumbs
    #expect(crumbs.map(\.name) == ["step 1", "step 2"])
    #expect(crumbs.first?.properties == ["n": "1"])
  }

  @Test("Crash-free rates come from sessions; handled errors are not crashes")
  func crashFree() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    for number in 1...4 {
      try send([Self.session(number), Self.session(number)], to: store, install: number % 2)
    }
    try send([Self.crash(1)], to: store, install: 1)
    try send([Self.crash(2, fatal: false)], to: store, install: 0)
    let figures = try store.sessions.crashFree(app: "unknown-5b1e6c1c", release: Release("1.2.0"))
    #expect(figures.sessions == 4 && figures.crashedSessions == 1 && figures.sessionRate == 0.75)
    #expect(figures.installs == 2 && figures.crashedInstalls == 1 && figures.userRate == 0.5)
    #expect(
      try store.sessions.crashFree(app: "unknown-5b1e6c1c", release: Release("2")).sessionRate
        == nil)
    let day = Timestamp("2026-03-03T00:00:00Z")
    #expect(try store.sessions.crashFree(app: "unknown-5b1e6c1c", from: day).sessions == 0)
  }

  @Test("A crash without a session does not belong to the session with its id")
  func sessionsById() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let lonely = Self.crash(1).replacing(#""sid":"\#(Self.sid(1))","#, with: "")
    let named = Self.crash(2).replacing(Self.sid(2), with: Self.id(1))
    try send([lonely, named], to: store)
    let figures = try store.sessions.crashFree(app: "unknown-5b1e6c1c")
    #expect(figures.crashes == 2 && figures.crashedSessions == 2)
  }

  @Test("A secret is adopted with all existing and later data")
  func adopted() throws {
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try send([Self.crash(1), Self.session(1)], to: store)
    let group = try #require(try store.groups.list().items.first)
    try store.apps.adopt(secret: "5b1e", as: "Tern")
    #expect(try store.apps.list().map(\.name) == ["Tern"])
    #expect(try send([Self.crash(2), Self.crash(1)], to: store).app == "Tern")
    let groups = try store.groups.list().items
    #expect(groups.map(\.id) == ["TERN-1"] && groups.map(\.reports) == [2])
    #expect(try store.groups.get(group.id).id == "TERN-1")
    #expect(try store.sessions.crashFree(app: "Tern").crashes == 2)
    let ledger = try store.ledger.get()
    #expect(ledger.faults.isEmpty && ledger.accounts.map(\.app) == ["Tern"])
    // Reports are reprocessed under the name that they were stored under.
    let stored = try store.reports.get(try #require(try store.reports.list().first?.id))
    let reprocessed = try ReprocessingWorker(
      in: store, symbolicators: SymbolicatorChoice(Samples.symbolicator),
      signer: Signer(rules: .standard),
      scrubber: Scrubber(of: store.settings)
    ).reprocess(stored)
    #expect(reprocessed?.document == stored.document.array)
    try store.apps.add("Other", secret: nil)
    #expect(throws: StoreError.nameTaken("Other")) { try store.apps.rename("Tern", to: "Other") }
  }

  /// The same as if the secret had been the app's from the beginning.
  @Test("A secret is adopted into an app that has reports of its own")
  func adoptedIntoAnother() throws {
    let other = "6B1E6C1C-3C51-4E0B-9F4E-2E3C7E0B7A10"
    func send(_ logs: [String], _ secret: String, to store: CrashStore) throws {
      _ = try intake(store).store(
        ByteView("{\"logs\":[\(logs.joined(separator: ","))]}".utf8), appSecret: secret,
        installID: Self.install + "01", received: Self.received)
    }
    func fill(_ store: CrashStore) throws {
      try send([Self.crash(1), Self.session(1)], other, to: store)
      try send(
        [Self.event(2, second: 1), Self.attachment(2), Self.session(2)], Self.secret, to: store)
      try send([Self.crash(2), Self.crash(3, method: "odd")], Self.secret, to: store)
      try send([Self.crash(2), Self.attachment(4)], Self.secret, to: store)
    }
    func picture(_ store: CrashStore) throws -> [String] {
      let ledger = try store.ledger.get()
      #expect(ledger.faults.isEmpty, "\(ledger.faults)")
      #expect(try store.apps.list().map(\.name) == ["Tern"])
      return try store.groups.list().items.map { "\($0.id) \($0.signature.text) \($0.reports)" }
        + store.reports.list().items.map { report in
          let stored = try store.reports.get(report.id)
          let names = stored.attachments.map(\.name) + stored.breadcrumbs.map(\.name)
          return "\(report.id) \(report.group) \(report.time.description) \(names)"
        }.sorted() + ["\(try store.sessions.crashFree(app: "Tern"))", "\(ledger.accounts)"]
    }
    let plainHome = ScratchFolder()
    let plain = try CrashStore(opening: plainHome.path)
    for secret in [other, Self.secret] { try plain.apps.add("Tern", secret: secret.lowercased()) }
    try fill(plain)
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    try store.apps.add("Tern", secret: other.lowercased())
    try fill(store)
    #expect(try store.apps.list().count == 2)
    let odd = try #require(
      try store.groups.list().items.first { $0.signature.text.contains("odd") })
    try store.triage.note([odd.id], "seen", by: "ann")
    try store.triage.ignore([odd.id], by: "ann")
    let adoption = AppAdoption(in: store, signer: Signer(rules: .standard))
    #expect(try adoption.run(secret: "5b1e", into: "Tern") == 2)
    #expect(try picture(store) == picture(plain))
    let moved = try #require(
      try store.groups.list().items.first { $0.signature.text.contains("odd") })
    #expect(moved.state == .ignored)
    #expect(try store.groups.history(ofGroup: moved.id).contains { $0.detail == "seen" })
    // Reports stored before are known as what they were.
    let again = try self.send([Self.session(2), Self.attachment(2)], to: store).receipt
    #expect(again.sessions == 0 && again.attachments.added == 0 && !again.isNew)
    // Later reports belong to the app, and a waiting attachment finds its report.
    try send([Self.crash(4), Self.crash(2)], Self.secret, to: store)
    #expect(try store.reports.totals().reports == 4 && store.apps.list().count == 1)
    let late = try store.reports.list().items.flatMap {
      try store.attachments.list(of: $0.id).map(\.name)
    }
    #expect(late == ["log.txt", "log.txt"])
    // Data created for the unnamed app is created again.
    var batch = ClientBatch(app: "unknown-5b1e6c1c", received: Self.received, install: nil)
    batch.secret = Self.secret.lowercased()
    #expect(throws: BatchAppChanged.self) { try store.sessions.add(batch) }
    // A named app is not merged into another.
    try store.apps.add("Gull", secret: "7b1e6c1c-3c51-4e0b-9f4e-2e3c7e0b7a10")
    #expect(throws: StoreError.nameTaken("Tern")) { try adoption.run(secret: "7b1e", into: "Tern") }
    #expect(throws: StoreError.notFound("9")) { try adoption.run(secret: "9", into: "Tern") }
  }

  @Test("Any order, twice, from three threads: the same store", arguments: [1, 2, 3])
  func anyOrder(seed: UInt64) throws {
    var requests: [[String]] = []
    for number in 1...8 {
      requests.append([Self.crash(number, fatal: number % 3 != 0, method: "m\(number % 3)")])
      requests.append([Self.attachment(number)])
      requests.append([Self.session(number), Self.event(number, second: 0)])
    }
    func picture(_ store: CrashStore) throws -> [String] {
      let ledger = try store.ledger.get()
      #expect(ledger.faults.isEmpty)
      let app = try #require(try store.apps.list().first?.name)
      return try store.groups.list().items.map { "\($0.signature.text) \($0.reports)" }
        .sorted()
        + store.reports.list().items.map { report in
          let stored = try store.reports.get(report.id)
          let names = stored.attachments.map(\.name) + stored.breadcrumbs.map(\.name)
          return "\(report.id) \(report.time.description) \(names)"
        }.sorted() + ["\(try store.sessions.crashFree(app: app))"]
    }
    let plainHome = ScratchFolder()
    let plain = try CrashStore(opening: plainHome.path)
    for request in requests { try send(request, to: plain) }
    var random = SplitMix(seed: seed)
    let order = (requests + requests).shuffled(using: &random)
    let home = ScratchFolder()
    let store = try CrashStore(opening: home.path)
    let next = Mutex(0)
    let failures = Mutex<[String]>([])
    runThreads(3) {
      while true {
        let index = next.withLock { value in
          defer { value += 1 }
          return value
        }
        guard index < order.count else { return }
        do { try self.send(order[index], to: store) } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try picture(store) == picture(plain))
  }
}

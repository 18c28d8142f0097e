import Archives
import Bytes
import CrashStore
import Crypto
import Glibc
import ReportDocument
import TestSupport
import Testing

@testable import HomeArchive

enum SHA256Text {
  static func of(_ bytes: ByteView) -> String { SHA256.hex(of: bytes) }
}

@Suite("Archives of homes", .serialized)
struct HomeArchiveTests {
  private let fixture: ArchiveFixture

  init() throws { fixture = try ArchiveFixture() }

  private func restore(_ archive: String, to name: String = "new") throws -> CrashStore {
    _ = try HomeArchiveReader(archive).restore(to: fixture.folder.path(name), isForced: false)
    return try CrashStore(opening: fixture.folder.path(name))
  }

  @Test("A restored backup gives the same results, and the same archive again")
  func roundTrip() throws {
    try fixture.fill()
    let archive = try fixture.backup()
    let store = try restore(archive)
    #expect(try ArchiveFixture.picture(store) == ArchiveFixture.picture(fixture.store))
    #expect(try store.ledger.get().faults == [])
    let again = fixture.folder.path("again.tar.zst")
    _ = try HomeArchiveWriter(.everything, engine: "test 1").write(store, to: again)
    #expect(fixture.folder.bytes("again.tar.zst") == fixture.folder.bytes("a.tar.zst"))
    // The new home works, and knows the deleted reports.
    let before = try store.reports.totals()
    try ArchiveFixture.file([ArchiveFixture.report("k0")], named: "a", into: store)
    #expect(try store.reports.totals() == before)
    try ArchiveFixture.file([ArchiveFixture.report("k0")], named: "new", into: store)
    #expect(try store.reports.totals().reports == before.reports + 1)
    #expect(try store.ledger.get().faults == [])
    #expect(try fixture.folder.names("").filter { $0.hasPrefix("new.") } == [])
  }

  @Test("A core that is stored unchanged is restored, and its zeros take no space")
  func largeContent() throws {
    let path = fixture.folder.path("core")
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    try #require(file >= 0)
    defer { close(file) }
    let size = 300 << 20
    try #require(ftruncate(file, off_t(size)) == 0)
    for offset in [0, 100 << 20, size - 3] {
      try #require(pwrite(file, "abc", 3, off_t(offset)) == 3)
    }
    let submission = Submission(
      bytes: try ByteView(mapping: path), source: "core", received: ArchiveFixture.start,
      app: "Tern")
    let id = ReportID.ids(of: submission.bytes, app: "Tern", count: 1)[0]
    let report = ArchiveFixture.report("k0")
    try fixture.store.reports.add([
      try PreparedSubmission(
        submission,
        reports: [(report, ByteView(report.document(id: id, received: ArchiveFixture.start)))])
    ])
    let store = try restore(try fixture.backup())
    #expect(try store.reports.totals() == fixture.store.reports.totals())
    #expect(try store.checkContents().missing == 0)
    let name = SHA256.hex(of: submission.bytes)
    var status = stat()
    try #require(stat("\(store.home)/blobs/\(name.prefix(2))/\(name)", &status) == 0)
    #expect(status.st_size == size && status.st_blocks * 512 < 8 << 20)
  }

  @Test("Files of the home are restored unchanged; others do not belong in an archive")
  func files() throws {
    try fixture.fill()
    let archive = fixture.folder.path("f.tar.zst")
    let files = [
      ArchivedFile(.scrubRules, ByteView("[scrub]\nuse = none\n".utf8)),
      ArchivedFile(.tokens, ByteView("{}\n".utf8)),
    ]
    _ = try HomeArchiveWriter(.everything, engine: "test 1", files: files).write(
      fixture.store, to: archive)
    var seen: [ArchivedFile] = []
    _ = try HomeArchiveReader(archive).restore(
      to: fixture.folder.path("new"), isForced: false, adding: { files, _ in seen = files })
    #expect(seen.map(\.kind) == files.map(\.kind))
    #expect(seen.map(\.bytes.text) == files.map(\.bytes.text))
    // A file that cannot be restored leaves nothing behind.
    #expect(throws: HomeArchiveError.notWhole) {
      try HomeArchiveReader(archive).restore(
        to: fixture.folder.path("other"), isForced: false,
        adding: { _, _ in throw HomeArchiveError.notWhole })
    }
    #expect(try fixture.folder.names("").filter { $0.hasPrefix("other") } == [])
    for (name, other) in [("scrub.conf", "home.conf"), ("scrub.conf", "tokens.ndjson")] {
      var members = try fixture.members(archive)
      for index in members.indices {
        if members[index].name == "manifest.json" {
          members[index].bytes = Array(
            String(decoding: members[index].bytes, as: UTF8.self).replacing(name, with: other).utf8)
        }
        if members[index].name == "files/" + name { members[index].name = "files/" + other }
      }
      #expect(throws: HomeArchiveError.self) {
        try HomeArchiveReader(fixture.pack(members)).restore(
          to: fixture.folder.path("other"), isForced: false)
      }
    }
  }

  @Test("An empty store, too")
  func empty() throws {
    let store = try restore(fixture.backup())
    #expect(try ArchiveFixture.picture(store) == ArchiveFixture.picture(fixture.store))
  }

  @Test("An existing home stays, or is moved away")
  func occupied() throws {
    try fixture.fill()
    let archive = try fixture.backup()
    let home = fixture.folder.path("home")
    #expect(throws: HomeArchiveError.homeNotEmpty(home)) {
      try HomeArchiveReader(archive).restore(to: home + "/", isForced: false)
    }
    for number in 1...2 {
      let former = try HomeArchiveReader(archive).restore(to: home, isForced: true).former
      #expect(former == home + ".before-restore" + (number == 1 ? "" : "-2"))
      let expected = try ArchiveFixture.picture(CrashStore(opening: home))
      #expect(try ArchiveFixture.picture(CrashStore(opening: former ?? "")) == expected)
    }
  }

  @Test("An export is imported once into a home with data, whatever is there")
  func importing() throws {
    try fixture.fill()
    let reports = try fixture.store.reports.list().filter { $0.app == "Tern" }.map(\.id)
    let path = fixture.folder.path("e.tar.zst")
    _ = try HomeArchiveWriter(.reports(reports + ["none"], withDebugFiles: true), engine: "test")
      .write(fixture.store, to: path)
    #expect(throws: HomeArchiveError.notWhole) { try restore(path) }
    let other = try CrashStore(opening: fixture.folder.path("other"))
    // One of the groups already exists, with another number, and one of the submissions.
    try ArchiveFixture.file(
      [ArchiveFixture.report("z"), ArchiveFixture.report("k1")], named: "here", into: other)
    let counts = try HomeArchiveReader(path).merge(into: other)
    #expect(counts.reports == reports.count && counts.duplicates == 0)
    #expect(counts.groups == 3)
    #expect(try other.ledger.get().faults == [])
    let ids = Set(try other.reports.list().map(\.id))
    #expect(ids.isSuperset(of: reports) && ids.count == reports.count + 2)
    for id in reports {
      let (here, there) = (try other.reports.get(id), try fixture.store.reports.get(id))
      #expect(here.document.text == there.document.text)
      #expect(here.summary.signature == there.summary.signature)
      #expect(try other.attachments.list(of: id) == fixture.store.attachments.list(of: id))
    }
    let before = try other.groups.list().map { "\($0)" }
    let twice = try HomeArchiveReader(path).merge(into: other)
    #expect(twice.reports == 0 && twice.groups == 0 && twice.duplicates == reports.count)
    #expect(try other.groups.list().map { "\($0)" } == before)
    #expect(try other.ledger.get().faults == [])
    #expect(try fixture.folder.names("other/caches") == [])
  }

  @Test("A whole home can be imported, debug files included")
  func importingAll() throws {
    try fixture.fill()
    let archive = try fixture.backup()
    let other = try CrashStore(opening: fixture.folder.path("other"))
    let counts = try HomeArchiveReader(archive).merge(into: other)
    #expect(counts.debugFiles == 1)
    #expect(
      Set(try other.reports.list().map(\.id)) == Set(try fixture.store.reports.list().map(\.id)))
    #expect(try other.ledger.get().faults == [])
  }

  @Test("Truncated anywhere, an archive is an error, and nothing is left of the home")
  func cut() throws {
    try fixture.fill()
    let whole = fixture.folder.bytes(
      String(try fixture.backup().split(separator: "/").last ?? ""))
    var lengths = [0, 1, 2, 4, 100]
    var random = SplitMix(seed: 3)
    lengths += (0..<8).map { _ in Int(random.next() % UInt64(whole.count)) } + [whole.count - 1]
    for length in lengths {
      fixture.folder.write("cut.tar.zst", Array(whole.prefix(length)))
      #expect(throws: (any Error).self, "\(length)") {
        try restore(fixture.folder.path("cut.tar.zst"))
      }
      #expect(try fixture.folder.names("").filter { $0.hasPrefix("new") } == [])
    }
  }

  @Test("Members that are missing, duplicate, unknown or out of order are named")
  func members() throws {
    try fixture.fill()
    let members = try fixture.members(fixture.backup())
    func refused(_ changed: [(name: String, bytes: [UInt8])], _ words: String) throws {
      let path = try fixture.pack(changed)
      let error = #expect(throws: HomeArchiveError.self, "\(words)") { try restore(path) }
      #expect(error?.description.contains(words) == true, "\(words): \(error?.description ?? "")")
    }
    try refused([], "")
    try refused(Array(members.dropFirst()), "instead of manifest.json")
    for index in members.indices.dropFirst() where index % 3 != 0 || index + 1 == members.count {
      var changed = members
      let gone = changed.remove(at: index)
      let path = try fixture.pack(changed)
      #expect(throws: HomeArchiveError.self, "without \(gone.name)") { try restore(path) }
      changed.insert(gone, at: index)
      changed.insert(gone, at: index)
      let doubled = try fixture.pack(changed)
      #expect("twice \(gone.name)") {
        try restore(doubled)
      } throws: {
        $0 is HomeArchiveError || $0 is LoadError
      }
    }
    for name in [
      "contents/evil", "evil", "debug-files/../x",
      "contents/00/\(String(repeating: "g", count: 64))",
    ]
    where ArchiveWriter.isSafe(name) {
      try refused(members + [(name, [1])], "belongs in no archive")
    }
    var swapped = members
    let contents = members.indices.filter { members[$0].name.hasPrefix("contents/") }
    swapped.swapAt(contents[0], contents[1])
    try refused(swapped, "the contents do not match the manifest")
    let known = ArchiveManifest.version
    var later = members
    later[0].bytes = Array(
      String(decoding: later[0].bytes, as: UTF8.self)
        .replacing("\"version\": \(known)", with: "\"version\": \(known + 1)").utf8)
    #expect(throws: HomeArchiveError.laterVersion(known + 1, known: known)) {
      try restore(fixture.pack(later))
    }
    later[0].bytes = Array(
      String(decoding: members[0].bytes, as: UTF8.self)
        .replacing("\"schema\": \(CrashStore.Archive.schemaVersion)", with: "\"schema\": 99").utf8)
    #expect(throws: LoadError.unknownSchema(99, newest: CrashStore.Archive.schemaVersion)) {
      try restore(fixture.pack(later))
    }
    // Another content under a correct name.
    var wrong = members
    wrong[contents[0]].bytes = [1, 2, 3]
    #expect(throws: LoadError.self) { try restore(fixture.pack(wrong)) }
  }

  @Test("A changed manifest is an error, or has the same meaning", arguments: 0..<2)
  func manifest(seed: UInt64) throws {
    try fixture.fill()
    let members = try fixture.members(fixture.backup())
    let expected = try ArchiveFixture.picture(fixture.store)
    var random = SplitMix(seed: seed)
    for round in 0..<15 {
      var changed = members
      for _ in 0...Int(random.next() % 3) {
        let index = Int(random.next() % UInt64(changed[0].bytes.count))
        if random.next() % 3 == 0 {
          changed[0].bytes.remove(at: index)
        } else {
          changed[0].bytes[index] = UInt8(truncatingIfNeeded: random.next() % 128)
        }
      }
      guard let path = try? fixture.pack(changed) else { continue }
      let name = "new\(round)"
      do {
        let store = try restore(path, to: name)
        #expect(try ArchiveFixture.picture(store) == expected)
      } catch {
        #expect(try fixture.folder.names("").filter { $0.hasPrefix(name) } == [], "\(error)")
      }
    }
  }

  /// The archive with one table changed, and the manifest adjusted.
  private func changing(
    _ table: String, _ members: [(name: String, bytes: [UInt8])], _ change: (String) -> String
  ) throws -> String {
    var members = members
    let index = try #require(members.firstIndex { $0.name == "tables/\(table)/000001.ndjson" })
    let old = ByteView(members[index].bytes)
    let text = change(old.text)
    let new = ByteView(text.utf8)
    members[index].bytes = new.array
    let lines = { (view: ByteView) in view.array.count { $0 == UInt8(ascii: "\n") } }
    members[0].bytes = Array(
      String(decoding: members[0].bytes, as: UTF8.self)
        .replacing(
          "\(old.count),\n          \"sha256\": \"\(SHA256.hex(of: old))\"",
          with: "\(new.count),\n          \"sha256\": \"\(SHA256.hex(of: new))\""
        )
        .replacing(
          "\"name\": \"\(table)\",\n      \"rows\": \(lines(old))",
          with: "\"name\": \"\(table)\",\n      \"rows\": \(lines(new))"
        ).utf8)
    return try fixture.pack(members)
  }

  @Test("Invalid rows, and rows that do not fit together, are named")
  func rows() throws {
    try fixture.fill()
    let members = try fixture.members(fixture.backup())
    // Unchanged, it is valid.
    _ = try restore(changing("apps", members) { $0 }, to: "well")
    let first = { (text: String) in String(text.prefix { $0 != "\n" }) + "\n" }
    let cases: [(table: String, change: (String) -> String, words: String)] = [
      ("apps", { $0.replacing("\"name\":\"Tern\"", with: "\"name\":7") }, "'name'"),
      ("apps", { $0.replacing("\"name\":\"Tern\"", with: "\"name\":null") }, "'name'"),
      (
        "apps", { $0.replacing("\"name\":\"Tern\"", with: "\"name\":\"\\u0001\"") }, "invalid name"
      ),
      ("apps", { $0.replacing("\"name\"", with: "\"nome\"") }, "unknown column 'nome'"),
      (
        "apps", { $0.replacing("\"prefix\":\"TERN\"", with: "\"prefix\":\"a-b\"") },
        "invalid prefix"
      ),
      ("apps", { $0.replacing("\"id\":1,", with: "\"id\":1,\"id\":1,") }, "appears twice"),
      ("apps", { $0.replacing("\"id\":1,", with: "\"id\":9223372036854775807,") }, "'id'"),
      ("apps", { $0.replacing("\"id\":1,", with: "") }, "'id' is missing"),
      ("apps", { $0 + first($0) }, "UNIQUE"),
      ("apps", { $0.replacing("\"last_group\":", with: "\"last_group\":-") }, "not assigned"),
      ("groups", { $0.replacing("\"number\":1,", with: "\"number\":1000,") }, "has not assigned"),
      ("groups", { $0.replacing("\"redirect\":null", with: "\"redirect\":1") }, ""),
      ("groups", { $0.replacing("\"app\":1", with: "\"app\":77") }, "refers to a missing row"),
      ("origins", { $0.replacing("\"parent\":null", with: "\"parent\":1") }, "cycle"),
      ("reports", { $0.replacing("\"position\":0", with: "\"position\":1") }, "does not follow"),
      ("reports", { first($0) }, ""),
      ("submissions", { $0.replacing("\"bytes\":", with: "\"bytes\":28823037615171174") }, ""),
      ("counters", { $0.replacing("\"day\":19675", with: "\"day\":99999999999") }, "'day'"),
      ("counters", { $0.replacing("}", with: "") }, "JSON"),
      ("counters", { _ in "\n\n\n" }, "row 1"),
      ("counters", { _ in "[]\n" }, "row 1"),
      ("debug_files", { $0.replacing("\"digest\":\"", with: "\"digest\":\"00") }, ""),
      ("debug_files", { $0.replacing("\"digest\":\"", with: "\"digest\":\"xx") }, "'digest'"),
    ]
    for (index, (table, change, words)) in cases.enumerated() {
      let path = try changing(table, members, change)
      do {
        _ = try restore(path, to: "bad\(index)")
        Issue.record("\(table), case \(index), was taken")
      } catch {
        #expect("\(error)".contains(words), "\(table), case \(index): \(error)")
        #expect(error is LoadError || error is HomeArchiveError, "\(index): \(error)")
      }
      #expect(try fixture.folder.names("").filter { $0.hasPrefix("bad") } == [])
    }
  }

  @Test("An unknown table is refused")
  func unknownTable() throws {
    let members = try fixture.members(fixture.backup())
    let row = Array("{\"a\":1}\n".utf8)
    var changed = members
    changed[0].bytes = Array(
      String(decoding: members[0].bytes, as: UTF8.self).replacing(
        "\"tables\": [",
        with: """
          "tables": [{"name": "sqlite_schema", "rows": 1, "parts": [{"name": "tables/x/1", \
          "bytes": \(row.count), "sha256": "\(SHA256.hex(of: ByteView(row)))"}]}
          """
      ).utf8)
    changed.insert(("tables/x/1", row), at: 1)
    #expect(throws: LoadError.unknownTable("sqlite_schema")) { try restore(fixture.pack(changed)) }
  }

  @Test("An export is checked as well before anything of it is imported")
  func hostileImport() throws {
    try fixture.fill()
    var members = try fixture.members(fixture.backup())
    let last = members.count - 1
    members[last].bytes.append(1)
    let other = try CrashStore(opening: fixture.folder.path("other"))
    #expect(throws: LoadError.self) {
      try HomeArchiveReader(fixture.pack(members)).merge(into: other)
    }
    #expect(try other.reports.totals().submissions == 0)
    #expect(try fixture.folder.names("other/caches") == [])
  }
}

import Bytes
import Database
import Glibc
import JSON
import ServerStore
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// One home with all kinds of data: backed up, restored and compared; checked by the doctor,
/// garbage-collected, verified, exported and imported.
@Suite("A home with all kinds of data", .serialized)
struct WholeHomeTests {
  private let home: WholeHome
  private var folder: ScratchFolder { home.folder }

  init() throws { home = try WholeHome() }

  /// Tables that are not in a backup, and why.
  private static let apart: [String: String] = [
    "watched": "files of watched folders are those of this machine",
    "distribution_generation": "a count for caches of running servers",
    "tester_mails": "the home that was copied sends them",
    "distribution_news": "what the alerts of this home were told",
    "arrivals": "follows from the debug files",
    "search_columns": "the index is made anew", "search_facts": "the index is made anew",
    "search_incidents": "the index is made anew", "search_messages": "the index is made anew",
    "search_past": "the index is made anew", "search_queue": "the index is made anew",
    "search_set_terms": "the index is made anew", "search_sets": "the index is made anew",
    "search_changed": "the index is made anew", "search_segments": "the index is made anew",
    "search_stale": "the index is made anew", "search_terms": "the index is made anew",
    "group_intake": "how much of the daily limits is used, which a restored home begins anew",
    "server.intake": "compared submission by submission",
    "server.intake_logs": "where submissions lie until they are stored",
    "server.intake_states": "counts of the queue", "server.intake_totals": "figures of this server",
    "server.intake_times": "figures of this server",
    "server.intake_charges": "what submissions still pay to the rate of this server",
    "server.verdicts": "answers to who sent a submission; they end after a day",
    "server.uploads": "uploads that are not finished begin anew",
    "server.browsers": "who is signed in signs in anew",
    "server.sign_in_links": "links that sign in end with the server that made them",
    "server.intake_links": "links for users are of this server",
    "server.saved_searches": "addresses of lists that people keep at this server",
    "server.alerts": "what was sent already", "server.alert_deliveries": "what was sent already",
    "server.alert_subjects": "what was sent already", "server.alert_marks": "what was sent already",
    "server.alert_app_marks": "what was sent already",
    "server.server_settings": "set anew by `serve --server-url`",
  ]

  /// Columns that are not in a backup, and why.
  private static let columnsApart: Set<String> = [
    // The keys that sign alerts are secrets, and their receivers know the old ones.
    "server.alert_targets.secret",
    // The progress of a rule on this server.
    "server.alert_rules.mark", "server.alert_rules.more", "server.alert_rules.sent",
    "server.alert_rules.problem",
  ]

  private func rows(_ content: HomeContent, _ table: String) -> [String] {
    let apart = Self.columnsApart.filter { $0.hasPrefix(table + ".") }
      .map { String($0.dropFirst(table.count + 1)) }
    guard !apart.isEmpty else { return content.rows[table] ?? [] }
    return (content.rows[table] ?? []).map { row in
      row.split(separator: " ").filter { part in
        !apart.contains { part.hasPrefix($0 + "=") }
      }.joined(separator: " ")
    }
  }

  @Test("Every table has rows, and every digest is there, or missing where it may be")
  func complete() throws {
    let content = try HomeContent(of: home.path)
    for table in content.columns.keys.sorted() where Self.apart[table] == nil {
      #expect(
        content.rows[table]?.isEmpty == false,
        "the home of this test fills table \(table) nowhere: a backup of it is untested")
      for column in content.columns[table] ?? [] where column.type == "BLOB" {
        let name = "\(table).\(column.name)"
        #expect(content.filled.contains(name), "\(name) has no value anywhere")
        if !column.isRequired {
          #expect(content.nulls.contains(name), "\(name) may be NULL, and is nowhere")
        }
      }
    }
    for table in Self.apart.keys { #expect(content.columns[table] != nil, "\(table) is missing") }
  }

  @Test("Backed up and restored, it is the same, table by table and content by content")
  func restored() throws {
    let file = folder.path("all.tar.zst")
    let backup = Run(["backup", file, "--home", home.path])
    try #require(backup.status == 0, "\(backup.errors)")
    #expect(
      backup.errors.contains("1 waiting submission, 3 quarantined submissions"), "\(backup.errors)")
    let copy = folder.path("copy")
    let restore = Run(["restore", file, "--home", copy])
    try #require(restore.status == 0, "\(restore.errors)")
    let (before, after) = try (HomeContent(of: home.path), HomeContent(of: copy))
    #expect(before.columns.keys.sorted() == after.columns.keys.sorted())
    for table in before.columns.keys.sorted() where Self.apart[table] == nil {
      #expect(rows(before, table) == rows(after, table), "\(table)")
    }
    #expect(before.contents.count > 50)
    // Unreferenced contents are not included.
    #expect(Run(["gc", "--grace", "0", "--home", home.path]).status == 0)
    let swept = try HomeContent(of: home.path).contents
    #expect(swept.keys.sorted() == after.contents.keys.sorted())
    for (name, bytes) in swept { #expect(after.contents[name] == bytes, "\(name)") }
    let (here, there) = try (queued(home.path), queued(copy))
    #expect(here.submissions == there.submissions && here.submissions.count == 4)
    #expect(here.bodies == there.bodies)
    #expect(folder.content("home/scrub.conf") == folder.content("copy/scrub.conf"))
    let again = folder.path("again.tar.zst")
    #expect(Run(["backup", again, "--home", copy]).status == 0)
    #expect(folder.content("again.tar.zst") == folder.content("all.tar.zst"))
  }

  /// The submissions that are not stored, with their bodies.
  private func queued(
    _ home: String
  ) throws -> (submissions: [ArchivedSubmission], bodies: [[UInt8]]) {
    var queued: (submissions: [ArchivedSubmission], bodies: [[UInt8]]) = ([], [])
    try IntakeQueue(in: ServerStore(opening: home)).forEachQueued { submission, body in
      queued.submissions.append(submission)
      queued.bodies.append(body.array)
    }
    return queued
  }

  @Test("The doctor, gc, verify, export, import and stats find nothing wrong with it or its copy")
  func operations() throws {
    let file = folder.path("all.tar.zst")
    #expect(Run(["backup", file, "--home", home.path]).status == 0)
    let copy = folder.path("copy")
    #expect(Run(["restore", file, "--home", copy]).status == 0)
    for place in [home.path, copy] {
      let doctor = Run(["doctor", "--json", "--home", place])
      for finding in doctor.json.array ?? [] where finding["check"]?.string != "queue" {
        #expect(finding["verdict"]?.string != "failed", "\(finding)")
      }
      #expect(
        doctor.json.array?.contains { $0["check"]?.string == "contents" } == true)
      #expect(Run(["stats", "--ledger", "--home", place]).status == 0)
      #expect(Run(["gc", "--grace", "0", "--home", place]).status == 0)
      let verify = Run(["verify", "--all", "--home", place])
      #expect(!verify.errors.contains("missing"), "\(verify.errors)")
      #expect(Run(["backup", file, "--force", "--home", place]).status == 0)
      let export = Run(["export", "app:Tern", "-o", folder.path("e"), "--force", "--home", place])
      #expect(export.status == 0, "\(export.errors)")
      let other = folder.path("other")
      #expect(Run(["import", folder.path("e"), "--home", other]).status == 0)
      let imported = Run(["import", file, "--home", other])
      #expect(imported.status == 0, "\(imported.errors)")
      #expect(Run(["backup", file, "--force", "--home", other]).status == 0)
    }
  }

  @Test("The doctor names files that are missing or cut off")
  func missing() throws {
    let blobs = home.path + "/blobs"
    var victims: [String] = []
    for folder in try FolderListing.names(in: blobs).sorted() where folder.count == 2 {
      for name in try FolderListing.names(in: "\(blobs)/\(folder)") {
        victims.append("\(blobs)/\(folder)/\(name)")
      }
    }
    let release = try #require(
      Run(["releases", "files", "--app", "Tern", "--json", "--home", home.path]).json.array?
        .first { $0["file_name"]?.string == "Tern.zip" })
    let digest = try #require(release["sha256"]?.string)
    let file = try #require(victims.first { $0.hasSuffix(digest) })
    #expect(unlink(file) == 0)
    let other = try #require(victims.first { !$0.hasSuffix(".zst") && $0 != file })
    #expect(truncate(other, 3) == 0)
    let doctor = Run(["doctor", "--json", "--home", home.path])
    #expect(doctor.status == 1)
    let found = try #require(
      doctor.json.array?.first { $0["check"]?.string == "contents" })
    #expect(found["verdict"]?.string == "failed")
    let text = found["text"]?.string ?? ""
    #expect(text.hasPrefix("2 of "), "\(text)")
    #expect(text.contains("release file Tern.zip of Tern"), "\(text)")
    #expect(found["remedy"]?.string?.contains("backup") == true)
    // The backup reports which, too, and is not written.
    let backup = Run(["backup", folder.path("b"), "--home", home.path])
    #expect(backup.status == 1 && access(folder.path("b"), F_OK) != 0)
  }
}

import CrashModel
import CrashStore
import HTTP
import ReportDocument
import ServerStore
import TestSupport
import Testing

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

@Suite("The page that erases a person") struct ErasurePageTests {
  private let folder = ScratchFolder()
  private static let page = "/server/erasure"

  private func visit(_ role: Account.Role = .admin, app: String? = nil) throws -> PageVisit {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let visit = try PageVisit(home: home)
    try visit.signIn("ann", role, app: app)
    return visit
  }

  @Test("It counts first, erases only when that is confirmed, and notes it without the name")
  func walk() throws {
    let visit = try visit()
    let store = visit.context.store
    let install = try #require(
      try store.reports.list(ReportQuery()).items.lazy
        .compactMap { try? store.reports.get($0.id).stored().report.install }.first)
    let before = try store.reports.totals().reports
    #expect(visit.get(Self.page).status == 200)
    let fields = [("kind", "install"), ("id", install)]
    let preview = try visit.send(Self.page, from: Self.page, fields)
    #expect(preview.status == 200 && preview.text.contains("Would be erased"))
    #expect(preview.text.contains("name=\"confirm\" value=\"yes\""))
    #expect(try store.reports.totals().reports == before)
    let asked = try visit.context.local.erase(.install(install), isDry: true)
    #expect(asked.stored.reports > 0)
    #expect(preview.text.contains(">\(asked.stored.reports)</td>"))
    let erased = try visit.send(Self.page, from: Self.page, fields + [("confirm", "yes")])
    #expect(erased.status == 200 && erased.text.contains("Erased."))
    // The id is not in the form any more, from which it could be sent again.
    #expect(!erased.text.contains(install))
    #expect(try store.reports.totals().reports == before - asked.stored.reports)
    let entry = try #require(try visit.context.audit.latest(1).first?.entry)
    #expect(entry.action == "erase" && entry.label == "ann")
    #expect(entry.subject.hasPrefix("installation ") && !entry.subject.contains(install))
    let again = try visit.send(Self.page, from: Self.page, fields)
    #expect(again.text.contains("Nothing is stored of the installation"))
  }

  @Test("An id is escaped, and one that is missing refused")
  func wrong() throws {
    let visit = try visit()
    let odd = try visit.send(
      Self.page, from: Self.page, [("kind", "user"), ("id", "<b>\"jo\"</b>")])
    #expect(odd.status == 200 && odd.text.contains("&lt;b&gt;") && !odd.text.contains("<b>\""))
    for fields in [[("kind", "user"), ("id", " ")], [("kind", "else"), ("id", "x")], []] {
      #expect(try visit.send(Self.page, from: Self.page, fields).status == 400)
    }
  }

  @Test(
    "Only an admin of all apps erases, and only with the page's own form",
    arguments: [(Account.Role.triage, nil), (.viewer, nil), (.admin, "Tern")]
      as [(
        Account.Role, String?
      )])
  func others(role: Account.Role, app: String?) throws {
    let visit = try visit(role, app: app)
    #expect(visit.get(Self.page).status == 403)
    let refused = try visit.send(
      Self.page, from: "/account", [("kind", "user"), ("id", "x"), ("confirm", "yes")])
    #expect(refused.status == 403)
    #expect(visit.post(Self.page, [("kind", "user"), ("id", "x")]).status == 403)
  }
}

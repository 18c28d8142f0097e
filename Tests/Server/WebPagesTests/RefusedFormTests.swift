import Bytes
import CrashStore
import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing
import TriageModel

@testable import CrashService
@testable import ServerCore
@testable import WebPages

/// A mistake in a form leads back to its page, with the reason and what was typed.
@Suite("Refused forms") struct RefusedFormTests {
  private let folder = ScratchFolder()

  /// A group of Tern with two reports, where an admin is signed in.
  private func visit() throws -> PageVisit {
    let visit = try PageVisit(home: folder.path("home"))
    for name in ["k1", "k2"] {
      try StoredReports.add(StoredReports.report("k"), named: name, to: visit.context.store)
    }
    try visit.signIn("ann", .admin)
    return visit
  }

  struct Form: CustomTestStringConvertible {
    let path: String
    /// Its page.
    let page: String
    let fields: [(String, String)]
    let status: Int
    /// The texts of the page: the reason, and what was typed or chosen.
    let texts: [String]
    var testDescription: String { "\(path) \(fields)" }
  }

  @Test(
    "The page of the form is shown again with what was typed",
    arguments: [
      Form(
        path: "/server/scrubbing", page: "/server/scrubbing",
        fields: [
          ("rules", "[scrub]\nuse = <mine>"), ("sample", String(repeating: "x", count: 65_537)),
          ("do", "preview"),
        ],
        status: 400, texts: ["at most 64 KiB", "use = &lt;mine&gt;</textarea>", "xxx</textarea>"]),
      Form(
        path: "/server/scrubbing", page: "/server/scrubbing",
        fields: [("rules", "[scrub]\nuse = secrets\n"), ("sample", "a b"), ("do", "burn")],
        status: 404, texts: ["unknown action", "use = secrets\n</textarea>", "a b</textarea>"]),
      Form(
        path: "/apps/Tern/configuration", page: "/apps/Tern/configuration",
        fields: [
          ("document", configuration), ("note", long), ("follows", "yes"), ("do", "publish"),
        ],
        status: 400, texts: ["note", "https://example.org/tern&quot;", "value=\"yes\" checked"]),
      Form(
        path: "/apps/Tern/configuration", page: "/apps/Tern/configuration",
        fields: [("number", "7"), ("do", "rollback")], status: 404, texts: ["name=\"document\""]),
      Form(
        path: "/groups/TERN-1/split", page: "/groups/TERN-1/split",
        fields: [("where", "version:2.* nofield:<1>")], status: 400,
        texts: ["nofield", "name=\"where\" value=\"version:2.* nofield:&lt;1&gt;\""]),
      Form(
        path: "/groups/TERN-1/split", page: "/groups/TERN-1/split", fields: [], status: 400,
        texts: ["enter which reports to split off", "<h1>Split TERN-1</h1>"]),
      Form(
        path: "/groups/TERN-1/ticket", page: "/groups/TERN-1",
        fields: [("url", "no \"address\""), ("closed", "1")], status: 400,
        texts: ["is not the address", "value=\"no &quot;address&quot;\"", "value=\"1\" checked"]),
      Form(
        path: "/searches", page: "/",
        fields: [("save", String(repeating: "n", count: 500)), ("back", "/?q=is%3Anew")],
        status: 400, texts: ["cannot be a name", "name=\"save\" value=\"nnn", "value=\"is:new\""]),
      Form(
        path: "/apps/Tern/tracker", page: "/apps/Tern",
        fields: [("kind", "jira"), ("url", "https://jira.example.org/T"), ("reports", "many")],
        status: 400,
        texts: [
          "&#39;many&#39; is not a number", "name=\"url\" value=\"https://jira.example.org/T\"",
          "value=\"jira\" selected", "value=\"many\"",
        ]),
      Form(
        path: "/apps/Tern/distribution-groups", page: "/apps/Tern/testers",
        fields: [("name", "Collaborators"), ("public", "on")], status: 409,
        texts: ["value=\"Collaborators\"", "name=\"public\" value=\"on\" checked"]),
      Form(
        path: "/apps/Tern/testers/nobody", page: "/apps/Tern/testers", fields: [("do", "resend")],
        status: 404, texts: ["<h1>Testers of Tern</h1>"]),
      Form(
        path: "/server/erasure", page: "/server/erasure",
        fields: [("kind", "install"), ("id", " ")],
        status: 400, texts: ["needs the id", "value=\"install\" selected"]),
      Form(
        path: "/server/alerts/targets", page: "/server/alerts",
        fields: [
          ("kind", "mail"), ("name", "team"), ("server", "https://mail.example.org"),
          ("sender", "a@example.org"), ("recipients", "b@example.org"), ("user", "u"),
          ("password", "very secret"),
        ], status: 400,
        texts: [
          "name=\"name\" value=\"team\"", "name=\"server\" value=\"https://mail.example.org\"",
          "name=\"recipients\" value=\"b@example.org\"", "name=\"user\" value=\"u\"",
          "name=\"name\" value=\"\"",
        ]),
      Form(
        path: "/server/alerts/rules/9/remove", page: "/server/alerts", fields: [], status: 404,
        texts: ["<h1>Alerts</h1>"]),
      Form(
        path: "/server/tokens/none/revoke", page: "/server/tokens", fields: [], status: 404,
        texts: ["<h1>Tokens</h1>"]),
      Form(
        path: "/server/accounts/ann/role", page: "/server/accounts", fields: [("role", "king")],
        status: 400, texts: ["must be viewer, triage or admin", "<h1>Accounts</h1>"]),
      Form(
        path: "/server/quarantine/7/discard", page: "/server/quarantine", fields: [], status: 404,
        texts: ["<h1>Quarantine</h1>"]),
    ])
  func again(_ form: Form) throws {
    let visit = try visit()
    let answer = try visit.send(form.path, from: form.page, form.fields)
    #expect(answer.status == form.status)
    #expect(answer.text.contains("role=\"alert\">"))
    for text in form.texts { #expect(answer.text.contains(text), "\(text)") }
    #expect(!answer.text.contains("very secret"))
    // The page shows it only once.
    #expect(visit.get(form.page).status == 200)
    #expect(!visit.get(form.page).text.contains("role=\"alert\""))
  }

  private static let configuration = """
    {"appUpdate": {"availableVersion": "2.0", "url": "https://example.org/tern", "type": "recommended",
     "localizedStrings": [{"title": "New", "text": "Here", "options": [{"title": "Go", "isUpdateAction": true}]}]}}
    """
  private static let long = String(repeating: "n", count: 100_000)

  @Test(
    "A query that cannot be read stays in its field",
    arguments: ["/reports?q=", "/groups/TERN-1/reports?q=", "/groups/TERN-1/split?where="])
  func queries(address: String) throws {
    let visit = try visit()
    let answer = visit.get(address + "version:2 nofield:<1>".inAddress)
    #expect(answer.status == 400 && answer.text.contains("role=\"alert\">"))
    #expect(answer.text.contains("value=\"version:2 nofield:&lt;1&gt;\""))
    #expect(answer.text.contains("nofield") && !answer.text.contains("group:TERN-1"))
  }

  @Test("A report or group to compare with that does not exist stays in its field")
  func comparisons() throws {
    let visit = try visit()
    let id = try #require(try visit.context.store.reports.list().first?.id)
    for address in ["/reports/\(id)?against=", "/reports/\(id)/explain?against="] {
      let answer = visit.get(address + "TERN-99")
      #expect(answer.status == 404 && answer.text.contains("role=\"alert\">"), "\(address)")
      #expect(answer.text.contains("name=\"against\" value=\"TERN-99\""), "\(address)")
    }
  }

  // MARK: Forms with files

  private func part(_ name: String, _ text: String, file: String? = nil) -> FormPart {
    FormPart(name: name, fileName: file, contentType: nil, content: .bytes(ByteView(text.utf8)))
  }

  @Test("A release that is refused keeps its notes, recipients and share")
  func upload() throws {
    let visit = try visit()
    let page = "/apps/Tern/upload"
    let token = try #require(visit.get(page).field("form"))
    let fields = [
      part("form", token), part("version", "1.5 <b>"), part("percent", "200"),
      part("group", "Collaborators"), part("mandatory", "yes"), part("notes", "A & B\r\nC"),
    ]
    let none = visit.post(page, parts: fields)
    #expect(none.status == 400 && none.text.contains("choose a file first"))
    let answer = visit.post(page, parts: fields + [part("file", "bytes", file: "tern.zip")])
    #expect(answer.status == 400 && answer.text.contains("enter a number from 0 to 100"))
    for text in [
      "choose it again", "value=\"1.5 &lt;b&gt;\"", "name=\"percent\" value=\"200\"",
      "value=\"Collaborators\" checked", "name=\"mandatory\" value=\"yes\" checked",
      "A &amp; B\nC</textarea>",
    ] { #expect(answer.text.contains(text), "\(text)") }
  }

  @Test("Forms without their file say so on their page")
  func withoutFile() throws {
    let visit = try visit()
    for (page, title) in [
      ("/symbols", "<h1>Missing symbols</h1>"), ("/apps/Tern/files", "<h1>Hand over crash files"),
    ] {
      let token = try #require(visit.get(page).field("form"))
      let answer = visit.post(page, parts: [part("form", token)])
      #expect(answer.status == 400 && answer.text.contains("role=\"alert\">"), "\(page)")
      #expect(answer.text.contains(title), "\(page)")
    }
  }
}

import Bytes
import CrashStore
import Files
import HTTP
import Identifiers
import ServerStore
import TestSupport
import Testing
import Updates

@testable import MaydayCommands
@testable import ServerCore
@testable import WebPages

/// Pages on which releases are added, published and explained.
@Suite("Pages that publish releases") struct ReleasePagesTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role = .admin) throws -> PageVisit {
    let home = folder.path("home")
    let visit = try PageVisit(home: home)
    try visit.context.store.apps.add("Tern", secret: nil)
    let groups = visit.context.store.distribution
    _ = try groups.addGroup("Everyone", isPublic: true, to: "Tern", by: "test")
    _ = try groups.addGroup("Beta <i>", isPublic: false, to: "Tern", by: "test")
    try visit.signIn("ann", role)
    return visit
  }

  /// Sends the form that adds a release.
  private func upload(
    _ visit: PageVisit, _ name: String, _ bytes: ByteView, _ fields: [(String, String)]
  ) throws -> PageVisit.Answer {
    let token = try #require(visit.get("/apps/Tern/upload").field("form"))
    let parts =
      ([("form", token)] + fields).map {
        FormPart(
          name: $0.0, fileName: nil, contentType: nil, content: .bytes(ByteView($0.1.utf8)))
      } + [FormPart(name: "file", fileName: name, contentType: nil, content: .bytes(bytes))]
    return visit.post("/apps/Tern/upload", parts: parts)
  }

  private func artefact(_ name: String) throws -> ByteView {
    try ByteView(mapping: Samples.root + "/Artefacts/" + name)
  }

  @Test("A release is added with its notes, published, and rolled out before that")
  func add() throws {
    let visit = try visit()
    let form = visit.get("/apps/Tern/upload").text
    #expect(form.contains("Beta &lt;i&gt;") && !form.contains("Beta <i>"))
    let answer = try upload(
      visit, "../tern.ipa", artefact("Tern-1.1.0.ipa"),
      [
        ("group", "Everyone"), ("mandatory", "yes"), ("percent", "25"),
        ("notes", "# New\r\n<script>alert(1)</script>"),
      ])
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.text.contains("Tern 1.1.0 (1100) added"))
    #expect(answer.text.contains("published to Everyone."))
    let stored = try #require(
      visit.context.store.distribution.artefacts(of: "Tern", release: nil).first)
    #expect(stored.fileName == "tern.ipa" && stored.notes == "# New\n<script>alert(1)</script>")
    #expect(stored.destinations.map(\.isMandatory) == [true])
    let updates = try #require(visit.context.updates.catalog.apps["Tern"])
    #expect(updates.rollouts[stored.release]?.percent == 25)
    let page = visit.get("/releases/Tern/1.1.0%20(1100)").text
    #expect(page.contains("<h3>New</h3>") && !page.contains("<script>alert"))
    let log = try visit.context.audit.latest(10).map(\.entry.action)
    #expect(Set(log).isSuperset(of: ["add release file", "roll out", "publish release"]))
  }

  @Test("A wrong form adds nothing, and says why")
  func refusals() throws {
    let visit = try visit()
    let file = try artefact("Tern-1.1.0.ipa")
    let long = String(repeating: "a", count: CrashStore.Distribution.notesLimit + 1)
    for (fields, name, words) in [
      ([("group", "Nobody")], "tern.ipa", "no distribution group Nobody"),
      ([("percent", "101")], "tern.ipa", "from 0 to 100"),
      ([("percent", "-1")], "tern.ipa", "from 0 to 100"),
      ([("version", "9.9 (1)")], "tern.ipa", "1.1.0"),
      ([("notes", long)], "tern.ipa", "release notes"),
      ([], "tern.exe", "tern.exe"), ([], "", "file"),
    ] as [([(String, String)], String, String)] {
      let answer = try upload(visit, name, file, fields)
      #expect((400..<500).contains(answer.status), "\(fields)")
      #expect(answer.text.contains(words), "\(fields): \(answer.text)")
    }
    let empty = try upload(visit, "tern.ipa", .empty, [])
    #expect(empty.status == 400 && empty.text.contains("choose a file first"))
    #expect(try visit.context.store.distribution.artefacts(of: "Tern", release: nil).isEmpty)
    #expect(visit.post("/apps/Tern/upload", parts: []).status == 403, "no form token")
    visit.site = "cross-site"
    let foreign = try upload(visit, "tern.ipa", file, [])
    #expect(foreign.status == 403)
    #expect(visit.get("/apps/Nope/upload").status == 404)
  }

  @Test("Viewers may neither add nor publish")
  func roles() throws {
    let visit = try visit(.viewer)
    #expect(visit.get("/apps/Tern/upload").status == 403)
    #expect(visit.post("/apps/Tern/upload", parts: []).status == 403)
    #expect(visit.get("/apps/Tern/check").status == 403)
  }

  @Test("A preview says what clients will be told, and publishing tells them")
  func publish() throws {
    let visit = try visit()
    _ = try upload(visit, "tern.ipa", artefact("Tern-1.0.0.ipa"), [("group", "Everyone")])
    _ = try upload(visit, "tern.ipa", artefact("Tern-1.1.0.ipa"), [])
    let path = "/releases/Tern/1.1.0%20(1100)"
    let fields = [("group", "Everyone"), ("mandatory", "yes"), ("notes", "a *b*")]
    let preview = try visit.send(path + "/files/2", from: path, fields + [("do", "preview")])
    #expect(preview.status == 200 && preview.text.contains("<p>a <em>b</em></p>"))
    #expect(preview.text.contains("1.0.0 (1000)"))
    #expect(preview.text.contains("<b>1.1.0 (1100), mandatory</b>"), "\(preview.text)")
    #expect(preview.text.contains("Testers of Beta &lt;i&gt;"))
    func offered() -> Release? {
      visit.context.updates.catalog.apps["Tern"]?.offers(on: .iOS).first?.release
    }
    #expect(offered()?.version == "1.0.0", "a preview changes nothing")
    let published = try visit.send(path + "/files/2", from: path, fields + [("do", "publish")])
    #expect(published.status == 303)
    #expect(offered()?.version == "1.1.0")
    // No box is ticked: nobody gets it.
    _ = try visit.send(path + "/files/2", from: path, [("notes", "a *b*"), ("do", "publish")])
    #expect(offered()?.version == "1.0.0")
    let unknown = try visit.send(
      path + "/files/2", from: path, [("group", "Nobody"), ("do", "publish")])
    #expect(unknown.status == 404 && unknown.text.contains("no distribution group Nobody"))
    #expect(try visit.send(path + "/files/9", from: path, [("do", "preview")]).status == 404)
  }

  @Test("A page explains what a client is offered")
  func check() throws {
    let visit = try visit()
    #expect(visit.get("/apps/Tern/check").text.contains("no release files yet"))
    _ = try upload(visit, "tern.ipa", artefact("Tern-1.1.0.ipa"), [("group", "Everyone")])
    let answer = visit.get("/apps/Tern/check?version=1.0.0+(1000)&system=16&tester=&group=")
    #expect(answer.text.contains("The client offers 1.1.0 (1100) to its user."), "\(answer.text)")
    let old = visit.get("/apps/Tern/check?version=1.0.0&system=12.0")
    #expect(old.text.contains("it needs iOS 15.0, and the client has 12.0."))
    #expect(visit.get("/apps/Tern/check?tester=nobody@example.org").status == 404)
    let secret = visit.get("/apps/Tern/check?group=Beta+%3Ci%3E")
    #expect(secret.status == 400 && secret.text.contains("Beta &lt;i&gt; is a private group"))
    #expect(visit.get("/apps/Tern/check?platform=%3Cscript%3E&version=%22%3E%3Cb%3E").status == 200)
    #expect(visit.get("/apps/Nope/check").status == 404)
  }
}

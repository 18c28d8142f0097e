import Bytes
import CrashStore
import Files
import HTTP
import Identifiers
import Rendering
import ServerStore
import TestSupport
import Testing
import Updates

@testable import CrashService
@testable import MaydayCommands
@testable import ProgramSupport
@testable import ServerCore
@testable import WebPages

/// Pages of symbols, releases, apps and their settings.
@Suite("Pages of symbols, releases and settings") struct OperationPagesTests {
  private let folder = ScratchFolder()

  private func visit(_ role: Account.Role = .admin, app: String? = nil) throws -> PageVisit {
    let home = folder.path("home")
    #expect(Run(["ingest", Samples.root + "/Samples/apple-ips", "--home", home]).status == 0)
    let visit = try PageVisit(home: home)
    try visit.signIn("ann", role, app: app)
    return visit
  }

  private func app(_ visit: PageVisit) throws -> AppRecord {
    try #require(try visit.context.store.apps.list().first)
  }

  @Test(
    "Each release lists its missing debug files, and the stored files can be searched")
  func symbols() throws {
    let visit = try visit()
    let missing = try visit.context.store.debugFiles.missing(of: nil, app: nil, limit: nil).images
    #expect(missing.contains { $0.isOwn })
    let list = visit.get("/symbols").text
    #expect(
      list.contains(" --server http://127.0.0.1:8080") && list.contains("href=\"/releases/Tern/"))
    #expect(
      !list.contains("mayday symbols add") && list.contains("href=\"/?status=all&amp;q=image"))
    for from in ["1", "-1", "99999999999999999999", "9223372036854775807", "x"] {
      #expect(visit.get("/symbols?from=" + from).status == 200, "\(from)")
    }
    let all = try visit.context.store.debugFiles.missing(of: nil, app: nil, limit: nil)
    let counted = PageText.count(all.total, "image", "images")
    #expect(visit.get("/symbols?from=1").text.contains(" of \(counted)."))
    let before = visit.get("/symbols/releases")
    #expect(before.status == 200 && before.text.contains("missing:"))
    #expect(visit.get("/symbols/stored").text.contains("No debug files have been uploaded yet"))
    let home = visit.context.store.home
    let symbols = Samples.root + "/Symbols/apple"
    #expect(Run(["symbols", "add", symbols, "--home", home]).status == 0)
    let files = try visit.context.store.debugFiles.list()
    let stored = visit.get("/symbols/stored")
    #expect(stored.text.contains("of \(files.count) debug files"))
    let id = try #require(files.first).debugID
    let found = visit.get("/symbols/stored?q=" + id.description.inAddress)
    let count = files.count { $0.debugID == id }
    #expect(found.text.contains("\(count) of \(files.count) debug files"))
    #expect(visit.get("/symbols/stored?q=%22%3E%3Cb%3E").text.contains("has this name or id"))
    for from in ["-1", "99999999999999999999", "9223372036854775807", "x"] {
      #expect(visit.get("/symbols/stored?from=" + from).status == 200)
    }
  }

  @Test("Missing symbols are listed under their releases, of one app or release, page by page")
  func missingSymbols() throws {
    let visit = try visit()
    let home = visit.context.store.home
    #expect(Run(["ingest", Samples.root + "/Samples/minidump", "--home", home]).status == 0)
    let store = visit.context.store
    let apps = try store.apps.list().map(\.name)
    let (images, total) = try store.debugFiles.missing(of: nil, app: nil, limit: nil)
    #expect(total > 25)
    func count(_ page: PageVisit.Answer) -> Int {
      page.text.split(separator: "<summary>How to get it").count - 1
    }
    let first = visit.get("/symbols")
    #expect(count(first) == 25 && first.text.contains("25 of \(total) images."))
    #expect(first.text.contains("rel=\"next\" href=\"/symbols?from=25\""))
    #expect(!first.text.contains("rel=\"prev\""))
    let last = visit.get("/symbols?from=\(total - 3)")
    #expect(count(last) == 3 && last.text.contains("rel=\"prev\""))
    #expect(!last.text.contains("rel=\"next\""))
    for app in apps {
      let page = visit.get("/symbols?app=\(app.inAddress)")
      let own = try store.debugFiles.missing(of: nil, app: app, limit: nil)
      #expect(count(page) == min(25, own.total))
      #expect(page.text.contains("<option selected>\(app)</option>"))
      // Other apps stand in the menu, and nowhere else.
      for other in apps where other != app {
        #expect(!page.text.contains("<h2><a href=\"/releases/\(other.inAddress)/"))
      }
    }
    let image = try #require(images.first { $0.builds.count == 1 })
    let build = try #require(image.builds.first)
    let one = visit.get(
      "/symbols?app=\(build.app.inAddress)&release=\(build.release.name.inAddress)")
    let title: HTML = "\(build.app) \(build.release.name)</a></h2>"
    #expect(one.text.contains(title.markup) && one.text.contains(image.name))
    #expect(one.text.split(separator: "<section class=\"releases\">").count == 2)
    #expect(visit.get("/symbols?app=Ternn").status == 404)
    #expect(visit.get("/symbols?app=Ternn").text.contains("did you mean &#39;Tern&#39;?"))
    #expect(visit.get("/symbols?app=Tern&release=%22%3E%3Cb%3E").status == 200)
    let limited = visit.another()
    try limited.signIn("bob", .viewer, app: "Tern")
    #expect(limited.get("/symbols").text.contains("<option>Tern</option>"))
    #expect(limited.get("/symbols?app=Other").status == 404)
  }

  @Test("The page of an app has an address or a command for each protocol that the server speaks")
  func connecting() throws {
    let visit = try visit()
    let app = try app(visit)
    let server = "http://127.0.0.1:8080"
    let without = visit.get("/apps/Tern").text
    for text in [
      "\(server)/api/v1/reports", "\(server)/minidump?key=\(app.intakeKey)",
      "\(server)/submit?key=\(app.intakeKey)", "\(server)/api/v1/sessions",
      "mayday upload build/ --server \(server)", "\(server)/config/Tern/VERSION.json",
      "mayday releases add FILE --app &#39;Tern&#39; --server \(server)",
    ] {
      #expect(without.contains(text), "\(text)")
    }
    #expect(without.contains("need a secret") && !without.contains("/v0.1/public/sparkle"))
    _ = try visit.send("/apps/Tern/secret", from: "/apps/Tern")
    let secret = try #require(try self.app(visit).secrets.first)
    let with = visit.get("/apps/Tern").text
    #expect(with.contains("\(server)/v0.1/public/sparkle/apps/\(secret)&lt;/string&gt;"))
    #expect(with.contains("Distribute.apiUrl = \"\(server)/v0.1\""))
    // The document of a session is one that the server takes with the key.
    let start = try #require(with.firstRange(of: "-d '"))
    let body = String(with[start.upperBound...].prefix { $0 != "}" } + "}")
    let taken = visit.send("/api/v1/sessions", key: app.intakeKey, body: body)
    #expect(taken.status == 200 && taken.text.contains("\"new\":1"), "\(taken.text)")
  }

  @Test("Files are handed over by users with triage, for their app, with the page's own form")
  func files() throws {
    let visit = try visit(.triage, app: "Tern")
    let page = visit.get("/apps/Tern/files")
    #expect(page.status == 200 && page.text.contains("name=\"attachment\""))
    #expect(visit.get("/apps/Tern").text.contains("href=\"/apps/Tern/files\""))
    #expect(visit.get("/apps/Other/files").status == 404)
    #expect(visit.get("/apps/Tern/files?sent=%22%3E%3Cb%3E:x").text.contains("no such file"))
    visit.site = "cross-site"
    #expect(visit.post("/apps/Tern/files", []).status == 403)
    let viewer = visit.another()
    #expect(viewer.get("/apps/Tern/files").status == 303)
    try viewer.signIn("bob", .viewer)
    #expect(viewer.get("/apps/Tern/files").status == 403)
  }

  @Test("The ledger has its sums, each reason for a refusal in full, and each app")
  func ledger() throws {
    let visit = try visit()
    let accounts = try visit.context.store.ledger.accounts(app: nil)
    let page = visit.get("/server").text
    let received = accounts.reduce(0) { $0 + $1.received.count }
    #expect(
      page.contains(
        "<td role=\"cell\" class=\"number\" data-name=\"Count\">\(PageText.number(received))</td>"))
    for account in accounts {
      let count = PageText.number(account.received.count)
      #expect(page.contains("<span class=\"quiet\">\(count) received"))
    }
    #expect(visit.get("/server?check").text.contains("All sums agree with what is stored."))

    let long = String(repeating: "a long reason & ", count: 20)
    var account = LedgerAccount(app: "Wren <b>")
    account.received = LedgerAmount(count: 2, bytes: 10)
    account.refused = LedgerTotal(
      amount: account.received, parts: [.init(reason: long, amount: account.received)])
    var ledger = Ledger()
    ledger.accounts = [LedgerAccount(), account]
    ledger.faults = [LedgerFault(app: "Wren <b>", what: "stored", ledger: 1, counted: 2)]
    let shown = LedgerView(ledger: ledger, isChecked: true).content.markup
    #expect(shown.contains(String(repeating: "a long reason &amp; ", count: 20)))
    #expect(shown.contains("no app named") && shown.contains("role=\"alert\""))
    #expect(shown.contains("Wren &lt;b&gt;") && !shown.contains("<b>stored"))
    #expect(LedgerView(ledger: Ledger(), isChecked: false).content.markup.contains("Nothing has"))
  }

  @Test("The page of a release has its notes, and what keeps clients from its files")
  func releaseFiles() throws {
    let visit = try visit()
    let name = try app(visit).name
    let distribution = visit.context.store.distribution
    for (version, build) in [("9.0.0", "90"), ("8.9-<b>", "89")] {
      var package = AppPackage(.ipa)
      (package.version, package.build) = (version, build)
      let artefact = try distribution.add(
        ByteView(version.utf8), named: "tern.ipa", package: package, to: name, by: "ci")
      try distribution.edit(
        artefact.number, of: name, .init(notes: "Nest & egg:\n- one\n- two"), by: "ci")
      try distribution.publish(
        artefact.number, of: name,
        to: [
          .init(.group, id: distribution.group("Collaborators", of: name).id, isMandatory: false)
        ],
        by: "ci")
    }
    let place = "/releases/" + name.inAddress + "/"
    let higher = visit.get(place + "9.0.0%20(90)").text
    #expect(higher.contains("<p>Nest &amp; egg:</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>"))
    #expect(!higher.contains("role=\"note\""))
    let lower = visit.get(place + "8.9-%3Cb%3E%20(89)").text
    #expect(lower.contains("8.9-&lt;b&gt; (89): it was added after 9.0.0 (90)"))
    #expect(lower.contains("takes it for older") && !lower.contains("8.9-<b>"))
  }

  @Test("The page of a remote configuration that follows releases has the version on offer")
  func followedReleases() throws {
    let visit = try visit()
    let name = try app(visit).name
    let store = visit.context.store
    let document = """
      {"appUpdate": {"availableVersion": "2.0", "url": "https://example.org", "type": "ignore"}}
      """
    try store.remoteConfigurations.publish(
      RemoteConfiguration(document.utf8), of: name, followsReleases: true, by: "ann")
    let place = "/apps/" + name.inAddress + "/configuration"
    #expect(!visit.get(place).text.contains("clients are offered"), "there is no public release")
    var package = AppPackage(.ipa)
    (package.version, package.build) = ("9.0.0", "90")
    let artefact = try store.distribution.add(
      ByteView("ipa".utf8), named: "tern.ipa", package: package, to: name, by: "ci")
    let open = try store.distribution.addGroup("Everyone", isPublic: true, to: name, by: "ann")
    try store.distribution.publish(
      artefact.number, of: name, to: [.init(.group, id: open.id, isMandatory: false)], by: "ci")
    #expect(visit.get(place).text.contains("clients are offered version <b>9.0.0</b>"))
  }

  @Test("An account of one app does not see debug files that belong to no app")
  func foreignFiles() throws {
    let whole = try visit()
    let name = try app(whole).name
    let other = whole.another()
    try other.signIn("bob", .admin, app: name)
    #expect(other.get("/symbols/stored").status != 200)
    #expect(!other.get("/symbols").text.contains("/symbols/stored"))
    #expect(other.get("/apps/" + name.inAddress).status == 200)
    #expect(other.get("/apps/Nobody").status == 404)
    #expect(other.get("/releases/Nobody/1.0").status == 404)
    #expect(other.get("/server/scrubbing").status == 403)
  }

  @Test("A form sets and resets the order of releases")
  func order() throws {
    let visit = try visit(.triage)
    let name = try app(visit).name
    let place = "/releases/" + name.inAddress
    let releases = try visit.context.store.releases.list(of: name)
    let reversed = releases.reversed().map(\.release.name).joined(separator: "\r\n")
    #expect(try visit.send(place, from: "/releases", [("releases", reversed)]).status == 303)
    #expect(
      try visit.context.store.releases.list(of: name).map(\.release)
        == releases.reversed().map(\.release))
    #expect(visit.get("/releases").text.contains("Order (set manually)"))
    #expect(try visit.send(place, from: "/releases", [("do", "number")]).status == 303)
    #expect(
      try visit.context.store.releases.list(of: name).map(\.release) == releases.map(\.release))
    #expect(try visit.send(place, from: "/releases", [("releases", " \n")]).status == 400)
    let one = visit.get("/releases?app=" + name.inAddress)
    #expect(one.text.split(separator: "<section class=\"releases\">").count == 2)
    #expect(visit.get("/releases?app=Nobody").status == 404)
    #expect(
      try visit.send("/releases/Nobody", from: "/releases", [("releases", "1")]).status == 404)
  }

  @Test("A release shows its figures; forms change its roll-out")
  func release() throws {
    let visit = try visit()
    let home = visit.context.store.home
    let artefact = Samples.root + "/Artefacts/Tern-1.1.0.ipa"
    #expect(Run(["releases", "add", artefact, "--app", "Tern", "--home", home]).status == 0)
    let place = "/releases/Tern/" + "1.1.0 (1100)".inAddress
    let page = visit.get(place)
    #expect(page.status == 200 && page.text.contains("Tern-1.1.0.ipa"))
    #expect(!page.text.contains("<h2>Downloads") && !page.text.contains("/install/apps/"))
    let distribution = visit.context.store.distribution
    let group = try distribution.addGroup("Nest <b>", isPublic: true, to: "Tern", by: "ann")
    _ = try distribution.publish(
      1, of: "Tern", to: [Artefact.Destination(.group, id: group.id, isMandatory: false)], by: "ann"
    )
    try distribution.countDownloads(of: 1, app: "Tern", group: group.id, by: 1_234, at: .now)
    try distribution.countInstall(of: 1, app: "Tern", install: "phone", group: "")
    let counted = visit.get(place).text
    #expect(counted.contains("<h2>Downloads <span class=\"quiet\">1,234</span>"))
    #expect(counted.contains("Nest &lt;b&gt;") && counted.contains("no group"))
    #expect(counted.contains("href=\"/install/apps/Tern\""))
    #expect(
      try visit.send(place + "/rollout", from: place, [("do", "share"), ("percent", "25")]).location
        == place)
    #expect(visit.get(place).text.contains("offered to 25 %"))
    #expect(try visit.send(place + "/rollout", from: place, [("do", "pause")]).status == 303)
    #expect(visit.get(place).text.contains("offered to 25 %, paused"))
    for percent in ["-1", "101", "", "9223372036854775808", "x"] {
      let answer = try visit.send(
        place + "/rollout", from: place, [("do", "share"), ("percent", percent)])
      #expect(answer.status == 400, "\(percent)")
    }
    #expect(try visit.send(place + "/files/1", from: place, [("do", "disable")]).status == 303)
    #expect(visit.get(place).text.contains("disabled"))
    #expect(try visit.send(place + "/files/99", from: place, [("do", "enable")]).status == 404)
  }

  @Test("The numbers of a release lead to its own groups, not to those of other apps")
  func releaseOfOneApp() throws {
    let visit = try visit()
    let home = visit.context.store.home
    let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")
    #expect(Run(["ingest", sample, "--app", "Wren", "--home", home]).status == 0)
    let record = try #require(try visit.context.store.releases.list(of: "Wren").first)
    let page = visit.get(ReleasesView.path("Wren", record.release)).text
    let link = try #require(page.firstRange(of: "<b>1</b><a href=\""))
    let address = String(page[link.upperBound...].prefix { $0 != "\"" })
      .replacing("&amp;", with: "&")
    let list = visit.get(address).text
    #expect(list.contains(">1 of 1 group"))
    #expect(list.contains("app:Wren"))
  }

  @Test("Retention limits show what they would delete before they are saved")
  func retention() throws {
    let visit = try visit()
    let app = try app(visit)
    let place = "/apps/" + app.name.inAddress
    let fields = [("days", ""), ("bytes", "10GB"), ("per-group", "1")]
    let preview = try visit.send(
      place + "/retention", from: place, fields + [("do", "preview")])
    let expected = try visit.context.store.retention.expiring(
      Retention(bytes: 10_000_000_000, perGroup: 1), of: app.name, at: .now
    ).reduce(0) { $0 + $1.reports }
    #expect(preview.text.contains("<b>\(GroupCount.reports(expected))</b>"))
    #expect(try self.app(visit).retention.isUnlimited)
    #expect(
      try visit.send(place + "/retention", from: place, fields + [("do", "save")]).status == 303)
    #expect(try self.app(visit).retention == Retention(bytes: 10_000_000_000, perGroup: 1))
    #expect(visit.get("/server/retention").text.contains("10.0 GB"))
    for wrong in [("days", "-1"), ("days", "9223372036854775808"), ("bytes", "lots")] {
      let answer = try visit.send(place + "/retention", from: place, [wrong, ("do", "save")])
      #expect(answer.status == 400, "\(wrong)")
    }
    let settings = [("prefix", "TILL"), ("link", "off"), ("known-fix", "require")]
    #expect(try visit.send(place + "/settings", from: place, settings).status == 303)
    #expect(try self.app(visit).prefix == "TILL")
    #expect(try visit.send("/apps", from: "/apps", [("name", "Wren")]).location == "/apps/Wren")
    let wren = try #require(try visit.context.store.apps.list().first { $0.name == "Wren" })
    let secret = try #require(wren.secrets.first)
    #expect(secret.count == 36 && secret.split(separator: "-").map(\.count) == [8, 4, 4, 4, 12])
    let page = visit.get("/apps/Wren").text
    for line in [
      "AppCenter.start(withAppSecret: \"\(secret)\", services: [Crashes.self])",
      "AppCenter.start(application, \"\(secret)\", Crashes::class.java)",
      "AppCenter.Start(\"\(secret)\", typeof(Crashes));",
    ] { #expect(page.contains(line), "\(line)") }
    #expect(try visit.send("/apps", from: "/apps", [("name", "Wren")]).status == 409)
    #expect(try visit.send("/apps/Wren/secret", from: "/apps/Wren").status == 409)
    #expect(try visit.send("/apps", from: "/apps", [("name", " ")]).status == 400)
    #expect(app.secrets.isEmpty && visit.get(place).text.contains("Create secret"))
    #expect(try visit.send(place + "/secret", from: place).location == place)
    #expect(try self.app(visit).secrets.count == 1)
    let viewer = visit.another()
    try viewer.signIn("tim", .triage)
    #expect(!viewer.get("/apps").text.contains("Add app"))
    #expect(try viewer.send("/apps/Wren/secret", from: "/account").status == 403)
  }

  @Test("A remote configuration is checked, previewed, published and restored")
  func configuration() throws {
    let visit = try visit()
    let place = "/apps/" + (try app(visit).name).inAddress + "/configuration"
    let document = """
      {"appUpdate": {"availableVersion": "2.0", "url": "https://example.org/<tern>", "type": "recommended",
       "localizedStrings": [{"title": "New & <b>", "text": "Here", "options": [{"title": "Go", "isUpdateAction": true}]}]}}
      """
    let wrong = try visit.send(place, from: place, [("document", document), ("do", "check")])
    #expect(wrong.status == 200 && wrong.text.contains("appUpdate.url"))
    #expect(
      try visit.send(place, from: place, [("document", document), ("do", "publish")]).status == 400)
    let right = document.replacing("<tern>", with: "tern")
    let sent = right.replacing("\n", with: "\r\n")
    let checked = try visit.send(place, from: place, [("document", sent), ("do", "check")])
    #expect(checked.status == 200 && checked.text.contains("New &amp; &lt;b&gt;"))
    #expect(visit.get(place).text.contains("No document is published yet"))
    #expect(
      try visit.send(place, from: place, [("document", sent), ("do", "publish")]).location == place)
    let name = try app(visit).name
    #expect(try visit.context.store.remoteConfigurations.get(nil, of: name).text == right)
    let second = right.replacing("2.0", with: "2.1")
    _ = try visit.send(place, from: place, [("document", second), ("do", "publish")])
    _ = try visit.send(place, from: place, [("number", "1"), ("do", "rollback")])
    #expect(try visit.context.store.remoteConfigurations.get(nil, of: name).text == right)
    #expect(
      try visit.send(place, from: place, [("number", "77"), ("do", "rollback")]).status == 404)
    let viewer = visit.another()
    try viewer.signIn("vic", .viewer)
    #expect(viewer.get(place).status == 200)
    #expect(
      try viewer.send(place, from: "/account", [("document", right), ("do", "publish")]).status
        == 403)
  }

  @Test("Scrubbing rules are previewed on a text, and invalid ones are not saved")
  func scrubbing() throws {
    let visit = try visit()
    let place = "/server/scrubbing"
    let file = visit.context.store.home + "/scrub.conf"
    let rules = "[scrub]\r\nuse = email\r\n[patterns]\r\ncustomer = \\bK-\\d{8}\\b\r\n"
    let sample = "jo@example.org bought K-12345678 <b>"
    let preview = try visit.send(
      place, from: place, [("rules", rules), ("sample", sample), ("do", "preview")])
    #expect(preview.text.contains("[email] bought [customer] &lt;b&gt;"))
    #expect(throws: FileError.self) { try ByteView(reading: file, limit: 1 << 20) }
    let wrong = try visit.send(
      place, from: place, [("rules", "[patterns]\nx = ("), ("do", "save")])
    #expect(wrong.status == 400 && wrong.text.contains("line 2"))
    #expect(throws: FileError.self) { try ByteView(reading: file, limit: 1 << 20) }
    #expect(try visit.send(place, from: place, [("rules", rules), ("do", "save")]).status == 303)
    #expect(try ByteView(reading: file, limit: 1 << 20).text == rules.replacing("\r\n", with: "\n"))
    #expect(visit.get(place).text.contains("customer = \\bK-\\d{8}\\b"))
  }
}

private enum GroupCount {
  static func reports(_ count: Int) -> String { count == 1 ? "1 report" : "\(count) reports" }
}

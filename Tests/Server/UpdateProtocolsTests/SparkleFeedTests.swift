import Bytes
import CrashStore
import HTTP
import Identifiers
import TestSupport
import Testing
import Updates
import XML

@testable import AppPackages
@testable import MaydayCommands
@testable import ProgramSupport
@testable import UpdateProtocols

@Suite("The feed for Sparkle") struct SparkleFeedTests {
  private static let everybody = DistributionGroup(
    id: "p", app: "Tern", name: "Everybody", isPublic: true)
  private static let team = DistributionGroup(id: "t", app: "Tern", name: "Team", isPublic: false)

  private func artefact(
    _ number: Int, _ version: String, kind: ArtefactKind = .appZip, to groups: [DistributionGroup]
  ) -> Artefact {
    var package = AppPackage(kind)
    package.version = version
    package.build = "\(number)00"
    package.minimumOS = "12.0"
    var artefact = Artefact(
      number: number, app: "Tern", release: package.release, package: package,
      fileName: "Tern \(version).app.zip", size: 4711, digest: "", md5: "",
      uploaded: Timestamp(seconds: 1_798_859_045))
    artefact.destinations = groups.map { .init(.group, id: $0.id, isMandatory: false) }
    return artefact
  }

  /// The feed as a generic XML reader sees it.
  private func channel(_ artefacts: [Artefact]) throws -> XMLElement {
    let updates = AppUpdates(
      app: "Tern", artefacts: artefacts, groups: [Self.everybody, Self.team], testers: [], salt: "")
    let text = SparkleFeed(updates, link: "https://a.example/feed").text {
      "https://a.example/files/\($0.number)?a=1&b=2"
    }
    let root = try XMLElement(parsing: ByteView(text.utf8), limits: AppPackageLimits.xml)
    #expect(root.name == "rss" && root.attributes["version"] == "2.0")
    return try #require(root.first("channel"))
  }

  @Test("An item has what Sparkle reads: versions, oldest system, file, length and signatures")
  func item() throws {
    var newest = artefact(2, "1.1.0", to: [Self.everybody])
    newest.edSignature = "c2lnbmF0dXJl"
    newest.destinations[0].isMandatory = true
    let item = try #require(try channel([newest]).first("item"))
    #expect(item.first("title")?.text == "Tern 1.1.0")
    #expect(item.first("pubDate")?.text == "Sat, 02 Jan 2027 03:04:05 +0000")
    #expect(item.first("version")?.text == "200")
    #expect(item.first("shortVersionString")?.text == "1.1.0")
    #expect(item.first("minimumSystemVersion")?.text == "12.0")
    #expect(item.first("criticalUpdate") != nil)
    #expect(item.first("description") == nil)
    #expect(
      item.first("enclosure")?.attributes == [
        "url": "https://a.example/files/2?a=1&b=2", "length": "4711",
        "type": "application/octet-stream", "sparkle:edSignature": "c2lnbmF0dXJl",
      ])
  }

  @Test("It has only public files for macOS, newest first")
  func visible() throws {
    let items = try channel([
      artefact(6, "2.0", to: [Self.team]), artefact(5, "1.5", kind: .ipa, to: [Self.everybody]),
      artefact(4, "1.4", kind: .pkg, to: [Self.everybody]), artefact(3, "1.3", to: []),
      artefact(2, "1.2", kind: .dmg, to: [Self.team, Self.everybody]),
      artefact(1, "1.1", kind: .zip, to: [Self.everybody]),
    ]).children.filter { $0.name == "item" }
    #expect(items.compactMap { $0.first("version")?.text } == ["400", "200", "100"])
    #expect(items[0].first("enclosure")?.attributes["sparkle:installationType"] == "package")
    #expect(try channel([]).children.map(\.name) == ["title", "link", "description"])
  }

  @Test("A partially rolled out release is left out: Sparkle does not identify the client")
  func rollout() throws {
    let artefacts = [
      artefact(2, "1.1.0", to: [Self.everybody]), artefact(1, "1.0", to: [Self.everybody]),
    ]
    var updates = AppUpdates(
      app: "Tern", artefacts: artefacts, groups: [Self.everybody], testers: [], salt: "")
    updates.rollouts[artefacts[0].release] = Rollout(percent: 50)
    let text = SparkleFeed(updates, link: "").text { _ in "" }
    #expect(!text.contains(">200<") && text.contains(">100<"))
  }

  @Test(
    "Notes and names stay text, whatever is in them",
    arguments: [
      "Fixes ]]> <script>alert(1)</script> & more", "]]>", "]]&gt;<![CDATA[",
      "\u{0}\u{1b}[31m \u{fffe}",
      "line\r\nline", "\"'><x/>", "&#27;&#xfffe;&#0;", "[x](javascript:1) ![y](z)",
    ])
  func hostile(text: String) throws {
    var one = artefact(1, text, to: [Self.everybody])
    one.notes = text
    one.edSignature = text
    let item = try #require(try channel([one]).first("item"))
    #expect(
      item.children.map(\.name) == [
        "title", "pubDate", "version", "shortVersionString", "minimumSystemVersion", "description",
        "enclosure",
      ])
    let html = try #require(item.first("description")?.text)
    let tags = html.matches(of: /<[^>]*>/).map(\.0)
    #expect(tags.allSatisfy { ["<p>", "</p>", "<br />"].contains($0) }, "\(html)")
    #expect(html.count { $0 == "<" } == tags.count && html.count { $0 == ">" } == tags.count)
    let allowed: (Unicode.Scalar) -> Bool = {
      $0 == "\n" || $0 == "\t" || $0.value >= 0x20 && $0.value < 0xfffe
    }
    #expect(html.unicodeScalars.allSatisfy(allowed))
    let shown = String(String.UnicodeScalarView(text.unicodeScalars.filter { $0 != "\r" }))
    if text.unicodeScalars.allSatisfy({ allowed($0) || $0 == "\r" }) {
      #expect(item.first("shortVersionString")?.text == shown)
      #expect(item.first("enclosure")?.attributes["sparkle:edSignature"] == shown)
    }
  }

  @Test("A server returns the feed of a secret's app, and 404 for an unknown one")
  func served() throws {
    let folder = ScratchFolder()
    let home = folder.path("home")
    let secret = "8e14e67c-7c91-40ac-8517-c62ece8424a6"
    do {
      let store = try CrashStore(opening: home)
      let file = try ByteView(reading: Apps.macOS, limit: 1 << 20)
      let package = try AppPackageReader.read(file, named: "Tern.app.zip", as: .appZip).package
      let added = try store.distribution.add(
        file, named: "Tern 1.1.0.app.zip", package: package, to: "Tern", by: "test")
      let group = try store.distribution.addGroup(
        "Everybody", isPublic: true, to: "Tern", by: "test")
      try store.distribution.publish(
        added.number, of: "Tern", to: [.init(.group, id: group.id, isMandatory: false)], by: "test")
    }
    #expect(Run(["apps", "add", "Tern", "--secret", secret, "--home", home]).status == 0)
    let server = try #require(RunningServer(home: home))
    let path = "/v0.1/public/sparkle/apps/\(secret)"
    let answer = try #require(server.ask("GET", path))
    #expect(answer.status == 200)
    let root = try XMLElement(
      parsing: ByteView(Array(answer.body)), limits: AppPackageLimits.xml)
    let item = try #require(root.first("channel")?.first("item"))
    #expect(item.first("version")?.text == "1100")
    let url = try #require(item.first("enclosure")?.attributes["url"])
    #expect(
      url.hasPrefix("http://") && url.hasSuffix("/downloads/Tern/1/file/Tern%201.1.0.app.zip"))
    #expect(server.ask("GET", "/v0.1/public/sparkle/apps/" + secret.uppercased())?.status == 200)
    #expect(server.ask("GET", "/v0.1/public/sparkle/apps/none")?.status == 404)
  }

  private enum Apps {
    static let macOS = Samples.root + "/Artefacts/Tern-1.1.0.app.zip"
  }
}

import Bytes
import CrashStore
import Identifiers
import JSON
import TestSupport
import Testing
import Updates

@testable import MaydayCommands
@testable import ProgramSupport

/// The iTunes lookup, polled by clients.
@Suite("The iTunes lookup on a server") struct LookUpRouteTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }

  private func mayday(_ words: String...) -> Run {
    Run(words, environment: ["MAYDAY_HOME": home, "MAYDAY_AS": "ann"])
  }

  /// Publishes a release to a public group.
  private func release(_ version: String, in store: CrashStore) throws {
    var package = AppPackage(.ipa)
    package.identifier = "com.example.tern"
    package.name = "Tern <b>\"7\""
    (package.version, package.build) = (version, "7")
    package.minimumOS = "15.0"
    let bytes = ByteView(Array("ipa \(version)".utf8))
    let artefact = try store.distribution.add(
      bytes, named: "Tern.ipa", package: package, to: "Tern", by: "ann")
    let group = try store.distribution.group("Everyone", of: "Tern")
    try store.distribution.publish(
      artefact.number, of: "Tern",
      to: [Artefact.Destination(.group, id: group.id, isMandatory: false)], by: "ann")
  }

  /// Siren's rules: what it decodes, and when it offers an update.
  ///
  /// Source: ArtSabintsev/Siren, APIModel.swift, DataParser.swift, APIManager.swift.
  private func siren(
    _ answer: WebClient.Answer?, installed: String, system: String
  ) throws -> String? {
    let answer = try #require(answer)
    guard (200...299).contains(answer.status) else { return nil }
    let document = try JSONDocument.parse(ByteView(answer.body)).value
    guard let found = document["results"]?.array?.first else { return nil }
    let version = try #require(found["version"]?.string)
    _ = try #require(found["trackId"]?.integer)
    let date = try #require(found["currentVersionReleaseDate"]?.string)
    // yyyy-MM-dd'T'HH:mm:ss'Z'
    #expect(date.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) != nil, "\(date)")
    let least = try #require(found["minimumOsVersion"]?.string)
    guard !VersionOrder.precedes(system, least) else { return nil }
    return VersionOrder.precedes(installed, version) ? version : nil
  }

  /// The client that adds up the parts of versions and ignores the status.
  private func offersByNumber(_ answer: WebClient.Answer?, installed: String) throws -> Bool {
    let document = try JSONDocument.parse(ByteView(try #require(answer).body)).value
    guard let version = document["results"]?[0]?["version"]?.string else { return false }
    func number(_ version: String) -> Int {
      let parts = version.split(separator: ".").map { Int($0) ?? 0 }
      guard parts.count <= 3 else { return 0 }
      return (parts + [0, 0, 0]).prefix(3).reduce(0) { $0 * 1_000 + $1 }
    }
    return number(installed) < number(version)
  }

  @Test("Clients are offered the newest public release, with every key that Apple has")
  func clients() throws {
    #expect(mayday("apps", "add", "Tern").status == 0)
    let store = try CrashStore(opening: home)
    _ = try store.distribution.addGroup("Everyone", isPublic: true, to: "Tern", by: "ann")
    try release("1.4", in: store)
    #expect(mayday("apps", "updates", "Tern", "--store-id", "123456789").status == 0)
    let server = try #require(RunningServer(home: home))
    func get(_ query: String) -> WebClient.Answer? {
      server.ask("GET", "/lookup?\(query)", token: "")
    }
    let answer = try #require(get("id=123456789&country=de&lang=de_de&entity=software&limit=1"))
    #expect(answer.status == 200 && answer.headers["content-type"] == "application/json")
    let found = try JSONDocument.parse(ByteView(answer.body)).value
    #expect(found["resultCount"]?.integer == 1)
    let result = try #require(found["results"]?[0])
    let keys = """
      version trackId bundleId trackName trackCensoredName trackViewUrl minimumOsVersion \
      currentVersionReleaseDate releaseDate releaseNotes wrapperType kind fileSizeBytes artistId artistName \
      artistViewUrl sellerName sellerUrl price formattedPrice currency description primaryGenreName \
      primaryGenreId genres genreIds supportedDevices features advisories screenshotUrls ipadScreenshotUrls \
      appletvScreenshotUrls languageCodesISO2A artworkUrl60 artworkUrl100 artworkUrl512 trackContentRating \
      contentAdvisoryRating averageUserRating averageUserRatingForCurrentVersion userRatingCount \
      userRatingCountForCurrentVersion isGameCenterEnabled isVppDeviceBasedLicensingEnabled
      """
    for key in keys.split(separator: " ") {
      #expect(result[String(key)].map { !$0.isNull } == true, "\(key)")
    }
    for key in ["trackViewUrl", "sellerUrl"] {
      let page = try #require(result[key]?.string)
      #expect(page.hasPrefix("http://") && page.hasSuffix("/install/apps/Tern"), "\(key): \(page)")
    }
    #expect(result["version"]?.string == "1.4.0" && result["trackId"]?.integer == 123_456_789)
    #expect(
      result["fileSizeBytes"]?.string == "7" && result["trackName"]?.string == "Tern <b>\"7\"")
    #expect(
      result["genreIds"]?[0]?.string == "6002" && result["bundleId"]?.string == "com.example.tern")
    #expect(get("bundleId=com.example.tern")?.text == answer.text)
    #expect(get("bundleId=com.example.TERN&id=123456789")?.text == answer.text)

    #expect(try siren(answer, installed: "1.3.9", system: "15.0") == "1.4.0")
    #expect(try siren(answer, installed: "1.4.0", system: "17.0") == nil)
    #expect(try siren(answer, installed: "1.3.9", system: "14.8") == nil)
    #expect(try offersByNumber(answer, installed: "1.3.9"))
    #expect(try !offersByNumber(answer, installed: "1.4"))

    // A version that they would compare wrongly is not offered; the one before stays.
    try release("1.5.0.2", in: store)
    try release("1.4.9", in: store)
    #expect(
      RunningMayday.wait { get("id=123456789")?.text.contains("\"version\":\"1.4.9\"") == true })

    let nothing = "{\"resultCount\":0,\"results\":[]}\n"
    for query in [
      "", "id=", "id=1", "id=-1", "id=99999999999999999999", "id=x", "id=1.0", "bundleId=",
      "bundleId=com.example", "id=1&bundleId=com.example.tern", "bundleId=%0A", "x=y",
      "id=%31%32", "bundleId=" + String(repeating: "a,", count: 2_000),
    ] {
      let answer = get(query)
      #expect(answer?.status == 200 && answer?.text == nothing, "\(query)")
    }
    #expect(get("id=1,123456789,123456789")?.text.contains("\"resultCount\":1,") == true)
    #expect(server.ask("POST", "/lookup?id=1", token: "")?.status == 405)
  }

  @Test("An app is still found by its own number once it has one in the store")
  func ownNumber() throws {
    #expect(mayday("apps", "add", "Tern").status == 0)
    let store = try CrashStore(opening: home)
    _ = try store.distribution.addGroup("Everyone", isPublic: true, to: "Tern", by: "ann")
    try release("1.4", in: store)
    let own = try StoreListing.trackID(of: store.distribution.updates(of: "Tern"))
    #expect(mayday("apps", "updates", "Tern", "--store-id", "123456789").status == 0)
    let server = try #require(RunningServer(home: home))
    let found = server.json("/lookup?id=\(own)")
    #expect(found["results"]?[0]?["version"]?.string == "1.4.0")
    #expect(found == server.json("/lookup?id=123456789"))
    // A number that another app set counts.
    #expect(mayday("apps", "add", "Gull").status == 0)
    #expect(mayday("apps", "updates", "Gull", "--store-id", "\(own)").status == 0)
    #expect(server.json("/lookup?id=\(own)")["resultCount"]?.integer == 1, "it has no release")
  }

  @Test("The order of releases decides, not that of uploads, except for App Center's SDKs")
  func lowerRelease() throws {
    let secret = "8e14e67c-7c91-40ac-8517-c62ece8424a6"
    #expect(mayday("apps", "add", "Tern", "--secret", secret).status == 0)
    let store = try CrashStore(opening: home)
    _ = try store.distribution.addGroup("Everyone", isPublic: true, to: "Tern", by: "ann")
    try release("2.0.0", in: store)
    try release("1.4.4", in: store)
    let document = folder.write(
      "config.json",
      Array(
        """
        {"appUpdate": {"availableVersion": "1.0", "url": "https://example.org", "type": "recommended",
          "localizedStrings": [{"title": "t", "text": "t",
            "options": [{"title": "Update", "isUpdateAction": true}]}]}}
        """.utf8))
    #expect(
      mayday("remote-config", "publish", "Tern", document, "--follow-releases", "yes").status == 0)
    let shown = mayday("remote-config", "show", "Tern")
    #expect(shown.output.contains("\"availableVersion\": \"1.0\""))
    #expect(shown.errors.contains("clients are offered 2.0.0, not the document's 1.0"))
    let server = try #require(RunningServer(home: home))
    let found = server.json("/lookup?bundleId=com.example.tern")
    #expect(found["results"]?[0]?["version"]?.string == "2.0.0")
    let offered = server.json("/config/Tern/1.5.0.json")["appUpdate"]
    #expect(offered?["availableVersion"]?.string == "2.0.0")
    #expect(offered?["type"]?.string == "recommended")
    let remote = server.json("/api/v1/remote-config/Tern")
    #expect(remote["served_version"]?.string == "2.0.0")
    let check = server.json("/v0.1/public/sdk/apps/\(secret)/releases/latest?release_hash=x")
    #expect(check["short_version"]?.string == "1.4.4")
    #expect(mayday("releases", "order", "Tern", "2.0.0", "1.4.4").status == 0)
    #expect(
      RunningMayday.wait {
        server.json("/config/Tern/1.5.0.json")["appUpdate"]?["availableVersion"]?.string == "1.4.4"
      })
  }

  @Test("An app's update settings are shown, set and reset, on a server, too")
  func settings() throws {
    #expect(mayday("apps", "add", "Tern").status == 0)
    #expect(mayday("apps", "updates", "Tern").errors == "Nothing is set.\n")
    #expect(mayday("apps", "updates", "Heron").status == 3)
    let wrong = mayday("apps", "updates", "Tern", "--store-id", "0")
    #expect(wrong.status == 2 && wrong.errors.contains("store_id: '0': a number from 1 to"))
    let server = try #require(RunningServer(home: home))
    func remote(_ words: String...) -> Run {
      Run(
        ["apps", "updates", "Tern", "--server", "http://127.0.0.1:\(server.port)"] + words,
        environment: ["MAYDAY_TOKEN": server.token])
    }
    #expect(
      remote("--store-id", "7", "--store-url", "https://a.example/x").output.contains(
        "store_url  https://a.example/x"))
    #expect(remote("--store-url", "none", "--json").output.contains("\"store_id\": \"7\""))
    #expect(remote("--store-url", "javascript:x").status == 2)
    #expect(mayday("apps", "updates", "Tern").output == "SETTING   VALUE\nstore_id  7\n")
  }
}

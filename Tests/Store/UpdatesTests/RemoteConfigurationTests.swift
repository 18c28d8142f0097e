import Identifiers
import TestSupport
import Testing
import Updates

@Suite("Remote configurations")
struct RemoteConfigurationTests {
  /// A document with all members, written as a user may write it.
  static let full = """
    {
      "featureFlags" : { "newSearch" : true, "ratio": 0.10, "big": 12345678901234567890 },
      "urlConfig": {"baseUrl": "https://api.example.org/v2"},
      "appUpdate": {
        "availableVersion": "1.4.2",
        "url": "https://apps.apple.com/app/id123456789",
        "type": "mandatory",
        "frequency": "once",
        "ignoredOSVersions": ["12", "13.1"],
        "localizedStrings": [
          {"languageCode": "de", "title": "Neu", "text": "Tern 1.4.2",
           "options": [{"title": "Später"}, {"title": "Laden", "isUpdateAction": true}]},
          {"languageCode": "en", "regionCode": "US", "title": "New", "text": "Tern 1.4.2",
           "options": [{"title": "Get", "isUpdateAction": true}]}
        ]
      },
      "emoji": "\\ud83d\\ude00 \\u00e9"
    }

    """

  private func path(_ text: String) -> String? {
    do throws(RemoteConfigurationError) {
      _ = try RemoteConfiguration(text.utf8)
      return nil
    } catch {
      return error.path.isEmpty ? "document" : error.path
    }
  }

  /// The document above with something in it replaced.
  private func path(_ old: String, _ new: String) -> String? {
    #expect(Self.full.contains(old), "\(old)")
    return path(Self.full.replacing(old, with: new))
  }

  @Test("A document that clients decode is accepted")
  func reading() throws {
    let document = try RemoteConfiguration(Self.full.utf8)
    #expect(document.kind == .mandatory && document.frequency == .once)
    #expect(document.availableVersion == "1.4.2")
    #expect(document.ignoredOSVersions == ["12", "13.1"])
    #expect(document.alerts.map(\.languageName) == ["de", "en-US"])
    #expect(document.bytes == Array(Self.full.utf8))
    let least = try RemoteConfiguration(
      #"{"appUpdate":{"url":"itms-apps://apps.apple.com/app/id1","availableVersion":"1"}}"#.utf8)
    #expect(least.kind == .ignore && least.frequency == .always && least.alerts.isEmpty)
  }

  @Test("A document that a client could not decode is refused, with the path")
  func refusals() {
    let update = "appUpdate"
    let alert = "appUpdate.localizedStrings[1]"
    #expect(path("\"mandatory\"", "\"Mandatory\"") == "\(update).type")
    #expect(path("\"mandatory\"", "\"discarded\"") == "\(update).type")
    #expect(path("\"mandatory\"", "null") == "\(update).type")
    #expect(path("\"once\"", "\"Once\"") == "\(update).frequency")
    #expect(path("\"once\"", "7") == "\(update).frequency")
    #expect(path("[\"12\", \"13.1\"]", "\"12\"") == "\(update).ignoredOSVersions")
    #expect(path("\"13.1\"", "13.1") == "\(update).ignoredOSVersions[1]")
    #expect(
      path("\"13.1\"", "\"\"") == "\(update).ignoredOSVersions[1]", "it would fit all systems")
    #expect(path("\"13.1\"", "\"iOS 13\"") == "\(update).ignoredOSVersions[1]")
    #expect(path("\"availableVersion\": \"1.4.2\",", "") == "\(update).availableVersion")
    #expect(path("\"availableVersion\"", "\"availableversion\"") == "\(update).availableversion")
    #expect(path("\"1.4.2\"", "1.4") == "\(update).availableVersion")
    #expect(path("\"1.4.2\"", "\" \"") == "\(update).availableVersion")
    #expect(path("\"appUpdate\"", "\"update\"") == update)
    #expect(path("[{\"title\": \"Get\", \"isUpdateAction\": true}]", "[]") == "\(alert).options")
    #expect(
      path("[{\"title\": \"Get\", \"isUpdateAction\": true}]", "[null]") == "\(alert).options[0]")
    #expect(path("\"Get\", \"isUpdateAction\": true", "\"Get\"") == "\(alert).options")
    #expect(
      path("\"Get\", \"isUpdateAction\": true", "\"Get\", \"isUpdateAction\": 1")
        == "\(alert).options[0].isUpdateAction")
    #expect(path("{\"title\": \"Get\",", "{") == "\(alert).options[0].title")
    #expect(path("\"title\": \"New\", ", "") == "\(alert).title")
    #expect(path("\"US\"", "\"us\"") == "\(alert).regionCode")
    #expect(
      path("\"languageCode\": \"de\"", "\"languageCode\": \"de-DE\"")
        == "appUpdate.localizedStrings[0].languageCode")
    // Two of the same name: clients differ about which counts.
    #expect(path("\"ratio\": 0.10", "\"newSearch\": 0.10") == "featureFlags.newSearch")
    #expect(path("\"type\"", "\"url\"") == "\(update).url")
    // Without alerts there is nothing to show.
    #expect(
      path(#"{"appUpdate":{"url":"https://a.b","availableVersion":"1","type":"mandatory"}}"#)
        == "\(update).localizedStrings")
    #expect(
      path(
        #"{"appUpdate":{"url":"https://a.b","availableVersion":"1","type":"recommended","localizedStrings":[]}}"#
      ) == "\(update).localizedStrings")
    #expect(path("[1]") == "document")
    #expect(path(#"{"appUpdate":[]}"#) == update)
  }

  @Test(
    "Addresses that clients cannot open are refused",
    arguments: [
      "placeholder", "", "https:", "https://", "https:///x", "https://a b", "https://exämple.org",
      "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd", "https://a/%zz", "//a.b/c",
      "https://a/\\r\\nSet-Cookie: x", "1https://a", "https://:80/", "https://a/\\\"",
    ])
  func addresses(url: String) {
    #expect(path("https://apps.apple.com/app/id123456789", url) == "appUpdate.url")
  }

  @Test(
    "Addresses that clients can open are taken",
    arguments: [
      "https://apps.apple.com/app/id1?mt=8&at=11l", "HTTP://h/",
      "itms-apps://itunes.apple.com/app/id1",
      "itms-services://?action=download-manifest&url=https%3A%2F%2Fh%2Fm.plist", "tern://update",
      "https://user@h:8443/%C3%A9#x",
    ])
  func goodAddresses(url: String) {
    #expect(path("https://apps.apple.com/app/id123456789", url) == nil)
  }

  @Test(
    "What is not strictly JSON is refused",
    arguments: [
      "", " ", "{", "\u{FEFF}{}", "{} {}", "{,}", "{\"a\":1,}", "[1,]", "{'a':1}", "{\"a\":01}",
      "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}", "{\"a\":NaN}", "{\"a\":1e999}", "{\"a\":tru}",
      "{\"a\":\"\u{1}\"}", "{\"a\":\"\n\"}", #"{"a":"\ud800"}"#, #"{"a":"\udc00\ud800"}"#,
      #"{"a":"\x41"}"#, #"{"a":"\u12g4"}"#, "{\"a\":\"", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "nul",
      "{\"a\":-}", "// no\n{}", "{\"a\":\"\u{0}\"}",
    ])
  func syntax(text: String) {
    #expect(throws: RemoteConfigurationError.self) { try RemoteConfiguration(text.utf8) }
  }

  @Test("A document that is too large, too deep, or not UTF-8 is refused, wherever it is truncated")
  func limits() throws {
    let bytes = Array(Self.full.utf8)
    for end in 0..<(bytes.count - 2) {
      #expect(throws: RemoteConfigurationError.self) { try RemoteConfiguration(bytes[..<end]) }
    }
    let rest = #""appUpdate":{"url":"https://a.b","availableVersion":"1"}}"#
    let deep = { (levels: Int) in
      "{\"x\":" + String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
        + "," + rest
    }
    #expect(path(deep(60)) == nil)
    #expect(path(deep(100))?.hasPrefix("x[0]") == true)
    var tooDeep: String?
    let stack = StackUse.measure { tooDeep = path(deep(100_000)) }
    #expect(try #require(stack) <= StackUse.most)
    #expect(tooDeep?.hasPrefix("x[0]") == true)
    let large =
      "{\"x\":\"" + String(repeating: "x", count: RemoteConfiguration.Limits.bytes) + "\"," + rest
    #expect(path(large) == "document")
    let index = try #require(bytes.firstIndex(of: UInt8(ascii: "N")))
    var broken = bytes
    broken[index] = 0xFF
    #expect(throws: RemoteConfigurationError.self) { try RemoteConfiguration(broken) }
  }

  @Test("An error names the line and makes a suggestion")
  func words() {
    #expect(throws: RemoteConfigurationError.self) { try RemoteConfiguration("{\n  \"a\": }".utf8) }
    do throws(RemoteConfigurationError) {
      _ = try RemoteConfiguration("{\n  \"a\": }".utf8)
    } catch {
      #expect(error.description == "a: line 2, column 8: a value is expected")
    }
    do throws(RemoteConfigurationError) {
      _ = try RemoteConfiguration(
        Self.full.replacing("\"mandatory\"", with: "\"Mandatory\"").utf8)
    } catch {
      #expect(
        error.description
          == "appUpdate.type: 'Mandatory' is not one of ignore, recommended, mandatory; did you mean mandatory?"
      )
    }
  }

  // MARK: By version

  private func answer(
    _ installed: String?, to text: String = full, follows: String? = nil, order: [String] = [],
    fix: KnownFixPolicy = .off
  ) throws -> RemoteConfiguration {
    let served = ServedConfiguration(
      try RemoteConfiguration(text.utf8), followsReleases: follows != nil,
      order: order.map { Release($0) })
    let newest = follows.flatMap { $0.isEmpty ? nil : ServedConfiguration.Offer(Release($0)) }
    // Whatever the response, clients decode it.
    return try RemoteConfiguration(
      served.answer(to: installed.map { Release($0) }, newest: newest, fix: fix))
  }

  @Test(
    "Only clients older than the offered version get it",
    arguments: [
      ("1.4.1", RemoteConfiguration.Kind.mandatory), ("1.4.2", .ignore), ("1.4.2 (7)", .ignore),
      ("1.4.10", .ignore), ("1.4", .mandatory), ("1.4.2-beta", .mandatory),
      ("1.3.9 (999)", .mandatory),
      ("2.0", .ignore), ("0", .mandatory), ("1.04.2", .ignore),
    ])
  func versions(installed: String, kind: RemoteConfiguration.Kind) throws {
    #expect(try answer(installed).kind == kind)
  }

  @Test("A set order of releases counts, not the numbers")
  func order() throws {
    let order = ["1.4.2", "9.0-rebuilt (3)", "9.0-rebuilt (4)", "1.5.0 (7)"]
    #expect(try answer("9.0-rebuilt", order: order).kind == .ignore)
    #expect(try answer("9.0-rebuilt (3)", follows: "1.5.0 (7)", order: order).kind == .mandatory)
    #expect(try answer("9.0-rebuilt", follows: "1.5.0 (7)", order: order).kind == .mandatory)
    #expect(try answer("9.0-rebuilt", follows: "1.5.0 (7)").kind == .ignore)
    #expect(try answer("1.5.0 (6)", follows: "1.5.0 (7)", order: order).kind == .mandatory)
    #expect(try answer("1.5.0", follows: "1.5.0 (7)", order: order).kind == .ignore)
  }

  @Test("Members that are not about the update stay byte for byte")
  func untouched() throws {
    let served = ServedConfiguration(try RemoteConfiguration(Self.full.utf8))
    #expect(served.answer(to: nil, newest: nil) == Array(Self.full.utf8))
    #expect(served.answer(to: Release("1.4.1"), newest: nil) == Array(Self.full.utf8))
    let ignored = String(
      decoding: served.answer(to: Release("1.5"), newest: nil), as: UTF8.self)
    #expect(ignored == Self.full.replacing("\"mandatory\"", with: "\"ignore\""))
    // A document without a type gets one, and a followed release its version.
    let plain = #"{"n":1.0,"appUpdate":{"url":"https://a.b","availableVersion":"1"},"z":[]}"#
    var followed = ServedConfiguration(
      try RemoteConfiguration(plain.utf8), followsReleases: true)
    let offer = ServedConfiguration.Offer(Release("2.1 (9)"), url: "https://h/a\"b")
    let text = String(decoding: followed.answer(to: Release("2.1"), newest: offer), as: UTF8.self)
    #expect(
      text
        == #"{"n":1.0,"appUpdate":{"type":"ignore","url":"https://h/a\"b","availableVersion":"2.1"},"z":[]}"#
    )
    followed.followsReleases = false
    #expect(followed.answer(to: nil, newest: offer) == Array(plain.utf8))
  }

  @Test("A document that follows releases offers nothing if none is public")
  func follows() throws {
    #expect(try answer("1.0", follows: "").kind == .ignore)
    #expect(try answer(nil, follows: "").kind == .ignore)
    #expect(try answer(nil, follows: "1.6 (3)").availableVersion == "1.6")
    #expect(try answer(nil, follows: "1.6 (3)").kind == .mandatory)
    #expect(try answer("1.5", follows: "1.6 (3)").kind == .mandatory)
    #expect(try answer("1.6", follows: "1.6 (3)").kind == .ignore)
    #expect(try answer("1.6 (2)", follows: "1.6 (3)").kind == .mandatory)
  }

  @Test("A known fix is announced if there are alerts for it, and never to up-to-date clients")
  func fixes() throws {
    let silent = Self.full.replacing("\"mandatory\"", with: "\"ignore\"")
    #expect(try answer("1.4.1", to: silent).kind == .ignore)
    #expect(try answer("1.4.1", to: silent, fix: .suggest).kind == .recommended)
    #expect(try answer("1.4.1", to: silent, fix: .require).kind == .mandatory)
    #expect(try answer("1.4.2", to: silent, fix: .require).kind == .ignore)
    #expect(try answer("1.4.1", fix: .suggest).kind == .mandatory)
    let plain = #"{"appUpdate":{"url":"https://a.b","availableVersion":"1"}}"#
    #expect(try answer("0.9", to: plain, fix: .require).kind == .ignore)
  }

  // MARK: Editing

  @Test("An edit changes what it names, and creates a document if there is none")
  func editing() throws {
    var edit = RemoteConfigurationEdit()
    edit.kind = .recommended
    edit.availableVersion = "1.5.0"
    edit.ignoredOSVersions = []
    edit.alerts = [try #require(RemoteConfiguration.Alert("de: A \\| B | Text: \"x\" | Nein | Ja"))]
    edit.removedAlerts = ["en-US"]
    let old = try RemoteConfiguration(Self.full.utf8)
    let new = try edit.apply(to: old)
    #expect(new.kind == .recommended && new.availableVersion == "1.5.0")
    #expect(new.url == old.url && new.frequency == .once && new.ignoredOSVersions.isEmpty)
    #expect(new.alerts.map(\.languageName) == ["de"])
    #expect(new.alerts[0].title == "A | B" && new.alerts[0].text == "Text: \"x\"")
    #expect(new.alerts[0].options.map(\.isUpdate) == [false, true])
    let (start, end) = ("{\n  \"featureFlags\"", "\"emoji\": \"\\ud83d\\ude00 \\u00e9\"\n}\n")
    let text = String(decoding: new.bytes, as: UTF8.self)
    #expect(text.hasPrefix(start) && text.hasSuffix(end))
    #expect(text.contains("\"ratio\": 0.10, \"big\": 12345678901234567890 }"))

    #expect(throws: RemoteConfigurationError.self) { try edit.apply(to: nil) }
    edit.url = "https://apps.apple.com/app/id1"
    edit.removedAlerts = []
    #expect(try edit.apply(to: nil).alerts.count == 1)
    edit.removedAlerts = ["fr"]
    #expect(throws: RemoteConfigurationError.self) { try edit.apply(to: old) }
    edit.alerts = []
    edit.removedAlerts = ["*"]
    #expect(throws: RemoteConfigurationError.self) { try edit.apply(to: old) }
  }

  @Test(
    "Text in another format is not an alert",
    arguments: [
      "", "de", "de:", "de: a", "de: a | b", "de: a | | c", "de-DE-x: a | b | c", ": a|b",
    ])
  func alerts(text: String) {
    #expect(RemoteConfiguration.Alert(text) == nil)
  }
}

import Bytes
import CrashStore
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Documents of apps with the RemoteConfiguration library: published by commands, polled by a client.
@Suite("Remote configurations on a server") struct RemoteConfigurationTests {
  private let folder = ScratchFolder()
  private var home: String { folder.path("home") }
  private static let secret = "8e14e67c-7c91-40ac-8517-c62ece8424a6"

  /// A document of each kind in the library's own samples.
  private static func document(_ kind: String, _ more: String = "", version: String = "1.2")
    -> String
  {
    """
    {
      "customKey": "customValue", "ratio": 0.10, "big": 12345678901234567890,
      "urlConfig": {"z": 1, "a": 2},
      "appUpdate": {
        "availableVersion": "\(version)",
        "url": "https://apps.apple.com/app/id123456789",
        "type": "\(kind)",\(more)
        "localizedStrings": [
          {"languageCode": "de", "title": "Titel", "text": "Text",
           "options": [{"title": "Nein"}, {"title": "Ja", "isUpdateAction": true}]},
          {"languageCode": "en", "regionCode": "US", "title": "Title", "text": "Text",
           "options": [{"title": "No"}, {"title": "Yes", "isUpdateAction": true}]}
        ]
      }
    }

    """
  }

  private func mayday(_ words: String...) -> Run {
    Run(words, environment: ["MAYDAY_HOME": home, "MAYDAY_AS": "ann"])
  }

  private func publish(_ text: String, _ more: String...) -> Run {
    Run(
      ["remote-config", "publish", "Tern", folder.write("document.json", Array(text.utf8))] + more,
      environment: ["MAYDAY_HOME": home, "MAYDAY_AS": "ann"])
  }

  private func makeApp() {
    #expect(mayday("apps", "add", "Tern", "--secret", Self.secret).status == 0)
  }

  @Test("Commands publish, edit, show and roll back; mistakes change nothing")
  func commands() throws {
    makeApp()
    #expect(mayday("remote-config", "show", "Tern").status == 3)
    #expect(mayday("remote-config", "rollback", "Tern").status == 3)
    let first = Self.document("recommended")
    let published = publish(first, "--note", "the first")
    #expect(published.status == 0, "\(published.errors)")
    #expect(
      published.errors == "Tern: remote configuration 1 is served: recommended, version 1.2\n")
    #expect(mayday("remote-config", "show", "Tern").output == first)

    let wrong = publish(first.replacing("recommended", with: "Recommended"))
    #expect(wrong.status == 2)
    #expect(wrong.errors.contains("document.json: appUpdate.type: 'Recommended' is not one of"))
    let path = folder.path("document.json")
    #expect(Run(["remote-config", "check", path]).status == 2)
    _ = folder.write("document.json", Array(first.utf8))
    let checked = Run(["remote-config", "check", path])
    #expect(checked.status == 0)
    #expect(checked.errors.contains("recommended, version 1.2; alerts for de, en-US"))
    #expect(
      Run(["remote-config", "check", "-"], input: "{}").errors.contains("appUpdate: is missing"))

    let edited = mayday(
      "remote-config", "edit", "Tern", "--type", "mandatory", "--available", "1.4.2",
      "--ignore-os", "12", "--alert", "fr: Titre | Texte | Oui", "--json")
    #expect(edited.status == 0, "\(edited.errors)")
    #expect(edited.output.contains("\"event\": \"edited\""))
    #expect(
      mayday("remote-config", "edit", "Tern", "--remove-alert", "*").errors.contains(
        "appUpdate.localizedStrings: a mandatory update needs at least one alert"))
    #expect(mayday("remote-config", "edit", "Tern").status == 2)
    let second = mayday("remote-config", "show", "Tern").output
    #expect(second.hasPrefix(String(first.prefix(while: { $0 != "\n" }) + "\n  \"customKey\"")))
    #expect(second.contains("\"ratio\": 0.10, \"big\": 12345678901234567890,\n"))

    #expect(mayday("remote-config", "rollback", "Tern", "2").status == 1)
    #expect(mayday("remote-config", "rollback", "Tern", "7").status == 3)
    #expect(mayday("remote-config", "rollback", "Tern", "--note", "too early").status == 0)
    #expect(mayday("remote-config", "show", "Tern").output == first)
    #expect(mayday("remote-config", "show", "Tern", "2").output == second)
    let history = mayday("remote-config", "history", "Tern")
    let lines = history.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 4, "\(history.output)")
    #expect(lines[1].contains("ann") && lines[1].contains("rolled back to 1"))
    #expect(lines[1].contains("too early") && lines[3].contains("the first"))
    let list = try JSONDocument.parse(
      ByteView(mayday("remote-config", "history", "Tern", "--json").output.utf8)
    ).value
    #expect(list.array?.map { $0["number"]?.integer } == [3, 2, 1])
    #expect(mayday("remote-config", "history", "Heron").status == 3)
    HomeCare.expectWhole(home)
  }

  @Test("A client gets the published document, and by version the one meant for it")
  func clients() throws {
    makeApp()
    let server = try #require(RunningServer(home: home))
    func get(_ path: String, _ headers: String...) -> WebClient.Answer? {
      server.ask("GET", path, token: "", headers: headers)
    }
    // Nothing was published: the client keeps its built-in configuration.
    for path in [
      "/config/Tern.json", "/config/Tern/1.0.json", "/config/Heron.json", "/config/.json",
    ] {
      #expect(get(path)?.status == 404, "\(path)")
    }
    #expect(
      publish(Self.document("mandatory", "\n\"ignoredOSVersions\": [\"12\", \"13.1\"],")).status
        == 0)
    let text = mayday("remote-config", "show", "Tern").output
    #expect(RunningMayday.wait { get("/config/Tern.json")?.status == 200 })
    let answer = try #require(get("/config/Tern.json"))
    #expect(answer.text == text)
    #expect(answer.headers["content-type"] == "application/json")
    #expect(answer.headers["cache-control"] == "public, max-age=60")
    let tag = try #require(answer.headers["etag"])
    let known = try #require(get("/config/Tern.json", "If-None-Match: \(tag)"))
    #expect(known.status == 304 && known.body.isEmpty)
    #expect(server.ask("HEAD", "/config/Tern.json", token: "")?.status == 200)
    #expect(get("/config/\(Self.secret).json")?.text == text)
    #expect(get("/config/\(Self.secret.uppercased()).json")?.text == text)

    var client = RemoteConfigurationClient()
    func outcome(_ path: String) -> RemoteConfigurationClient.Outcome {
      let answer = get(path)
      return client.receive(answer?.status, answer?.body ?? [])
    }
    let english = RemoteConfigurationClient.Outcome.alert(
      title: "Title", buttons: ["Yes"], opens: "https://apps.apple.com/app/id123456789")
    #expect(outcome("/config/Tern.json") == english)
    #expect(outcome("/config/Tern/1.1.9.json") == english)
    #expect(outcome("/config/Tern/1.1.9%20(77).json") == english)
    #expect(outcome("/config/Tern/1.1.9+77.json") == english)
    for version in ["1.2", "1.2+7", "1.2%20(7)", "1.10", "2"] {
      #expect(outcome("/config/Tern/\(version).json") == .nothing, "\(version)")
    }
    client.system = "12.4.0"
    #expect(outcome("/config/Tern/1.0.json") == .nothing)
    client.system = "13.2.0"
    (client.language, client.region) = ("de", "AT")
    #expect(
      outcome("/config/Tern/1.0.json")
        == .alert(
          title: "Titel", buttons: ["Ja"], opens: "https://apps.apple.com/app/id123456789"))
    (client.language, client.region) = ("fr", "FR")
    // An invalid version gets no document; the client keeps the one it had.
    for path in [
      "/config/Tern/.json", "/config/Tern/1.0", "/config/Tern", "/config/Tern/+7.json",
      "/config/Tern/" + String(repeating: "1", count: 300) + ".json", "/config/..%2FTern.json",
      "/config/Tern%00.json", "/config/Tern/1.0.json/x",
    ] {
      #expect([400, 404].contains(get(path)?.status), "\(path)")
    }
    #expect(outcome("/config/Tern/.json") != .error)
    for version in ["%0D%0AX-A:b", "%FF", "%3Cscript%3E", "-1", "9999999999999999999999", "1..2"] {
      let answer = try #require(get("/config/Tern/\(version).json"))
      #expect(client.receive(answer.status, answer.body) != .error)
      #expect(answer.headers["x-a"] == nil)
    }

    // An alert that was closed stays closed for that version.
    #expect(
      mayday("remote-config", "edit", "Tern", "--type", "recommended", "--frequency", "once").status
        == 0)
    #expect(RunningMayday.wait { get("/config/Tern.json")?.headers["etag"] != tag })
    client = RemoteConfigurationClient(dismissed: "1.2")
    #expect(outcome("/config/Tern/1.0.json") == .nothing)
    client.dismissed = "1.1"
    #expect(
      outcome("/config/Tern/1.0.json")
        == .alert(
          title: "Title", buttons: ["No", "Yes"], opens: "https://apps.apple.com/app/id123456789"))
    server.stop()
    #expect(client.receive(nil, []) != .unreachable)
  }

  @Test("A server's API publishes, edits and rolls back, for those who may")
  func server() throws {
    makeApp()
    let server = try #require(RunningServer(home: home))
    func remote(_ words: [String], token: String? = nil) -> Run {
      Run(
        ["remote-config"] + words + ["--server", "http://127.0.0.1:\(server.port)"],
        environment: ["MAYDAY_TOKEN": token ?? server.token])
    }
    let text = Self.document("ignore")
    let file = folder.write("a.json", Array(text.utf8))
    let published = remote(["publish", "Tern", file, "--note", "é\n2"])
    #expect(published.status == 0, "\(published.errors)")
    #expect(remote(["show", "Tern"]).output == text)
    #expect(
      remote([
        "edit", "Tern", "--type", "recommended", "--alert", "any: A | B | C | D", "--url",
        "tern://x", "--remove-alert", "de", "--ignore-os", "9", "--available", "3",
      ]).status == 0)
    let shown = remote(["show", "Tern", "--json"])
    #expect(shown.output.contains("\"follows_releases\": false"))
    #expect(remote(["edit", "Tern", "--follow-releases", "yes"]).status == 0)
    #expect(remote(["rollback", "Tern", "1"]).status == 0)
    #expect(remote(["show", "Tern"]).output == text)
    #expect(mayday("remote-config", "show", "Tern").output == text)
    #expect(remote(["history", "Tern", "--json"]).output.contains("é\\n2"))
    #expect(remote(["show", "Heron"]).status == 3)
    #expect(remote(["edit", "Tern", "--url", "no"]).status == 2)
    let refused = server.ask(
      "PUT", "/api/v1/remote-config/Tern", body: Array(#"{"document":"{}"}"#.utf8))
    #expect(refused?.status == 400 && refused?.text.contains("appUpdate: is missing") == true)
    // Another user changed it in between.
    let tag = try #require(
      server.ask("GET", "/api/v1/remote-config/Tern")?.headers["etag"])
    let body = Array(#"{"type":"mandatory"}"#.utf8)
    for status in [200, 412] {
      let answer = server.ask(
        "POST", "/api/v1/remote-config/Tern/edit", headers: ["If-Match: \(tag)"], body: body)
      #expect(answer?.status == status)
    }
    let audit = server.json("/api/v1/audit")
    let actions = audit["items"]?.array?.compactMap { $0["action"]?.string } ?? []
    #expect(actions.contains("publish remote configuration"))
    #expect(actions.contains("roll back remote configuration"))

    let store = try CrashStore(opening: home)
    try store.apps.add("Heron", secret: nil)
    let made = mayday(
      "tokens", "add", "heron", "--scope", "triage", "--scope", "read", "--app", "Heron")
    let token = try #require(
      made.output.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("mayday_") })
    #expect(remote(["show", "Tern"], token: String(token)).status == 3)
    #expect(remote(["publish", "Tern", file], token: String(token)).status == 3)
    #expect(remote(["publish", "Heron", file], token: String(token)).status == 0)
    #expect(
      remote(["publish", "Tern", file], token: "mayday_" + String(repeating: "0", count: 43)).status
        == 4)
  }
}

import Bytes
import JSON
import TestSupport
import Testing

@testable import MaydayCommands
@testable import ProgramSupport

/// Files that users hand over, signed in or by a link.
@Suite("Files handed over", .serialized) struct HandedFilesTests {
  private let folder = ScratchFolder()
  private static let boundary = "handed-over"

  private struct Part {
    let field: String
    let name: String
    let bytes: [UInt8]

    init(_ field: String, _ name: String, _ bytes: [UInt8]) {
      self.field = field
      self.name = name
      self.bytes = bytes
    }
  }

  private func form(_ parts: [Part]) -> [UInt8] {
    var form: [UInt8] = []
    for part in parts {
      form += Array(
        ("--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(part.field)\"; "
          + "filename=\"\(part.name)\"\r\n\r\n").utf8)
      form += part.bytes + Array("\r\n".utf8)
    }
    return form + Array("--\(Self.boundary)--\r\n".utf8)
  }

  private func hand(
    _ server: RunningServer, _ path: String,
    _ parts: [Part]
  ) throws -> WebClient.Answer {
    try #require(
      server.ask(
        "POST", path, token: "",
        headers: ["Content-Type: multipart/form-data; boundary=\(Self.boundary)"],
        body: form(parts)))
  }

  private func link(_ home: String, _ options: String...) throws -> String {
    let run = Run(["intake-links", "add", "Ann", "--app", "Tern", "--home", home] + options)
    #expect(run.status == 0)
    let start = try #require(run.output.firstRange(of: "/files/"))
    return String(run.output[start.lowerBound...].prefix { !$0.isWhitespace })
  }

  @Test("A file handed over by a link becomes a report, and others say where they belong")
  func byLink() throws {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    let path = try link(home)
    let server = try #require(RunningServer(home: home))
    let page = try #require(server.ask("GET", path, token: ""))
    #expect(page.status == 200 && page.text.contains("Hand over crash files of Tern"))
    #expect(!page.text.contains("href=\"/apps"))
    let crash = try Samples.bytes("apple-ips/null-read-1.1.0-ios-arm64.ips")
    let answer = try hand(
      server, path,
      [
        Part("file", "a.ips", crash),
        Part("file", "<b>.txt", Array("just words".utf8)),
        Part("file", "Tern", [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 99)),
        Part("file", "tern.apk", Array("PK".utf8) + [3, 4, 0, 0]),
        Part("file", "screen.png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]),
        Part("attachment", "console.log", Array("hello".utf8)),
      ])
    #expect(answer.status == 200, "\(answer.text)")
    #expect(answer.text.contains("belongs on the page of <a href=\"/symbols\">symbols</a>"))
    #expect(answer.text.contains("belongs on the page of <a href=\"/releases\">releases</a>"))
    #expect(answer.text.contains("a PNG picture"))
    #expect(answer.text.contains("&lt;b&gt;.txt") && !answer.text.contains("<b>.txt"))
    #expect(server.waitForQueue())
    let result = try #require(answer.text.firstRange(of: path + "?sent="))
    let address = String(answer.text[result.lowerBound...].prefix { $0 != "\"" })
      .replacing("&amp;", with: "&")
    let shown = try #require(server.ask("GET", address, token: "")).text
    let reports = Run(["reports", "--json", "--home", home]).json
    let report = try #require(reports[0] ?? reports["reports"]?[0])
    let id = try #require(report["id"]?.string)
    let group = try #require(report["group"]?.string)
    #expect(shown.contains("the report <span class=\"mono\">\(id.prefix(10))</span>"))
    #expect(!shown.contains(group), "a link shows no group")
    #expect(shown.contains("not a report"))
    let whole = Run(["show", id, "--json", "--home", home]).output
    #expect(whole.contains("console.log"))
    let links = Run(["intake-links", "list", "--json", "--home", home]).json
    #expect(links[0]?["files"]?.integer == 2)
  }

  @Test("A link takes as many files as it may, and no page without a link or a session")
  func ended() throws {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    let path = try link(home, "--most", "1")
    let server = try #require(RunningServer(home: home))
    let words = Array("words".utf8)
    let two = try hand(server, path, [Part("file", "a", words), Part("file", "b", words)])
    #expect(two.status == 403 && two.text.contains("This link takes 1 more file."))
    let one = try hand(server, path, [Part("file", "a", words)])
    #expect(one.status == 200)
    let more = try hand(server, path, [Part("file", "a", words)])
    #expect(more.status == 403)
    let ended = try #require(server.ask("GET", path, token: ""))
    #expect(ended.status == 200 && !ended.text.contains("<form"))
    let nonsense = try #require(server.ask("GET", "/files/nonsense", token: ""))
    #expect(nonsense.status == 404)
    let unknown = try hand(server, "/apps/Tern/files", [Part("file", "a", words)])
    #expect(unknown.status == 303)
  }
}

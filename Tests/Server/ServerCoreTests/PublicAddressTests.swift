import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// Addresses that a server writes, paths of its metrics, and checks before it listens.
@Suite("A server's own addresses", .serialized)
struct PublicAddressTests {
  private let folder = ScratchFolder()

  /// A server with a public release and a group.
  private func server(_ options: [String]) throws -> RunningServer {
    let home = folder.path("home")
    let ipa = Samples.root + "/Artefacts/Tern-1.1.0.ipa"
    for words in [
      ["apps", "add", "Tern", "--secret", "8e14e67c-0000-4000-8000-000000000001"],
      ["releases", "add", ipa, "--app", "Tern"],
      ["testers", "add-group", "All", "--public", "--app", "Tern"],
      ["releases", "edit", "#1", "--groups", "All", "--app", "Tern"],
    ] {
      let run = Run(words + ["--home", home])
      #expect(run.status == 0, "\(run.errors)")
    }
    return try #require(RunningServer(home: home, options: options))
  }

  private static let paths = [
    "/v0.1/public/sdk/apps/8e14e67c-0000-4000-8000-000000000001/releases/latest?is_install_page=false",
    "/v0.1/apps/o/Tern/releases/1", "/feed/Tern.xml", "/appcast/Tern.xml",
    "/lookup?bundleId=com.example.tern", "/v0.1/apps/o/Tern/releases",
  ]

  @Test("With --server-url, no address in a response depends on the client's request")
  func addresses() throws {
    let server = try server(["--server-url", "https://crashes.example.org/"])
    var seen = 0
    for path in Self.paths {
      let answer = try #require(
        server.ask("GET", path, headers: ["Host: evil.example", "User-Agent: CFNetwork"]))
      #expect(!answer.text.contains("evil.example"), "\(path): \(answer.text)")
      if answer.text.contains("https://crashes.example.org/") { seen += 1 }
    }
    #expect(seen >= 3)
    let upload = try #require(
      server.ask(
        "POST", "/v0.1/apps/o/Tern/uploads/releases", headers: ["Host: evil.example"],
        body: Array("{}".utf8)))
    #expect(!upload.text.contains("evil.example"), "\(upload.text)")
    #expect(upload.text.contains("https://crashes.example.org/"), "\(upload.text)")
    let symbols = try #require(
      server.ask(
        "POST", "/v0.1/apps/o/Tern/symbol_uploads", headers: ["Host: evil.example"],
        body: Array(#"{"symbol_type":"Apple"}"#.utf8)))
    #expect(!symbols.text.contains("evil.example"), "\(symbols.text)")
  }

  @Test("Without it, addresses are those that the client used")
  func reached() throws {
    let server = try server([])
    let answer = try #require(
      server.ask("GET", "/v0.1/apps/o/Tern/releases/1", headers: ["Host: crashes.internal:81"]))
    #expect(answer.text.contains("http://crashes.internal:81/downloads/"), "\(answer.text)")
  }

  @Test("The metrics have one path, which a proxy can close")
  func figures() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    #expect(server.ask("GET", "/metrics")?.status == 200)
    for path in ["/metrics/", "//metrics", "/metrics//", "/%6detrics", "/metrics%2f", "/metrics/."]
    {
      #expect(server.ask("GET", path)?.status == 404, "\(path)")
    }
  }

  @Test("Values of reports that complete a query are not cached by browsers")
  func completions() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    // A page without a session leads to the sign-in, which is not cached either.
    let answer = server.ask("GET", "/complete?word=user:", token: "")
    #expect(answer?.headers["cache-control"] == "no-store")
  }

  @Test("A damaged server.db is reported before the server listens", arguments: [2, 3, 5, 8, 13])
  func damaged(page: Int) throws {
    let home = folder.path("home")
    let first = try #require(RunningServer(home: home))
    #expect(first.stop() == 0)
    #expect(Run(["tokens", "list", "--home", home]).status == 0)
    for name in ["server.db-wal", "server.db-shm"] { unlink("\(home)/\(name)") }
    let file = try #require(fopen(home + "/server.db", "r+"))
    // Every page from there on, so that tables read at the start are among them.
    fseek(file, 0, SEEK_END)
    let end = ftell(file)
    fseek(file, page * 4096, SEEK_SET)
    for _ in 0..<max(0, end - page * 4096) { fputc(0x5a, file) }
    fclose(file)
    let run = Run(["serve", "--listen", "0", "--home", home])
    #expect(run.status == 1, "\(run.errors)")
    #expect(!run.errors.contains("Listening"), "\(run.errors)")
    #expect(run.errors.contains("server.db"), "\(run.errors)")
  }
}

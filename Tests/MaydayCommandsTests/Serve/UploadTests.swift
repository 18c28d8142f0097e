import Bytes
import Glibc
import Hashing
import JSON
import TestSupport
import Testing

/// `mayday upload` against `mayday serve`, both the built program.
@Suite("Uploads", .serialized)
struct UploadTests {
  private let folder = ScratchFolder()
  private static let bundle = Samples.root + "/Symbols/apple/1.0.0/macos/Tern.app.dSYM"
  private static let crash = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")

  private func server() throws -> RunningServer {
    try #require(RunningServer(home: folder.path("home")))
  }

  private func upload(
    _ paths: [String], to server: RunningServer, token: String? = nil, _ more: [String] = []
  ) -> Run {
    Run(
      ["upload"] + paths + ["--to", "http://127.0.0.1:\(server.port)"] + more,
      environment: ["MAYDAY_TOKEN": token ?? server.token])
  }

  private func verdicts(_ run: Run) -> [String] {
    (run.json.array ?? []).map {
      "\($0["kind"]?.string ?? "-") \($0["verdict"]?.string ?? "-")"
    }
  }

  @Test("A folder of debug files and crash files is sent once")
  func folderOfBoth() throws {
    let server = try server()
    let both = folder.path("both")
    #expect(mkdir(both, 0o700) == 0)
    #expect(symlink(Self.bundle, both + "/Tern.app.dSYM") == 0)
    _ = folder.write("both/a.ips", try ByteView(mapping: Self.crash).array)
    _ = folder.write("both/a.ips.log", Array("what went before".utf8))
    _ = folder.write("both/notes.txt", Array("no crash".utf8))
    let first = upload([both], to: server, ["--json"])
    #expect(first.status == 0, "\(first.errors)")
    #expect(verdicts(first) == ["symbols sent", "report sent"])
    #expect(first.errors.contains("2 files sent, 0 known, 0 refused; 1 passed over"))
    #expect(server.waitForQueue())
    let report = server.json("/api/v1/reports")["items"]?[0]?["id"]?.string ?? ""
    #expect(
      server.ask("GET", "/api/v1/reports/\(report)/attachments/log")?.text == "what went before")
    #expect(
      server.json("/api/v1/groups")["items"]?[0]?["signature"]?.string?.contains("[Tern") == false)
    let accepted = server.metric("mayday_intake_accepted_total")
    let second = upload([both], to: server, ["--json"])
    #expect(second.status == 0 && verdicts(second) == ["symbols known", "report known"])
    #expect(server.metric("mayday_intake_accepted_total") == accepted)
    // A release makes the file one that the server does not know as its own yet.
    for outcome in ["symbols known", "symbols known"] {
      let run = upload(
        [Self.bundle], to: server, ["--json", "--app", "Tern", "--release", "1.0.0 (7)"])
      #expect(verdicts(run) == [outcome])
    }
    #expect(server.json("/api/v1/releases?app=Tern").array?.isEmpty == false)
  }

  @Test("What is sent is a table that fits")
  func table() throws {
    let server = try server()
    let run = upload([Self.bundle, Self.crash], to: server)
    #expect(run.status == 0)
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.count <= 80 })
    #expect(lines.first?.hasPrefix("VERDICT  KIND") == true)
  }

  @Test("What goes wrong has its exit status and is said")
  func failures() throws {
    let server = try server()
    let wrong = upload([Self.crash], to: server, token: "mayday_wrong")
    #expect(wrong.status == 4)
    #expect(wrong.errors.contains("the token is unknown, revoked or past its time"))
    #expect(!wrong.errors.contains("mayday_wrong"))
    let nothing = folder.write("notes.txt", Array("no crash".utf8))
    #expect(upload([nothing], to: server).status == 1)
    #expect(upload([folder.path("none")], to: server).status == 3)
    var broken = try ByteView(mapping: Self.bundle + "/Contents/Resources/DWARF/Tern").array
    broken.removeLast(broken.count - 100)
    let refused = upload([folder.write("Tern", broken)], to: server, ["--json"])
    #expect(refused.status == 6 && verdicts(refused) == ["- refused"], "\(refused.output)")
    for arguments in [["--to", "ftp://x"], ["--to", "http://x", "--release", "1.0"], []] {
      #expect(Run(["upload", Self.crash] + arguments).status == 2)
    }
  }
}

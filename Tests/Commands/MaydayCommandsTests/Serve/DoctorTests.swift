import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// The doctor on healthy homes and servers, and on broken ones.
@Suite("The doctor", .serialized)
struct DoctorTests {
  private let folder = ScratchFolder()

  private func verdicts(_ run: Run) -> [String: String] {
    Dictionary(
      (run.json.array ?? []).compactMap { finding in
        finding["check"]?.string.map { ($0, finding["verdict"]?.string ?? "") }
      }, uniquingKeysWith: { $0 == "fine" ? $1 : $0 })
  }

  @Test("A healthy home, in which nothing of the test crash is left")
  func home() throws {
    let home = folder.path("home")
    #expect(Run(["ingest", "--home", home, Samples.path("apple-ips")]).status == 0)
    let before = Run(["stats", "--json", "--home", home]).json
    let run = Run(["doctor", "--json", "--home", home])
    let found = verdicts(run)
    #expect(run.status == 0, "\(run.errors)")
    for step in ["intake", "worker", "symbolication", "group", "query", "database", "sandbox"] {
      #expect(found[step] == "fine", "\(step)")
    }
    #expect(Run(["stats", "--json", "--home", home]).json["reports"] == before["reports"])
    #expect(
      Run(["groups", "app:mayday-doctor", "--json", "--home", home]).json.array?.isEmpty == true)
    #expect(Run(["stats", "--ledger", "--home", home]).status == 0)
    let text = Run(["doctor", "--home", home])
    #expect(text.status == 0 && text.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
  }

  @Test("A failure is named, with a remedy, and later checks are not tried")
  func wrong() throws {
    let gone = Run(["doctor", "--json", "--home", folder.path("none")])
    #expect(gone.status == 1 && verdicts(gone)["home"] == "failed")
    #expect(verdicts(gone)["query"] == "skipped")

    let home = folder.path("home")
    #expect(Run(["ingest", "--home", home, Samples.path("apple-ips")]).status == 0)
    chmod(home, 0o755)
    let open = Run(["doctor", "--json", "--home", home])
    #expect(open.status == 0 && verdicts(open)["home"] == "warning")
    let rules = try #require(fopen(home + "/scrub.conf", "w"))
    fputs("[patterns]\nx = (\n", rules)
    fclose(rules)
    let ruled = Run(["doctor", "--json", "--home", home])
    #expect(ruled.status == 1 && verdicts(ruled)["scrub rules"] == "failed")
    unlink(home + "/scrub.conf")

    // A page in the middle of the database is overwritten.
    let file = try #require(fopen(home + "/mayday.db", "r+"))
    fseek(file, 40 * 4096, SEEK_SET)
    for _ in 0..<4096 { fputc(0x5a, file) }
    fclose(file)
    let damaged = Run(["doctor", "--json", "--home", home])
    #expect(damaged.status == 1 && verdicts(damaged)["database"] == "failed")
  }

  @Test("Leftover uploads of a killed server are named, and gc removes them")
  func leftovers() throws {
    let home = folder.path("home")
    #expect(Run(["apps", "add", "Tern", "--home", home]).status == 0)
    let path = folder.write(
      "home/intake/upload-Ab12Cd/Tern.sym", [UInt8](repeating: 1, count: 4_000))
    let parent = String(path.dropLast("/Tern.sym".count))
    var times = [timespec](repeating: timespec(tv_sec: time(nil) - 3_600, tv_nsec: 0), count: 2)
    utimensat(AT_FDCWD, parent, &times, 0)
    let found = Run(["doctor", "--json", "--home", home]).json.array?
      .first { $0["check"]?.string == "leftovers" }
    #expect(found?["verdict"]?.string == "warning")
    #expect(found?["text"]?.string?.contains("intake/upload-Ab12Cd") == true)
    let dry = Run(["gc", "--dry-run", "--home", home])
    #expect(dry.errors.contains("1 interrupted upload of 4.0 kB would be deleted"), "\(dry.errors)")
    #expect(access(path, F_OK) == 0)
    #expect(Run(["gc", "--home", home]).status == 0)
    #expect(access(parent, F_OK) != 0)
    #expect(!Run(["doctor", "--home", home]).output.contains("leftovers"))
  }

  @Test("A server, from outside: the whole path, and nothing is left")
  func server() throws {
    let server = try #require(RunningServer(home: folder.path("home"), options: []))
    let url = "http://127.0.0.1:\(server.port)"
    for _ in 0..<2 {
      let run = Run(["doctor", "--json", "--server", url, "--token", server.token])
      #expect(run.status == 0, "\(run.output) \(run.errors)")
      #expect(verdicts(run).values.allSatisfy { $0 == "fine" } && verdicts(run).count == 11)
    }
    #expect(server.json("/api/v1/apps")["items"]?.array?.isEmpty == true)
    #expect(server.json("/api/v1/symbols")["items"]?.array?.isEmpty == true)
    #expect(server.json("/api/v1/reports")["total"]?.integer == 0)
    let home = Run(["doctor", "--json", "--home", server.home])
    #expect(home.status == 0 && verdicts(home)["queue"] == "fine")

    let stranger = Run(["doctor", "--json", "--server", url, "--token", "mayday_x_y"])
    #expect(stranger.status == 1 && verdicts(stranger)["token"] == "failed")
    #expect(verdicts(stranger)["intake"] == "skipped")
    #expect(server.stop() == 0)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
    let away = Run(["doctor", "--json", "--server", url, "--token", server.token])
    #expect(away.status == 5 && verdicts(away)["server"] == "failed")
  }
}

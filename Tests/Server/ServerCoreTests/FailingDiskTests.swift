import Bytes
import Glibc
import JSON
import TestSupport
import Testing

@testable import ProgramSupport

/// A disk that is full or read-only, and a clock that jumps, under the running server.
///
/// The disks are in memory, mounted in a namespace of the server's own, which only root may do.
@Suite("Failing disks and clocks", .serialized)
struct FailingDiskTests {
  private let folder = ScratchFolder()

  private func report(_ number: Int, size: Int = 0) throws -> [UInt8] {
    let text = try ByteView(mapping: Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")).text
    let more = "\n\(number)" + String(repeating: " ", count: size)
    return Array((text + more).utf8)
  }

  private func names(in server: RunningServer) -> [String] {
    (server.json("/api/v1/reports?limit=1000")["items"]?.array ?? [])
      .compactMap { $0["file"]?.string }
  }

  @Test(
    "A full disk refuses before it accepts, and all accepted reports are stored without new space",
    .enabled(
      if: Run.mayMount, "file systems can be mounted by root only, with `mount` and `unshare`"))
  func fullDisk() throws {
    let home = folder.path("home")
    mkdir(home, 0o700)
    let script = """
      set -e
      mount -t tmpfs -o size=48m none '\(home)'
      head -c 30m /dev/zero >'\(home)/ballast'
      exec "$0" "$@"
      """
    let server = try #require(
      RunningServer(
        home: home, options: ["--rate", "0"],
        wrapper: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script]))
    var accepted: [String] = []
    var refusals: Set<Int> = []
    for number in 0..<400 {
      let name = "report-\(number)"
      let answer = server.ask(
        "POST", "/api/v1/reports?name=\(name)", body: try report(number, size: 150_000))
      if answer?.status == 202 {
        accepted.append(name)
      } else {
        refusals.insert(answer?.status ?? 0)
      }
    }
    #expect(!refusals.isEmpty && refusals.isSubset(of: [503, 507]), "\(refusals)")
    #expect(!accepted.isEmpty)
    // Intake leaves disk space for processing.
    #expect(try DiskSpace(of: server.seen(home)).free > 1 << 20)
    #expect(server.waitForQueue())
    #expect(names(in: server).count == accepted.count)
    // Stored reports may use the space up to the reserve.
    #expect(unlink(server.seen(home + "/ballast")) == 0)
    #expect(server.ask("POST", "/api/v1/reports?name=after", body: try report(-1))?.status == 202)
    #expect(server.waitForQueue())
    #expect(Set(names(in: server)) == Set(accepted + ["after"]))
    #expect(names(in: server).count == accepted.count + 1)
    #expect(server.stop() == 0)
  }

  /// Statuses of a server for requests of every kind.
  private func answers(of server: RunningServer, token: String) throws -> [String: WebClient.Answer]
  {
    let requests: [(String, String, [UInt8]?)] = [
      ("GET", "/healthz", nil), ("GET", "/readyz", nil), ("GET", "/api/v1/groups", nil),
      ("POST", "/api/v1/reports", try report(1)), ("PUT", "/api/v1/symbols", try report(2)),
      ("POST", "/logs", Array(#"{"logs":[]}"#.utf8)),
      ("POST", "/api/v1/apps", Array(#"{"name":"Gull"}"#.utf8)),
      ("POST", "/v0.1/apps/me/Tern/symbol_uploads", Array(#"{"symbol_type":"Apple"}"#.utf8)),
      ("POST", "/api/v1/uploads", Array(#"{"size":9,"sha256":"\#(digest)","kind":"report"}"#.utf8)),
    ]
    var answers: [String: WebClient.Answer] = [:]
    for (method, path, body) in requests {
      let answer: WebClient.Answer = try #require(
        server.ask(method, path, token: token, body: body), "\(path)")
      answers[path] = answer
    }
    return answers
  }

  private let digest = String(repeating: "0", count: 64)

  @Test(
    "A server that was killed on a full disk starts, shows what is stored, accepts nothing, and goes on",
    .enabled(
      if: Run.mayMount, "file systems can be mounted by root only, with `mount` and `unshare`"),
    arguments: [true, false])
  func killedOnFullDisk(hasReserve: Bool) throws {
    let home = folder.path("home")
    mkdir(home, 0o700)
    let script = """
      set -e
      mount -t tmpfs -o size=48m,mode=700 none '\(home)'
      "$0" ingest --home '\(home)' '\(Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips"))' >/dev/null
      "$0" tokens add test --scope admin --home '\(home)' >'\(folder.path("token"))'
      "$0" serve --listen 0 --home '\(home)' 2>'\(folder.path("log"))' &
      while ! grep -q Listening '\(folder.path("log"))'; do sleep 0.05; done
      \(hasReserve ? ":" : "rm -f '\(home)/reserve'")
      head -c 99m /dev/zero >'\(home)/fill' 2>/dev/null || true
      kill -9 $!
      wait $! 2>/dev/null || true
      "$0" doctor --home '\(home)' >'\(folder.path("doctor"))' 2>&1 || true
      exec "$0" "$@"
      """
    let server = try #require(
      RunningServer(
        home: home, token: "none", wrapper: ["/usr/bin/unshare", "-m", "/bin/sh", "-c", script]))
    let token = try ByteView(reading: folder.path("token"), limit: 1_000).text.filter {
      !$0.isWhitespace
    }
    let full = try answers(of: server, token: token)
    #expect(full["/healthz"]?.status == 200)
    for (path, answer) in full where !["/healthz", "/api/v1/groups"].contains(path) {
      #expect(answer.status == 503, "\(path): \(answer.text)")
    }
    for (path, answer) in full {
      #expect(
        !answer.text.contains(home) && !answer.text.contains(".db"), "\(path): \(answer.text)")
    }
    if hasReserve { #expect(full["/api/v1/groups"]?.text.contains("Tern") == true) }
    #expect(server.errors.contains("disk"))
    let doctor = try ByteView(reading: folder.path("doctor"), limit: 1 << 20).text
    #expect(doctor.contains("FAILED  disk") && doctor.contains("free disk space"), "\(doctor)")
    #expect(!doctor.contains("bug") && !doctor.contains("restore"), "\(doctor)")

    #expect(unlink(server.seen(home + "/fill")) == 0)
    #expect(
      RunningMayday.wait { server.ask("GET", "/readyz", token: token)?.status == 200 })
    let free = try answers(of: server, token: token)
    #expect(free["/api/v1/reports"]?.status == 202, "\(free["/api/v1/reports"]?.text ?? "")")
    #expect(free["/api/v1/groups"]?.text.contains("Tern") == true)
    #expect(server.stop() == 0)
  }

  @Test("If files may not grow, failing writes are refused, and the rest is stored once")
  func limitedFiles() throws {
    let home = folder.path("home")
    var accepted: [String] = []
    var refusals: [Int] = []
    var token = ""
    do {
      // In blocks of 512 bytes: a mebibyte.
      let server = try #require(
        RunningServer(
          home: home, options: ["--rate", "0"],
          wrapper: ["/bin/sh", "-c", "ulimit -f 2048; exec \"$0\" \"$@\""]))
      token = server.token
      for number in 0..<20 {
        let name = "report-\(number)"
        let answer = server.ask(
          "POST", "/api/v1/reports?name=\(name)", body: try report(number, size: 150_000))
        if answer?.status == 202 {
          accepted.append(name)
        } else {
          refusals.append(answer?.status ?? 0)
        }
      }
      #expect(!refusals.isEmpty && refusals.allSatisfy { $0 == 503 }, "\(refusals)")
      #expect(!accepted.isEmpty)
      #expect(server.metric("mayday_intake_accepted_total") == accepted.count)
      #expect(server.stop(SIGKILL) == 128 + SIGKILL)
    }
    let server = try #require(RunningServer(home: home, token: token))
    #expect(server.waitForQueue())
    #expect(names(in: server).sorted() == accepted.sorted())
    #expect(server.stop() == 0)
  }

  @Test(
    "On a disk that cannot be written the server says so, and does not start",
    .enabled(
      if: Run.mayMount, "file systems can be mounted by root only, with `mount` and `unshare`"))
  func readOnly() throws {
    let home = folder.path("home")
    mkdir(home, 0o700)
    let script = """
      mount -t tmpfs none "$1" && "$0" apps add Tern --home "$1" >/dev/null && mount -o remount,ro "$1" \
        && exec "$0" serve --listen 0 --home "$1"
      """
    let run = Run(
      ["-m", "/bin/sh", "-c", script, BuiltProgram.mayday, home], program: "/usr/bin/unshare")
    #expect(run.status == 4)
    #expect(run.errors.contains(home), "\(run.errors)")
    #expect(!run.errors.contains("Listening"))
  }

  @Test(
    "A clock that jumps back and far ahead loses nothing and counts nothing twice",
    .enabled(if: access("/usr/bin/faketime", X_OK) == 0, "faketime is not installed"))
  func clock() throws {
    let clock = folder.write("clock", Array("+0".utf8))
    let library = try #require(
      Run(["-f", "+0", "/bin/sh", "-c", "printf %s \"$LD_PRELOAD\""], program: "/usr/bin/faketime")
        .output.split(separator: ":").last)
    #expect(library.contains("faketime"))
    let server = try #require(
      RunningServer(
        home: folder.path("home"), options: ["--rate", "0"],
        wrapper: ["/usr/bin/env"],
        environment: [
          "LD_PRELOAD=\(library)", "FAKETIME_TIMESTAMP_FILE=\(clock)", "FAKETIME_NO_CACHE=1",
          "FAKETIME_DONT_FAKE_MONOTONIC=1",
        ]))
    var number = 0
    for offset in ["+0", "-3d", "+40d", "-1h", "+2y"] {
      _ = folder.write("clock", Array(offset.utf8))
      for _ in 0..<4 {
        number += 1
        let answer = server.ask(
          "POST", "/api/v1/reports?name=r\(number)", body: try report(number))
        #expect(answer?.status == 202, "\(offset): \(answer?.text ?? "")")
      }
      #expect(server.waitForQueue(), "\(offset)")
    }
    #expect(Set(names(in: server)) == Set((1...number).map { "r\($0)" }))
    #expect(names(in: server).count == number)
    #expect(server.stop() == 0)
    #expect(Run(["stats", "--ledger", "--home", server.home]).status == 0)
  }
}

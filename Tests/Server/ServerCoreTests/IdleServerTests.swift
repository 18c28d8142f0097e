import Bytes
import Glibc
import Identifiers
import JSON
import ServerStore
import TestSupport
import Testing

@testable import ProgramSupport

/// A server starts the process that stores reports when there is work, wherever it comes from.
@Suite("Idle servers", .serialized)
struct IdleServerTests {
  private let folder = ScratchFolder()
  private let sample = Samples.path("apple-ips/abort-1.0.0-macos-x86_64.ips")

  /// Leaves submissions in the queue of a home that no server works on.
  private func submit(_ bodies: [ByteView], to home: String) throws {
    let queue = IntakeQueue(in: try ServerStore(opening: home))
    for body in bodies {
      try queue.submit(
        IntakeRecord(route: "reports", received: Timestamp(seconds: 1_700_000_000), body: body))
    }
  }

  @Test("One process while idle; a second one when reports arrive, and one again when it has ended")
  func once() throws {
    let server = try #require(RunningServer(home: folder.path("home")))
    #expect(server.ask("GET", "/readyz")?.status == 200)
    #expect(server.children.isEmpty)
    let doctor = Run(["doctor", "--home", server.home])
    #expect(doctor.output.contains("0 wait; a server is ready"))

    for text in ["", "\nanother"] {
      let body = try ByteView(mapping: sample).text + text
      #expect(server.ask("POST", "/api/v1/reports", body: Array(body.utf8))?.status == 202)
      #expect(server.waitForQueue())
      #expect(server.children.count == 1)
      for process in server.children { kill(process, SIGKILL) }
      #expect(RunningMayday.wait { server.errors.contains("signal 9") && server.children.isEmpty })
    }
    #expect(server.json("/api/v1/reports")["total"]?.integer == 2)
    #expect(server.stop() == 0)
    #expect(Run(["doctor", "--home", server.home]).output.contains("no server runs here"))
  }

  @Test("Submissions left in the queue are stored after the start, without new ones")
  func left() throws {
    let home = folder.path("home")
    try submit([try ByteView(mapping: sample)], to: home)
    let server = try #require(RunningServer(home: home))
    #expect(server.waitForQueue())
    #expect(server.json("/api/v1/reports")["total"]?.integer == 1)
    #expect(server.stop() == 0)
  }

  @Test("Work that a command leaves is done by a server that was idle")
  func command() throws {
    let home = folder.path("home")
    try submit([ByteView("no report".utf8)], to: home)
    let server = try #require(RunningServer(home: home))
    #expect(server.waitForQueue())
    #expect(server.metric("mayday_queue_quarantined") == 1)
    for process in server.children { kill(process, SIGKILL) }
    #expect(RunningMayday.wait { server.children.isEmpty })
    #expect(Run(["intake", "retry", "--all", "--home", home]).status == 0)
    #expect(RunningMayday.wait { server.children.count == 1 })
    #expect(server.waitForQueue())
    #expect(server.metric("mayday_queue_quarantined") == 1)
    #expect(server.stop() == 0)
  }

  @Test("The process that stores reports ends when idle, and all reports are stored")
  func rest() throws {
    let home = folder.path("home")
    try submit([try ByteView(mapping: sample), ByteView("no report".utf8)], to: home)
    // Not only at its end, like submissions that a server holds.
    let input = folder.path("input")
    #expect(mkfifo(input, 0o600) == 0)
    let words = "exec \(BuiltProgram.mayday) work --rest-after 1 --home \(home) <> \(input)"
    let worker = RunningMayday(["-c", words], home: home, program: "/bin/sh")
    // No signal: only its end.
    #expect(worker.stop(0) == 0, "\(worker.errors)")
    #expect(Run(["reports", "--json", "--home", home]).json.array?.count == 1)
    let counts = try IntakeQueue(in: ServerStore(opening: home)).counts()
    #expect(counts.stored == 1 && counts.quarantined == 1 && counts.waiting + counts.working == 0)
  }
}

import Bytes
import ChildProcess
import Files
import Glibc
import Testing

@Suite("Child processes")
struct ChildProcessTests {
  private func shell(
    _ script: String, _ surroundings: ChildProcess.Surroundings
  ) throws -> ChildProcess {
    let nothing = try OpenFile.opening("/dev/null")
    return try ChildProcess(
      ["sh", "-c", script], program: "/bin/sh", input: nothing.number, surroundings: surroundings)
  }

  @Test(
    "The end of a process is reported as its status or its signal",
    arguments: [
      ("exit 3", 3, nil, "ended with status 3"), ("exit 0", 0, nil, "ended with status 0"),
      ("kill -15 $$", nil, 15, "was killed by signal 15 (Terminated)"),
      ("kill -31 $$", nil, 31, "was stopped at a forbidden system call"),
    ] as [(String, Int32?, Int32?, String)])
  func ends(script: String, code: Int32?, signal: Int32?, words: String) throws {
    let child = try shell(script, .none)
    let status = child.wait()
    #expect(status.code == code && status.signal == signal && status.description == words)
    #expect(child.wait() == status)
    // Its id may belong to another process by now.
    child.send(SIGKILL)
  }

  @Test("A missing program is an error with its reason")
  func missing() throws {
    let nothing = try OpenFile.opening("/dev/null")
    #expect(throws: FileError("start", path: "/none", code: ENOENT)) {
      try ChildProcess(["x"], program: "/none", input: nothing.number, surroundings: .none)
    }
  }

  @Test("A process is killed when its object is deallocated")
  func killed() throws {
    let pipe = try OpenFile.pipe()
    var child: ChildProcess? = try ChildProcess(
      ["sleep", "1000"], program: "/bin/sleep", input: pipe.reading.number,
      output: pipe.writing.number, surroundings: .none)
    #expect(child != nil)
    child = nil
    _ = consume pipe.writing
    #expect(try pipe.reading.next(1, name: "pipe").isEmpty)
  }

  @Test("A sandboxed child inherits nothing from its environment")
  func surroundings() throws {
    setenv("MAYDAY_TEST_SECRET", "1", 1)
    let nothing = try OpenFile.opening("/dev/null")
    var child = try SandboxedChild(
      ["sh", "-c", "env; ls /proc/self/fd"], program: "/bin/sh", input: nothing.number,
      patience: 60_000_000_000)
    let output = child.all(limit: 1 << 20)
    let text = String(decoding: try #require(output), as: UTF8.self)
    #expect(text.contains("TZ=UTC0") && !text.contains("MAYDAY_TEST_SECRET"))
  }

  @Test("Output is refused if it is too long, too late, or from a failed process")
  func output() throws {
    let nothing = try OpenFile.opening("/dev/null")
    func all(_ script: String, limit: Int = 100, seconds: Int64 = 60) throws -> [UInt8]? {
      var child = try SandboxedChild(
        ["sh", "-c", script], program: "/bin/sh", input: nothing.number,
        patience: seconds * 1_000_000_000)
      return child.all(limit: limit)
    }
    #expect(try all("printf abc") == Array("abc".utf8))
    #expect(try all("printf abc; exit 1") == nil)
    #expect(try all("yes", limit: 1 << 17) == nil)
    #expect(try all("sleep 1000", seconds: 0) == nil)
  }

  @Test("A finished child keeps its own status; a running one does not")
  func endings() throws {
    let nothing = try OpenFile.opening("/dev/null")
    for (script, words) in [
      ("exit 7", "ended with status 7"), ("kill -15 $$", "was killed by signal 15 (Terminated)"),
      ("exec 1>&-; sleep 1000", "stopped answering"),
    ] {
      var child = try SandboxedChild(
        ["sh", "-c", script], program: "/bin/sh", input: nothing.number,
        patience: 60_000_000_000)
      var buffer = [UInt8](repeating: 0, count: 10)
      do throws(SandboxedChild.Failure) {
        _ = try child.read(into: &buffer)
        Issue.record("there is output")
      } catch {
        #expect(error == .ended(words))
      }
    }
  }
}

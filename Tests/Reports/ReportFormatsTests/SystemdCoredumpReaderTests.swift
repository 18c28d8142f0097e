import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Journal entries of an invented program.
@Suite("systemd-coredump") struct SystemdCoredumpReaderTests {
  private static func sample() throws -> ByteView {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    return try ByteView(
      reading: root.joined(separator: "/") + "/Samples/systemd-coredump/null-read-journal.txt",
      limit: 1 << 20)
  }

  private func reports(in bytes: some Sequence<UInt8>) throws -> [CrashReport] {
    do throws(ParseError) {
      return try FormatRegistry.builtIn.reports(in: ByteView(Array(bytes)))
    } catch { return [] }
  }

  private static let message = """
    Process 2217 (tern) of user 1000 dumped core.

    Stack trace of thread 2217:
    #0  0x0000555f076397a0 total (tern + 0x17a0)
    #1  0x00007fab3c04524a n/a (libc.so.6 + 0x2724a)
    """

  @Test("The text of the journal is read completely")
  func text() throws {
    let reports = try reports(in: Self.sample().array)
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format.description == "systemd-coredump" && report.notes.isEmpty)
    #expect(report.process.pid == 2217 && report.process.name == "tern")
    #expect(report.device.architecture == .x86_64)
    #expect(report.threads.map(\.id) == [2217, 2218] && report.crashedThread == 0)
    let frames = report.threads[0].frames
    #expect(frames.first?.function == "Cart::total(std::string const&) const")
    #expect(frames.map { $0.imageOffset?.value } == [0x17a0, 0x138d, 0x2724a])
    #expect(frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
    #expect(report.threads[1].frames.first?.function == nil)
    #expect(report.images.map(\.name) == ["tern", "libc.so.6"])
    #expect(report.images[0].base == Address(0x555f_0763_8000))
    #expect(
      report.images[0].codeID?.description == "0123456789abcdef0123456789abcdef01234567")
    #expect(report.images[1].version == "glibc-2.36-9+deb12u4.amd64")
  }

  @Test("Names and modules may contain spaces and brackets")
  func brackets() throws {
    let text = """
      Process 17816 (tern) of user 0 dumped core.

      Stack trace of thread 17816:
      #0  0x0000555f076397a0 n/a (tern (2).so + 0x17a0)
      #1  0x0000555f076397b0 operator new (unsigned long) (lib tern (3).so + 0x17b0)
      """
    let report = try #require(
      try FormatRegistry.builtIn.reports(in: ByteView(Array(text.utf8))).first)
    #expect(
      report.threads.first?.frames.map(\.function) == [nil, "operator new (unsigned long)"])
    #expect(report.images.map(\.name) == ["tern (2).so", "lib tern (3).so"])
  }

  @Test("coredumpctl info gives the signal and the path")
  func info() throws {
    let lines = Self.message.split(separator: "\n", omittingEmptySubsequences: false)
    let text =
      "           PID: 2217 (tern)\n        Signal: 11 (SEGV)\n    Executable: /opt/tern/bin/tern\n"
      + "       Message: " + lines.joined(separator: "\n                ") + "\n"
    let reports = try reports(in: (text + text).utf8)
    #expect(reports.count == 2)
    let report = try #require(reports.first)
    #expect(report.reason.signal == "SIGSEGV" && report.process.path == "/opt/tern/bin/tern")
    #expect(report.images.first?.path == "/opt/tern/bin/tern")
    #expect(report.threads.map(\.frames.count) == [2])
  }

  @Test("The export format with multi-line values, and secrets left out")
  func export() throws {
    func field(_ key: String, _ value: String) -> [UInt8] {
      var bytes = Array(key.utf8) + [10]
      for shift in stride(from: 0, to: 64, by: 8) {
        bytes.append(UInt8(value.utf8.count >> shift & 0xff))
      }
      return bytes + Array(value.utf8) + [10]
    }
    var entry = Array("__CURSOR=s=1\n_HOSTNAME=counter\nPRIORITY=2\n".utf8)
    entry += field("MESSAGE", Self.message)
    entry += field("COREDUMP_ENVIRON", "TOKEN=secret\nPATH=/bin\n")
    entry += Array(
      "COREDUMP_PID=2217\nCOREDUMP_SIGNAL_NAME=SIGSEGV\nCOREDUMP_EXE=/opt/tern/bin/tern\n".utf8)
    entry += Array("COREDUMP_TIMESTAMP=1795230465000000\n\n".utf8)
    let other = Array("__CURSOR=s=2\nMESSAGE=Started tern.\n\n".utf8)
    let reports = try reports(in: other + entry + entry)
    #expect(reports.count == 2)
    let report = try #require(reports.first)
    #expect(report.reason.signal == "SIGSEGV" && report.time?.seconds == 1_795_230_465)
    #expect(report.threads.map(\.frames.count) == [2])
    #expect(!"\(report)".contains("secret"))
    for count in stride(from: 0, to: entry.count, by: 3) {
      #expect(try self.reports(in: entry[..<count]).count <= 1)
    }
  }

  @Test("JSON with lists of bytes, and build ids among the packages")
  func json() throws {
    let bytes = Self.message.utf8.map { String($0) }.joined(separator: ",")
    let packages = #"{\"/opt/tern/bin/tern\":{\"buildId\":\"0123456789abcdef\"}}"#
    let entry =
      #"{"MESSAGE":["# + bytes + #"],"COREDUMP_PID":"2217","COREDUMP_SIGNAL":"6","#
      + #""COREDUMP_PROC_MAPS":null,"COREDUMP_PACKAGE_JSON":""# + packages + #""}"#
    let reports = try reports(in: "\(entry)\n{\"MESSAGE\":\"x\"}\n\(entry)\n".utf8)
    #expect(reports.count == 2)
    #expect(reports.first?.reason.signal == "SIGABRT")
    #expect(reports.first?.images.first?.codeID?.description == "0123456789abcdef")
  }

  @Test("Damaged anywhere, it is read or refused")
  func mutations() throws {
    let bytes = try Self.sample().array
    var mutator = Mutator(seed: 19)
    for _ in 0..<200 {
      for report in try reports(in: mutator.mutated(bytes)) {
        #expect(report.threads.flatMap(\.frames).count < 1000)
      }
    }
  }
}

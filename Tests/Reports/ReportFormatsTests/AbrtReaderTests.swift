import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Problems of ABRT about made-up programs.
@Suite("Problems of ABRT") struct AbrtReaderTests {
  private func report(in text: String, _ format: String = "abrt") throws -> CrashReport {
    let report = try #require(try FormatRegistry.builtIn.reports(in: ByteView(text.utf8)).first)
    #expect(report.format.description == format)
    return report
  }

  private static let id = "92ebaf825e4f492952c45189cb9ffc6541f8599b"

  private static let stack = """
    "stacktrace": [
      {"frames": [{"address": 4096, "build_id": "\(id)", "build_id_offset": 42,
                   "function_name": "poll", "file_name": "/usr/lib64/libc.so.6"}]},
      {"crash_thread": true, "frames": [
        {"address": 18446744073709551600, "fingerprint": "f33186a4"},
        {"address": 94326000005427, "build_id": "\(id)", "build_id_offset": 1123,
         "file_name": "/usr/bin/tern", "function_name": "main", "fingerprint": "5ff4a3d3"}]}]
    """

  static let report = """
    {"ureport_version": 2, "reason": "Program /usr/bin/tern was terminated by signal 11",
     "os": {"name": "fedora", "version": "40", "architecture": "x86_64"},
     "problem": {"type": "core", "executable": "/usr/bin/tern", "signal": 11, "component": "tern",
                 "user": {"root": false}, \(stack)},
     "packages": [{"name": "glibc", "version": "2.39", "release": "1.fc40"},
                  {"name": "tern", "version": "1.1.0", "release": "2.fc40",
                   "package_role": "affected"}]}
    """

  @Test("A report for a server: signal, threads, build ids and offsets, package and system")
  func native() throws {
    let report = try report(in: Self.report)
    #expect(report.reason.signal == "SIGSEGV" && report.crashedThread == 1)
    #expect(report.threads.map(\.crashed) == [false, true])
    let frames = report.threads[1].frames
    #expect(frames.map(\.address) == [Address(.max - 15), Address(94_326_000_005_427)])
    #expect(frames.map(\.position) == [.exact, .returnAddress])
    #expect(frames[1].imageOffset == ImageOffset(1123) && frames[1].function == "main")
    #expect(report.images.map(\.name) == ["libc.so.6", "tern"])
    #expect(report.images[1].codeID?.description == Self.id)
    #expect(report.images[1].base == Address(94_326_000_005_427 - 1123))
    #expect(report.app.name == "tern" && report.app.version == "1.1.0-2.fc40")
    #expect(report.process.path == "/usr/bin/tern" && report.device.architecture == .x86_64)
    #expect(report.os.name == "Linux" && report.tags[.distribution] == "fedora 40")
    #expect(report.tags[.title] == "Program /usr/bin/tern was terminated by signal 11")
  }

  @Test("The stack alone")
  func stackAlone() throws {
    let report = try report(in: "{\"signal\": 6, \"executable\": \"/usr/bin/tern\", \(Self.stack)}")
    #expect(report.reason.signal == "SIGABRT" && report.threads.count == 2)
  }

  @Test("Exceptions of Python, Ruby and JavaScript", arguments: ["python", "ruby", "js"])
  func languages(kind: String) throws {
    let stack = """
      "exception_name": "TernError", "stacktrace": [
        {"file_name": "/usr/lib/tern/desk", "file_line": 13, "function_name": "charge"},
        {"file_name": "/usr/bin/tern", "file_line": 8, "special_function": "main"}]
      """
    for text in [
      "{\"ureport_version\": 2, \"problem\": {\"type\": \"\(kind)\", \(stack)}}", "{\(stack)}",
    ] {
      let report = try report(in: text)
      let exception = try #require(report.reason.exception)
      #expect(exception.type == "TernError")
      #expect(exception.frames.map(\.function) == ["charge", "main"])
      #expect(exception.frames.map(\.line) == [13, 8])
      #expect(exception.frames[0].file == "/usr/lib/tern/desk")
    }
  }

  @Test("Java: the root cause comes first in the text, and last in the chain")
  func java() throws {
    let report = try report(
      in: """
        {"ureport_version": 2, "problem": {"type": "java", "threads": [{"name": "main", "frames": [
          {"name": "java.lang.NullPointerException", "is_exception": true, "message": "no desk"},
          {"name": "org.example.Desk.open", "file_name": "Desk.java", "file_line": 7,
           "is_exception": false},
          {"name": "org.example.TernError", "is_exception": true},
          {"name": "org.example.Tern.main", "file_name": "Tern.java", "file_line": 20,
           "is_exception": false}]}]}}
        """)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "org.example.TernError" && exception.message == nil)
    #expect(exception.frames.map(\.function) == ["org.example.Tern.main"])
    #expect(exception.inner.map(\.type) == ["java.lang.NullPointerException"])
    #expect(exception.inner[0].frames.map(\.line) == [7])
    #expect(report.tags[.threadName] == "main")
  }

  @Test("Kernels: the text if it is there, otherwise the frames with sizes and trust")
  func kernel() throws {
    let text = try report(
      in: """
        {"ureport_version": 2, "os": {"name": "fedora", "version": "40"},
         "problem": {"type": "kerneloops", "raw_oops":
         "WARNING: CPU: 3 PID: 528 at tern.c:795 tern_read+0x89/0x90 [tern]()\\nCall Trace:\\n [<ffffffff81667ed5>] dump_stack+0x45/0x56\\n [<ffffffffa0317a09>] tern_read+0x89/0x90 [tern]\\n"}}
        """, "linux-kernel")
    #expect(text.tags[.distribution] == "fedora 40")
    #expect(text.tags[.title]?.contains("tern_read") == true)
    let frames = try report(
      in: """
        {"version": "6.8.0", "taint_flags": ["module_out_of_tree"], "frames": [
          {"address": 18446744072104914092, "reliable": true, "function_name": "tern_read",
           "function_offset": 172, "function_length": 304, "module_name": "tern"},
          {"reliable": false, "function_name": "kthread", "function_offset": 1}]}
        """, "linux-kernel")
    #expect(frames.threads[0].frames.map(\.trust) == [.given, .scan])
    #expect(frames.threads[0].frames[0].symbolSize == 304)
    #expect(frames.images.map(\.name) == ["tern.ko", "vmlinux"] && frames.os.version == "6.8.0")
  }

  static let problem = """
    ABRT-Problem: 1
    type: CCpp
    executable: /usr/bin/tern
    reason: tern killed by SIGSEGV
    time: 1665082632
    pid: 4217
    pkg_name: tern
    pkg_version: 1.1.0
    pkg_release: 2.fc40
    os_release: Fedora release 40 (Forty)
    kernel: 6.8.0-1.fc40.x86_64
    architecture: x86_64
    backtrace:
     [New LWP 4217]
     Core was generated by `tern --secret'.
     Program terminated with signal SIGSEGV, Segmentation fault.
     #0  0x00007f0000000010 in Cart::total (this=0x0) at till.cpp:8
     #1  0x000055ca0e2c7533 in main () at till.cpp:20
    core_backtrace:
     {"signal": 11, "stacktrace": [{"crash_thread": true, "frames": [
       {"address": 139637976727568, "build_id": "\(id)", "build_id_offset": 16,
        "file_name": "/usr/lib64/libtern.so"},
       {"address": 94326309549363, "build_id": "\(id)", "build_id_offset": 30003,
        "file_name": "/usr/bin/tern"}]}]}

    """

  @Test("The folder of a problem: gdb's names and lines, satyr's build ids and offsets")
  func folder() throws {
    let report = try report(in: Self.problem)
    #expect(report.reason.signal == "SIGSEGV" && report.process.pid == 4217)
    #expect(report.time == Timestamp(seconds: 1_665_082_632))
    #expect(report.app.name == "tern" && report.app.version == "1.1.0-2.fc40")
    #expect(report.os.version == "6.8.0-1.fc40.x86_64")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.map(\.function) == ["Cart::total", "main"] && frames.map(\.line) == [8, 20])
    #expect(frames.map { $0.imageOffset?.value } == [16, 30003])
    #expect(report.images.map(\.name) == ["libtern.so", "tern"])
    #expect(report.images.allSatisfy { $0.codeID?.description == Self.id })
    #expect(!"\(report)".contains("secret"))
  }

  @Test("Without a stack it is refused by its name")
  func refusal() {
    for text in [
      "{\"ureport_version\": 2, \"problem\": {\"type\": \"xorg\"}}",
      "ABRT-Problem: 1\ntype: CCpp\nreason: tern killed by SIGSEGV\n",
    ] {
      #expect {
        _ = try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
      } throws: {
        ($0 as? ParseError)?.structure == "a problem of ABRT without a stack"
      }
    }
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    var mutator = Mutator(seed: 9)
    for text in [Self.report, Self.problem] {
      let bytes = Array(text.utf8)
      for count in bytes.indices {
        check(Array(bytes[..<count]))
      }
      for _ in 0..<200 { check(mutator.mutated(bytes)) }
    }
  }

  private func check(_ bytes: [UInt8]) {
    do throws(ParseError) {
      let reports = try FormatRegistry.builtIn.reports(in: ByteView(bytes))
      #expect(reports.flatMap(\.threads).flatMap(\.frames).count < 100)
    } catch {
      #expect(!error.refusal.isEmpty)
    }
  }
}

import Bytes
import Compression
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

/// Crash files of Apport about a made-up program.
@Suite("Crash files of Apport") struct ApportReaderTests {
  private func reports(in text: String) throws -> [CrashReport] {
    do throws(ParseError) {
      return try FormatRegistry.builtIn.reports(in: ByteView(text.utf8))
    } catch {
      try #require(error.kind != .notRecognised || !error.structure.isEmpty)
      return []
    }
  }

  private func report(in text: String) throws -> CrashReport {
    let report = try #require(try FormatRegistry.builtIn.reports(in: ByteView(text.utf8)).first)
    #expect(report.format.description == "apport")
    return report
  }

  static let head = """
    ProblemType: Crash
    Architecture: amd64
    Date: Sat Nov 21 02:41:00 2026
    DistroRelease: Ubuntu 24.04
    ExecutablePath: /usr/bin/tern
    Package: tern 1.1.0-2ubuntu1 [origin: unknown]
    ProcCmdline: tern --password secret
    ProcEnviron:
     LANG=C.UTF-8
     TOKEN=secret
    ProcStatus:
     Name:\ttern
     Pid:\t4217

    """

  static let native =
    head + """
      ProcMaps:
       55d000000000-55d000002000 r-xp 00000000 08:01 42 /usr/bin/tern
       7f0000000000-7f0000100000 r-xp 00000000 08:01 43 /usr/lib/libc.so.6
      Registers:
       rax            0x0                 0
       rip            0x7f0000001234      0x7f0000001234 <raise+4>
      SegvReason: reading NULL VMA
      Signal: 11
      SignalName: SIGSEGV
      Stacktrace:
       #0  raise (sig=6) at ../raise.c:26
       #0  raise (sig=6) at ../raise.c:26
       #1  0x000055d000001300 in Cart::total (this=0x0,
           count=2) at till.cpp:8
       #2  0x000055d000001400 in main () at till.cpp:20
      StacktraceTop:
       raise (sig=6) at ../raise.c:26
      ThreadStacktrace:
       .
       Thread 2 (Thread 0x7f01 (LWP 4218)):
       #0  0x00007f0000002000 in poll () from /usr/lib/libc.so.6
       No symbol table info available.
       .
       Thread 1 (Thread 0x7f02 (LWP 4217)):
       #0  raise (sig=6) at ../raise.c:26
               ret = 0
       #1  0x000055d000001300 in Cart::total (this=0x0,
           count=2) at till.cpp:8
       #2  0x000055d000001400 in main () at till.cpp:20
      Title: tern crashed with SIGSEGV in Cart::total()
      Uname: Linux 6.8.0-31-generic x86_64

      """

  @Test("The stacks that gdb printed, with registers, images, and the crashed process")
  func stacks() throws {
    let report = try report(in: Self.native)
    #expect(report.reason.signal == "SIGSEGV" && report.kind == .crash)
    #expect(report.app.name == "tern" && report.app.version == "1.1.0-2ubuntu1")
    #expect(report.process.path == "/usr/bin/tern" && report.process.pid == 4217)
    #expect(report.os.name == "Linux" && report.os.version == "6.8.0-31-generic")
    #expect(report.tags[.distribution] == "Ubuntu 24.04" && report.device.architecture == .x86_64)
    #expect(report.tags[.title] == "tern crashed with SIGSEGV in Cart::total()")
    #expect(report.tags[.cause] == "reading NULL VMA")
    #expect(
      report.time == Timestamp(year: 2026, month: 11, day: 21, hour: 2, minute: 41, second: 0))
    #expect(report.threads.map(\.id) == [4218, 4217] && report.crashedThread == 1)
    let thread = report.threads[1]
    #expect(thread.frames.map(\.function) == ["raise", "Cart::total", "main"])
    #expect(thread.frames.map(\.line) == [26, 8, 20] && thread.registers.count == 2)
    #expect(
      thread.frames.map { $0.imageOffset?.value } == [0x1234, 0x1300, 0x1400])
    #expect(thread.frames.map(\.position) == [.exact, .returnAddress, .returnAddress])
    #expect(report.images.map(\.name) == ["tern", "libc.so.6"] && report.notes.isEmpty)
    #expect(!"\(report)".contains("secret"))
  }

  private static func base64(_ bytes: some Collection<UInt8>) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let part = rest.prefix(3)
      rest = rest.dropFirst(3)
      let value = part.enumerated().reduce(0) { $0 | Int($1.element) << (16 - 8 * $1.offset) }
      for index in 0..<4 {
        text.append(
          index <= part.count ? digits[value >> (18 - 6 * index) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func core() throws -> [UInt8] {
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
    let folder = root.joined(separator: "/") + "/Samples/elf-core/"
    return try ByteView(
      reading: folder + "null-read-1.1.0-gcc-O2.core", limit: 64 << 20
    ).array
  }

  /// A core as Apport writes it: the gzip header first, then parts, each with its own padding.
  private static func packed(_ bytes: [UInt8], in pieces: Int) throws -> String {
    let gzip = try Gzip.compress(ByteView(bytes)).array
    var lines = [base64(gzip[..<10])]
    var start = 10
    while start < gzip.count {
      let end = min(gzip.count, start + pieces)
      lines.append(base64(gzip[start..<end]))
      start = end
    }
    return head + "Signal: 11\nCoreDump: base64\n"
      + lines.map { " \($0)\n" }.joined()
  }

  @Test("A core without stacks, packed in parts or at once, also before other keys")
  func core() throws {
    let bytes = try Self.core()
    for text in [
      try Self.packed(bytes, in: 4096), try Self.packed(bytes, in: 1 << 30),
      try Self.packed(bytes, in: 1000) + "Uname: Linux 6.8.0-31-generic x86_64\n",
    ] {
      let report = try report(in: text)
      #expect(report.reason.signal == "SIGSEGV" && report.memory != nil && report.notes.isEmpty)
      #expect(report.threads.first?.registers.isEmpty == false && !report.images.isEmpty)
      #expect(report.process.path == "/usr/bin/tern" && report.app.version == "1.1.0-2ubuntu1")
    }
  }

  @Test("A truncated core gives the available data, with a note")
  func cutCore() throws {
    let text = try Self.packed(Self.core(), in: 4096)
    let report = try report(in: String(text.prefix(text.utf8.count * 3 / 4)))
    #expect(report.reason.signal == "SIGSEGV")
    #expect(report.notes.contains("the core is cut off or damaged: what follows is missing"))
  }

  @Test("With a core and named stacks, the stacks are used, and the core's images")
  func both() throws {
    let report = try report(
      in: Self.packed(Self.core(), in: 4096) + """
        Stacktrace:
         #0  0x0000000000001000 in raise (sig=6) at ../raise.c:26
         #1  0x0000000000001300 in Cart::total (this=0x0) at till.cpp:8

        """)
    #expect(report.threads.first?.frames.map(\.function) == ["raise", "Cart::total"])
    #expect(report.memory == nil && report.images.contains { $0.hasBuildID })
    let nameless = try self.report(
      in: Self.packed(Self.core(), in: 4096) + """
        Stacktrace:
         #0  0x0000000000001000 in ?? ()
         #1  0x0000000000001300 in ?? ()

        """)
    #expect(nameless.memory != nil)
  }

  @Test("Python's exception with its causes")
  func python() throws {
    let report = try report(
      in: Self.head + """
        InterpreterPath: /usr/bin/python3.12
        PythonArgs: ['tern', '--password', 'secret']
        Traceback:
         Traceback (most recent call last):
           File "/usr/bin/tern", line 12, in charge
             return int(count)
         ValueError: no number
        \u{20}
         During handling of the above exception, another exception occurred:
        \u{20}
         Traceback (most recent call last):
           File "/usr/bin/tern", line 20, in <module>
             charge("two")
         RuntimeError: the desk is closed
        Uname: Linux 6.8.0-31-generic x86_64

        """)
    let exception = try #require(report.reason.exception)
    #expect(exception.type == "RuntimeError" && exception.inner.map(\.type) == ["ValueError"])
    #expect(report.app.name == "tern" && report.process.name == "tern")
  }

  @Test("An oops is the kernel's report")
  func kernel() throws {
    let reports = try reports(
      in: """
        ProblemType: KernelOops
        Architecture: amd64
        DistroRelease: Ubuntu 24.04
        OopsText:
         BUG: unable to handle page fault for address: 0000000000000018
         #PF: supervisor read access in kernel mode
         Oops: 0000 [#1] SMP
         CPU: 1 PID: 42 Comm: tern Not tainted 6.8.0 #1
         RIP: 0010:tern_read+0x1b/0x80 [tern]
         Call Trace:
          vfs_read+0x9d/0x150
        Package: linux-image-6.8.0 6.8.0-31

        """)
    let report = try #require(reports.first)
    #expect(report.format.description == "linux-kernel")
    #expect(report.tags[.distribution] == "Ubuntu 24.04")
  }

  @Test("Without stacks, the addresses of the signature are frames")
  func signature() throws {
    let report = try report(
      in: Self.head + """
        Signal: 6
        StacktraceAddressSignature: /usr/bin/tern:6:/usr/lib/libc.so.6+2724a:/usr/bin/tern+1234
        """)
    #expect(report.reason.signal == "SIGABRT")
    #expect(report.threads.first?.frames.map { $0.imageOffset?.value } == [0x2724a, 0x1234])
    #expect(report.images.map(\.name) == ["libc.so.6", "tern"])
  }

  @Test("Other kinds are refused by their name", arguments: ["Package", "Bug", "KernelCrash"])
  func others(kind: String) {
    #expect {
      _ = try FormatRegistry.builtIn.reports(
        in: ByteView("ProblemType: \(kind)\nDistroRelease: Ubuntu 24.04\nTitle: x\n".utf8))
    } throws: {
      ($0 as? ParseError)?.structure == "an Apport report of the kind \(kind) without a crash"
    }
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damage() throws {
    let bytes = Array(Self.native.utf8)
    for count in bytes.indices {
      #expect(try reports(in: String(decoding: bytes[..<count], as: UTF8.self)).count <= 1)
    }
    var mutator = Mutator(seed: 3)
    let packed = Array(try Self.packed(Array(Self.core().prefix(20000)), in: 500).utf8)
    for round in 0..<200 {
      let text = String(
        decoding: mutator.mutated(round % 2 == 0 ? bytes : packed), as: UTF8.self)
      for report in try reports(in: text) {
        #expect(report.threads.flatMap(\.frames).count < 100)
      }
    }
  }
}

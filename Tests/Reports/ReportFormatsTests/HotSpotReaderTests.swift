import CrashModel
import Identifiers
import Testing

@testable import ReportFormats

@Suite("Error logs of Java VMs")
struct HotSpotReaderTests {
  private func one(_ text: String) throws -> CrashReport {
    let reports = try LogReaderChecks.reports(text)
    try #require(reports.count == 1)
    #expect(reports[0].format == .hotSpot)
    return reports[0]
  }

  @Test("The sample is read completely")
  func sample() throws {
    let report = try one(try LogReaderChecks.sample("java-hs-err/null-write.log"))
    #expect(report.reason.type == "SIGSEGV" && report.reason.signal == "SIGSEGV")
    #expect(report.reason.code == "SEGV_MAPERR" && report.reason.address == Address(0x18))
    #expect(report.kind == .crash && report.notes.isEmpty)
    let crashed = try #require(report.crashedThread)
    let thread = report.threads[crashed]
    try #require(!thread.frames.isEmpty)
    #expect(thread.name == "main" && thread.crashed && report.threads.count > 8)
    #expect(
      thread.frames.first?.function == "Unsafe_PutLong" && thread.frames[0].position == .exact)
    #expect(thread.frames[0].address != nil && thread.frames[0].imageOffset != nil)
    #expect(thread.frames.contains { $0.function == "com.example.tern.Tern.main" })
    #expect(thread.frames.last?.position == .returnAddress)
    #expect(thread.registers.contains { $0.name == "rip" } && thread.registers.count > 15)
    let library = try #require(thread.frames[0].image)
    #expect(report.images[library].name == "libjvm.so")
    #expect(report.images[library].path?.hasPrefix("/usr/lib/jvm/") == true)
    #expect(report.images[library].base != nil && report.images[library].size ?? 0 > 1 << 20)
    // The address and the offset agree.
    #expect(
      report.images[library].base.map { $0.value + (thread.frames[0].imageOffset?.value ?? 0) }
        == thread.frames[0].address?.value)
    #expect(report.time != nil && report.process.uptime ?? 0 > 0 && report.process.pid != nil)
    #expect(report.app.name == "com.example.tern.Tern" && report.os.name == "Linux")
    #expect(report.device.architecture == .x86_64)
    #expect(report.tags[.runtimeVersion]?.hasPrefix("OpenJDK Runtime Environment") == true)
  }

  @Test("Options of the VM are kept without secrets")
  func secrets() throws {
    let report = try one(
      """
      #
      # A fatal error has been detected by the Java Runtime Environment:
      #
      #  Internal Error (debug.cpp:362), pid=25186, tid=25187
      #  fatal error: OutOfMemory encountered: Java heap space
      #
      # JRE version: OpenJDK Runtime Environment (17.0.15+6) (build 17.0.15+6)

      ---------------  P R O C E S S  ---------------

      VM Arguments:
      jvm_args: -Xmx64m -Ddb.password=hunter2 -Djavax.net.ssl.trustStorePassword=x -Dsize=9
      java_command: /opt/tern.jar --token=hunter2

      END.
      """)
    #expect(
      report.properties["jvm_args"]
        == "-Xmx64m -Ddb.password=<removed> -Djavax.net.ssl.trustStorePassword=<removed> -Dsize=9")
    #expect(report.app.name == "tern.jar")
    #expect(report.reason.type == "Internal Error" && report.reason.code == "debug.cpp:362")
    #expect(report.reason.message == "fatal error: OutOfMemory encountered: Java heap space")
    #expect(report.kind == .oom)
  }

  @Test("Out of memory has a different header")
  func memory() throws {
    let report = try one(
      """
      #
      # There is insufficient memory for the Java Runtime Environment to continue.
      # Native memory allocation (mmap) failed to map 8589934592 bytes for committing reserved memory.
      # Possible reasons:
      #   The system is out of physical RAM or swap space
      #
      #  Out of Memory Error (os_linux.cpp:2640), pid=25186, tid=0x00007fe1bc3b8700
      #
      # JRE version: OpenJDK Runtime Environment (8.0_131-b12) (build 1.8.0_131-b12)
      # Java VM: OpenJDK 64-Bit Server VM (25.131-b12 mixed mode linux-amd64 compressed oops)
      #

      ---------------  T H R E A D  ---------------

      Current thread (0x00007fe1bc3b8700):  VMThread [stack: 0x00007f,0x00007f] [id=2613]

      Native frames: (J=compiled Java code, j=interpreted, Vv=VM code, C=native code)
      V  [libjvm.so+0xac4f2a]
      C  [libpthread.so.0+0x7e25]  start_thread+0xc5
      [error occurred during error reporting (printing code blob if possible), id 0xb]

      time: Wed Nov  4 12:12:48 2020
      timezone: CET
      elapsed time: 0.606413 seconds (0d 0h 0m 0s)

      END.
      """)
    #expect(report.kind == .oom && report.reason.code == "os_linux.cpp:2640")
    #expect(report.tags[.allocationSize] == "8589934592" && report.process.pid == 25186)
    #expect(report.threads.map(\.name) == ["VMThread"] && report.threads.first?.id == 2613)
    #expect(report.threads.first?.frames.map(\.function) == [nil, "start_thread"])
    #expect(report.images.map(\.name) == ["libjvm.so", "libpthread.so.0"])
    #expect(
      report.time == Timestamp(year: 2020, month: 11, day: 4, hour: 11, minute: 12, second: 48))
    #expect(report.notes == ["1 sections are missing: an error occurred while they were written"])
  }

  @Test("Out of memory is named so, whatever number HotSpot has for it")
  func memoryByNumber() throws {
    let report = try one(
      """
      #
      # There is insufficient memory for the Java Runtime Environment to continue.
      # Native memory allocation (mmap) failed to map 65536 bytes for committing reserved memory.
      # Possible reasons:
      #   The system is out of physical RAM or swap space
      #
      #  INVALID (0xe0000002) at pc=0x0000000000000000, pid=4711, tid=0x00007f67eb450700
      #
      # JRE version:  (8.0_282-b08) (build )
      # Java VM: OpenJDK 64-Bit Server VM (25.282-b08 mixed mode linux-amd64 compressed oops)
      #
      """)
    #expect(report.kind == .oom && report.reason.type == "insufficient memory")
    #expect(report.process.pid == 4711)
  }

  @Test("Windows: exception, libraries with both ends, no names")
  func windows() throws {
    let report = try one(
      """
      # A fatal error has been detected by the Java Runtime Environment:
      #
      #  EXCEPTION_ACCESS_VIOLATION (0xc0000005) at pc=0x00007fff66afbff0, pid=28036, tid=9572
      #
      # Problematic frame:
      # V  [jvm.dll+0x5abff0]

      ---------------  T H R E A D  ---------------

      Current thread (0x000002a0fb81c000):  GCTaskThread "GC Thread#0" [stack: 0x1,0x2] [id=9572]

      siginfo: EXCEPTION_ACCESS_VIOLATION (0xc0000005), reading address 0xffffffffffffffff

      Dynamic libraries:
      0x00007ff7598b0000 - 0x00007ff759912000 \tD:\\java\\bin\\java.exe
      0x00007fff66550000 - 0x00007fff66f00000 \tD:\\java\\bin\\server\\jvm.dll
      """)
    #expect(report.reason.type == "EXCEPTION_ACCESS_VIOLATION" && report.reason.signal == nil)
    #expect(report.reason.address == Address(.max) && report.tags[.access] == "READ")
    // The list is missing, so only the frame of the header is left.
    #expect(report.threads.first?.frames.count == 1 && report.threads.first?.name == "GC Thread#0")
    #expect(report.images.map(\.name) == ["java.exe", "jvm.dll"])
    #expect(report.threads.first?.frames.first?.image == 1)
    #expect(report.notes == ["the report is cut off: its end is missing"])
  }

  @Test("The printed summary is marked as one")
  func summary() throws {
    let text = try LogReaderChecks.sample("java-hs-err/null-write.log")
    let head = text.prefix(
      upTo: text.firstRange(of: "---------------  S U M M A R Y")?.lowerBound ?? text.endIndex)
    let report = try one(String(head))
    #expect(report.notes == ["only the summary was printed"])
    #expect(report.threads.first?.frames.map(\.function) == ["Unsafe_PutLong"])
  }

  @Test(
    "Lines of stacks",
    arguments: [
      ("V  [libjvm.so+0xed2f94]  Unsafe_PutLong+0x124", "Unsafe_PutLong", 0x124),
      (
        "V  [libjvm.so+0xed2f94]  Unsafe_PutLong(JNIEnv_*, long)+0x124  (unsafe.cpp:123)",
        "Unsafe_PutLong(JNIEnv_*, long)", 0x124
      ),
      ("C  [libc.so.6+0x3bd4c]", nil, nil), ("C  0x00007f11cbec3480", nil, nil),
      ("j  a.B.c(Ljava/lang/Object;JJ)V+24 java.base@17.0.15", "a.B.c", nil),
      ("J 3210% c2 a.B.c(I)V mod (40 bytes) @ 0x00007f12 [0x00007f10+0x2]", "a.B.c", nil),
      ("J 4711  a.B.c()V (0 bytes) @ 0x00007f12 [0x00007f10+0x2]", "a.B.c", nil),
      ("v  ~StubRoutines::call_stub", "~StubRoutines::call_stub", nil),
      ("v  ~StubRoutines::call_stub 0x00007f12", "~StubRoutines::call_stub", nil),
    ] as [(String, String?, UInt64?)])
  func lines(line: String, function: String?, offset: UInt64?) throws {
    let report = try one(
      "# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGBUS (0x7) at pc=0x1, pid=1, tid=2\n"
        + "---------------  T H R E A D  ---------------\nNative frames: (J=compiled)\n\(line)\n\(line)\n"
    )
    #expect(report.threads.first?.frames.map(\.function) == [function, function])
    #expect(report.threads.first?.frames.map(\.symbolOffset) == [offset, offset])
    #expect(report.threads.first?.frames.map(\.position) == [.exact, .returnAddress])
  }

  @Test("Truncated and damaged, it is read or refused")
  func hostile() throws {
    let text = try LogReaderChecks.sample("java-hs-err/null-write.log")
    try LogReaderChecks.expectBounded(text, copies: 20)
  }
}

import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Android tombstones")
struct TombstoneReaderTests {
  private func sample(_ name: String) throws -> ByteView {
    try ByteView(reading: Samples.folder + "/android-tombstone/" + name, limit: 1 << 20)
  }

  @Test("The text is read completely")
  func text() throws {
    let reports = try FormatRegistry.builtIn.reports(in: sample("worker-null-1.0.0.txt"))
    #expect(reports.count == 1)
    let report = try #require(reports.first)
    #expect(report.format.description == "android-tombstone" && report.notes.isEmpty)
    #expect(report.kind == .crash)
    #expect(
      report.reason
        == CrashReason(signal: "SIGSEGV", code: "SEGV_MAPERR", address: Address(0x18)))
    #expect(report.tags[.cause] == "null pointer dereference")
    #expect(report.app == AppIdentity(name: "app.example.tern", identifier: "app.example.tern"))
    #expect(
      report.os == OperatingSystem(name: "Android", version: "14", build: "UE1A.230829.036"))
    #expect(report.device == Device(model: "emu64xa", architecture: .x86_64))
    #expect(report.time == Timestamp("2026-11-20T08:41:07.481920173Z"))
    #expect(report.process.pid == 4711 && report.process.uptime == 9)
    #expect(report.crashedThread == 0)
    #expect(report.threads.map(\.name) == ["tern picker", "app.example.tern"])
    #expect(report.threads.map(\.id) == [4719, 4711])
    #expect(report.threads.map(\.frames.count) == [4, 6])
    #expect(report.threads[0].registers.count == 17)
    #expect(report.threads[0].registers.last == Register("rip", 0x7b1a_2c00_5248))
    let frames = report.threads[0].frames
    #expect(frames.map(\.position) == [.exact, .adjusted, .adjusted, .adjusted])
    #expect(frames[0].imageOffset == ImageOffset(0x5248) && frames[0].function == nil)
    #expect(frames[1].function == "std::__ndk1::__thread_proxy(void*)")
    #expect(frames[1].symbolOffset == 48)
    #expect(report.images.map(\.name) == ["libtern.so", "libc++_shared.so", "libc.so"])
    #expect(
      report.images[0].codeID?.description == "cc2d19272e32c23387437d85bce6e9088126e779")
    #expect(report.images[0].debugID?.description == "27192dcc-322e-33c2-8743-7d85bce6e908")
  }

  @Test("The protobuf message has the same facts as the text")
  func message() throws {
    let text = try #require(
      try FormatRegistry.builtIn.reports(in: sample("worker-null-1.0.0.txt")).first)
    let message = try #require(
      try FormatRegistry.builtIn.reports(in: sample("worker-null-1.0.0.pb")).first)
    #expect(message.format.description == "android-tombstone-pb" && message.notes.isEmpty)
    #expect(message.reason == text.reason && message.tags == text.tags)
    #expect(message.app == text.app && message.os == text.os && message.device == text.device)
    #expect(message.time == text.time && message.process == text.process)
    #expect(message.crashedThread == text.crashedThread)
    for (one, other) in zip(message.threads, text.threads) {
      #expect(one.id == other.id && one.name == other.name && one.crashed == other.crashed)
      #expect(one.registers == other.registers)
      #expect(one.frames.map(\.imageOffset) == other.frames.map(\.imageOffset))
      #expect(one.frames.map(\.function) == other.frames.map(\.function))
      #expect(one.frames.map(\.position) == other.frames.map(\.position))
    }
    #expect(message.images.map(\.debugID) == text.images.map(\.debugID))
    #expect(message.images.map(\.name) == text.images.map(\.name))
    #expect(message.images[0].base == Address(0x7b1a_2c00_0000))
    #expect(message.threads[0].frames[0].address == Address(0x7b1a_2c00_5248))
  }

  /// A report with these lines between header and stack.
  private func tombstone(_ lines: String, frames: String = "    #00 pc 0001  /system/lib/a.so")
    -> String
  {
    "Build fingerprint: 'a/b/c:9/I/1:user/keys'\nABI: 'arm'\n"
      + "pid: 1, tid: 2, name: w x  >>> /system/bin/tern d <<<\n" + lines
      + "\n\nbacktrace:\n" + frames + "\n"
  }

  private static let signalLines: [(String, String, String?, UInt64?)] = [
    (
      "signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 00000024", "SIGSEGV",
      "SEGV_MAPERR", 0x24
    ),
    ("signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------", "SIGABRT", "SI_TKILL", nil),
    (
      "signal 6 (SIGABRT), code -6 (SI_TKILL from pid 12, uid 7), fault addr --------",
      "SIGABRT", "SI_TKILL", nil
    ),
    ("signal 7 (SIGBUS), code 128 (SI_KERNEL), fault addr 0x0", "SIGBUS", "SI_KERNEL", 0),
    (
      "signal 0 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr --------", "SIGSEGV", "SEGV_MAPERR",
      nil
    ),
    ("signal 11 (SIGSEGV), code 1, fault addr 0x10", "SIGSEGV", "1", 0x10),
    ("signal 11 (?), code 9 (?), fault addr 0x1", "SIGSEGV", nil, 1),
  ]

  @Test(
    "Signals and their codes in all spellings",
    arguments: signalLines)
  func signals(line: String, name: String, code: String?, address: UInt64?) throws {
    let report = try #require(try LogReaderChecks.reports(tombstone(line)).first)
    #expect(report.reason.signal == name && report.reason.code == code)
    #expect(report.reason.address == address.map { Address($0) })
    #expect(report.process.name == "tern d" && report.threads[0].name == "w x")
    #expect(report.device.architecture == .arm && report.os.version == "9")
  }

  @Test("The sender of a signal is not an address")
  func sender() throws {
    for (line, sender) in [
      ("signal 11 (SIGSEGV), code 0 (SI_USER), fault addr 0x32c", "pid 812"),
      (
        "signal 11 (SIGSEGV), code 0 (SI_USER from pid 812, uid 0), fault addr --------",
        "pid 812, uid 0"
      ),
      ("signal 7 (SIGBUS), code -6 (SI_TKILL), fault addr 0x3e80000032c", "pid 812, uid 1000"),
    ] {
      let report = try #require(try LogReaderChecks.reports(tombstone(line)).first)
      #expect(report.reason.address == nil)
      #expect(report.tags[.signalSender] == sender)
    }
  }

  @Test("Stacks that a tool requested, by stopping the process, are not a crash")
  func stopped() throws {
    let line = "signal 19 (SIGSTOP), code 0 (SI_USER), fault addr 0x32c"
    let report = try #require(try LogReaderChecks.reports(tombstone(line)).first)
    #expect(report.kind == .other)
  }

  private static let frameLines: [(String, String, String?, UInt64)] = [
    (
      "    #00 pc 000374e0  /system/lib/libc.so (tgkill+12)", "libc.so", "tgkill",
      0x374e0
    ),
    (
      "#01 pc 0000000000001234  /data/app/my app/base.apk!libtern.so (offset 0x1f4000) (a::b(c (*)(d))+8) (BuildId: 00ff)",
      "libtern.so", "a::b(c (*)(d))", 0x1234
    ),
    (
      "#02 pc 01  /data/app/x/base.apk (offset 1000) (BuildId: 12)", "base.apk", nil, 1
    ),
    ("#03 pc 00004456  <anonymous:ee137000>", "<anonymous:ee137000>", nil, 0x4456),
    (
      "#04 pc 0000000000000020  [anon:dalvik-jit-code-cache] (com.x.Foo.bar+100)",
      "[anon:dalvik-jit-code-cache]", "com.x.Foo.bar", 0x20
    ),
    (
      "#05 pc 10  /data/local/tmp/a.so (deleted) (boom+4)", "a.so", "boom", 0x10
    ),
    (
      "#06 pc 10  /system/lib/libart.so (art::x(y) (.__uniq.12)+160) (BuildId: 12)", "libart.so",
      "art::x(y) (.__uniq.12)", 0x10
    ),
    ("#07 pc 10  /a/lib x.so (???)", "lib x.so", nil, 0x10),
    (
      "#35 pc d8b88  [anon:dalvik-classes2.dex extracted in memory from /data/app/x/base.apk!classes2.dex]",
      "classes2.dex", nil, 0xd8b88
    ),
    ("#8 0x727d4dfdaf  (/system/lib/libasan.so+0x31daf)", "libasan.so", nil, 0x31daf),
  ]

  @Test(
    "Frames with archives, brackets, blanks and without names",
    arguments: frameLines)
  func frames(line: String, image: String, function: String?, offset: UInt64) throws {
    let text = tombstone("signal 11 (SIGSEGV), code 1 (SEGV_MAPERR), fault addr 0x0", frames: line)
    let report = try #require(try LogReaderChecks.reports(text).first)
    let frame = try #require(report.threads.first?.frames.first)
    #expect(frame.image.map { report.images[$0].name } == image)
    #expect(frame.function == function && frame.imageOffset == ImageOffset(offset))
    #expect(frame.position == .exact)
  }

  @Test("Outside every file the number is an address")
  func unknownFile() throws {
    let report = try #require(
      try LogReaderChecks.reports(
        tombstone(
          "signal 4 (SIGILL), code 1 (ILL_ILLOPC), fault addr 0x70",
          frames: "#00 pc 00000070  <unknown>")
      )
      .first)
    #expect(report.threads[0].frames[0].address == Address(0x70))
    #expect(report.images.isEmpty)
  }

  @Test("A message over several lines, with quotes in it")
  func message2() throws {
    let report = try #require(
      try LogReaderChecks.reports(
        tombstone(
          "signal 6 (SIGABRT), code -1 (SI_QUEUE), fault addr --------\n"
            + "Abort message: 'Check 'a' failed:\nthe desk is full'\n    r0  00000000  r1  000026a5"
        )
      ).first)
    #expect(report.reason.message == "Check 'a' failed:\nthe desk is full")
    #expect(report.threads[0].registers == [Register("r0", 0), Register("r1", 0x26a5)])
  }

  @Test("Where freed memory was allocated and freed")
  func memoryError() throws {
    let text =
      tombstone(
        "signal 11 (SIGSEGV), code 2 (SEGV_ACCERR), fault addr 0x1\n"
          + "Cause: [GWP-ASan]: Use After Free, 0 bytes into a 32-byte allocation at 0x1\n"
          + "Cause: another") + """

        deallocated by thread 7:
              #00 pc 0000000000000010  /system/lib/libc.so (free+4)
              #01 pc 0000000000000020  /system/bin/tern

        allocated by thread 8:
        backtrace:
              #00 pc 0000000000000030  /system/lib/libc.so (malloc+4)
        """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.threads.map(\.frames.count) == [1])
    #expect(
      report.otherStacks.map(\.title) == ["deallocated by thread 7", "allocated by thread 8"])
    #expect(report.otherStacks.map(\.frames.count) == [2, 1])
    #expect(report.otherStacks[0].frames[0].position == .adjusted)
    #expect(report.tags[.cause]?.hasSuffix("\nanother") == true)
  }

  @Test("Old reports without a line of the process, and one that a sanitizer wrote")
  func withoutProcess() throws {
    let old = """
      Build fingerprint: 'Android/aosp_arm/generic_arm:4.4/AOSP/enh:eng/test-keys'
      Revision: '0'
      ABI: 'arm'
      signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------
          r0 00000000  r1 00002dd9  r2 00000006  r3 00000000
          d0  ffffffffffffffff  d1  0000000000000031

      backtrace:
          #00 pc 000374e0  /system/lib/libc.so (tgkill+12)
          #01 pc 00000c6f  /system/xbin/crasher
      """
    let report = try #require(try LogReaderChecks.reports(old).first)
    #expect(report.threads.count == 1 && report.threads[0].frames.count == 2)
    #expect(report.threads[0].registers.count == 6 && report.reason.signal == "SIGABRT")
    let sanitized = """
      Build fingerprint: 'Android/aosp_arm/generic_arm:4.4/AOSP/enh:eng/test-keys'
      ABI: 'arm'

           #0 0x727d4dfdaf  (/system/lib/libclang_rt.asan-arm-android.so+0x31daf)

           #1 0x727d4e00af  (/data/lib/libc.so+0x740cf)
      """
    let other = try #require(try LogReaderChecks.reports(sanitized).first)
    #expect(other.threads.map(\.frames.count) == [2])
  }

  @Test("A stack that a tool has symbolicated, and an unquoted multi-line message")
  func symbolized() throws {
    let text = """
      Build fingerprint: google/hammerhead/hammerhead:6.0/MRA59G/2457013:userdebug/dev-keys
      ABI: arm
      pid: 32591, tid: 32616, name: CompositorTileW  >>> com.tern <<<
      signal 6 (SIGABRT), code -6 (SI_TKILL), fault addr --------
      Abort message: '[FATAL:StringView.h(209)] Check failed: a.
          #0 0x2f69cb8d in tern::Log::~Log() /b/log.cc:532:29
          r0 00000000  r1 00007f68  r2 00000006  r3 a17fd978

      backtrace:
          #0 0x000412dc in tgkill bionic/libc/tgkill.S:9
          #1 0x090efc37 in copy libcxx/include/string:662:32
          #2 0x090efc37 in tern::(anonymous namespace)::pay(int) tern/pay.cc:8
          #3 0x000d86bc (/data/app/lib/arm/libc++_shared.so+0x000d86bc)
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    let frames = try #require(report.threads.first?.frames)
    #expect(
      frames.map(\.function) == ["tgkill", "copy", "tern::(anonymous namespace)::pay(int)", nil])
    #expect(
      frames.map(\.line) == [9, 662, 8, nil]
        && frames.map(\.inlined) == [false, true, false, false])
    #expect(frames[3].imageOffset == ImageOffset(0xd86bc))
    #expect(report.threads[0].registers.count == 4 && report.os.version == "6.0")
    #expect(
      report.reason.message?.hasPrefix("[FATAL:StringView.h(209)] Check failed: a.\n#0") == true)
  }

  @Test("Unreachable allocations")
  func unreachable() throws {
    let text = """
       Unreachable memory
        48 bytes in 2 unreachable allocations
        ABI: 'arm'

        24 bytes unreachable at a11e6748
         contents:
         a11e6748: 63 6f 6d 2e 61 6e 64 72 6f 69 64 2e 73 79 73 74 com.android.syst
                #00  pc 000076ae  /system/lib/libcutils.so (set_process_name+45)
                #01  pc 000989d6  /system/lib/libandroid_runtime.so (setArgV0(_JNIEnv*)+125)

        24 bytes unreachable at a11e6800
                #00  pc 000076b0  /system/lib/libcutils.so (other+45)
      """
    let report = try #require(try LogReaderChecks.reports(text).first)
    #expect(report.kind == .handled && report.reason.type == "unreachable memory")
    #expect(report.reason.message == "48 bytes in 2 unreachable allocations")
    #expect(report.threads.map(\.frames.count) == [2])
    #expect(report.otherStacks.map(\.frames.count) == [1])
    let log = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "01-01 10:00:00.000  1  2 E x: \($0)\n" }.joined()
    #expect(try LogReaderChecks.reports(log).first?.reason == report.reason)
  }
}

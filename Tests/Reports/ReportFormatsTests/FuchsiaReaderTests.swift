import Bytes
import CrashModel
import Identifiers
import ReportFormats
import TestSupport
import Testing

@Suite("Panics and crashes of Fuchsia") struct FuchsiaReaderTests {
  private static func sample() throws -> String {
    try LogReaderChecks.sample("fuchsia/assertion-zircon.txt")
  }

  @Test("A panic of Zircon has its frames where the markup places them")
  func markup() throws {
    let report = try LogReaderChecks.only(try Self.sample())
    #expect(report.format.description == "fuchsia" && report.kind == .crash)
    #expect(report.reason.type == "ASSERT FAILED")
    #expect(report.tags[.title] == nil)
    #expect(report.process.name == "kernel" && report.process.uptime == 124.582)
    #expect(report.app.name == "Fuchsia" && report.app.version == "20.20240411.3.1")
    let image = try #require(report.images.first)
    #expect(report.images.count == 1 && image.name == "zircon.elf")
    #expect(image.codeID?.description == "c9e63845b8cc355bb42713bfb8eec04942ec7bcd")
    #expect(image.base == Address(0xffff_ffff_0010_0000) && image.size == 0x25_0000)
    let frames = try #require(report.threads.first).frames
    #expect(frames.map(\.position) == [.exact] + Array(repeating: .returnAddress, count: 4))
    #expect(frames.map(\.imageOffset?.value) == [0x5972, 0xa22c4, 0x5ad92, 0x8bf7b, 0x15e7f])
  }

  @Test("Without frames the title has the condition")
  func noFrames() throws {
    let lines = try Self.sample().split(separator: "\n").filter { !$0.hasPrefix("{{{bt:") }
    #expect(
      try LogReaderChecks.only(lines.joined(separator: "\n")).tags[.title]
        == "ASSERT FAILED: seats_ > NUM")
  }

  @Test("Frames of old kernels with names, inlined calls and registers")
  func old() throws {
    let report = try LogReaderChecks.only(
      """
      ZIRCON KERNEL PANIC
      vector 8
      double fault, halting
       CS:                0x33 RIP:     0x6b8144262960 EFL:            0x10202 CR2: 0xfffffffffffffff8
       RAX:                  0 RBX:                0x7 RCX:                  0 RDX:                  0
      bt#00: 0x00105972 platform_halt platform/pc/power.cpp:122
      bt#01: 0x00108425 exception_die arch/x86/faults.cpp:97
      bt#02: [ inline ] tern::Desk::Seat arch/x86/faults.cpp:175
      bt#02: 0x00108d63 x86_exception_handler arch/x86/faults.cpp:455
      bt#03: end
      """)
    #expect(report.tags[.title] == "double fault in tern::Desk::Seat")
    let thread = try #require(report.threads.first)
    #expect(thread.frames.map(\.line) == [122, 97, 175, 455])
    #expect(thread.frames.map(\.inlined) == [false, false, true, false])
    #expect(thread.frames[2].address == Address(0x108d63))
    #expect(thread.registers.first { $0.name == "rip" }?.value == 0x6b81_4426_2960)
    #expect(thread.registers.first { $0.name == "rbx" }?.value == 7)
  }

  @Test("Starnix panics, with the stack of Rust that follows in the log of its runner")
  func starnix() throws {
    let prefix = "[00226.917444][1102][1192][core/starnix_runner/kernels:Af9] WARN: "
    let report = try LogReaderChecks.only(
      """
      [00226.916913][70377][70437][core/starnix_runner/kernels:Af9][11:11[tern],starnix] ERROR: [src/lib.rs(20)]



      STARNIX KERNEL PANIC



       info=panicked at ../../src/starnix/kernel/vfs/tern.rs:28:5:
      no desk 17 for us
      \(prefix)thread 'user-thread' panicked at ../../src/starnix/kernel/vfs/tern.rs:28:5:
      \(prefix)no desk 17 for us
      \(prefix)stack backtrace:
      \(prefix)[[[ELF module #0x0 "" BuildID=89e718fcce2d4e46 0x4272e5dee000]]]
      \(prefix)[[[ELF module #0x1 "libstd-f4212538686b00a8.so" BuildID=0d14913e113ab46b 0x412c135b8000]]]
      \(prefix)   #0.1  0x0000412c13657a9c in std::print(Out, &mut [u8]) library/std/print.rs:66 <libstd-f4212538686b00a8.so>+0x9fa9c
         #0    0x0000412c13657a9c in std::sys::fmt(Out) library/std/fmt.rs:44 <libstd-f4212538686b00a8.so>+0x9fa9c
      [00226.930645][46900][70511][core/starnix_runner/kernels:Af9][track_stub,starnix] WARN: /sys/class/net
      \(prefix)   #1    0x00004272e6155787 in starnix_core::vfs::Tern::open<u8>(Desk*) ../../src/starnix/kernel/vfs/tern.rs:28 <>+0x367787
      \(prefix)   #2    0x00004272e6155800 in starnix_core::run() ../../src/run.rs:62 <>+0x367800
      """)
    #expect(
      report.tags[.title]
        == "starnix kernel panic in src/starnix/kernel/vfs/tern.rs: no desk NUM for us"
    )
    #expect(report.tags[.kernelFunction] == "starnix_core::vfs::Tern::open<u8>(Desk*)")
    #expect(report.images.map(\.name) == ["<application>", "libstd-f4212538686b00a8.so"])
    let frames = try #require(report.threads.first).frames
    #expect(frames.map(\.line) == [66, 44, 28, 62])
    #expect(frames.map(\.image) == [1, 1, 0, 0])
    #expect(frames[3].imageOffset?.value == 0x367800)
  }

  @Test("A program's crash names the program, with frames from the markup")
  func program() throws {
    let log = """
      <== CRASH: process bin/tern[351748] thread render[351790]
      <== undefined instruction, PC at 0x428ae0555e37
       CS:                   0 RIP:     0x428ae0555e37 EFL:            0x10202 CR2:                  0
      {{{reset}}}
      {{{module:0x0:tern:elf:89e718fcce2d4e46}}}
      {{{mmap:0x428ae0500000:0x90000:load:0x0:rx:0x0}}}
      {{{bt:0:0x428ae0555e37}}}
      {{{bt:1:0x428ae0555000}}}
      """.split(separator: "\n").map { "[00173.546320][2244][3058][klog] INFO: \($0)" }
    let report = try LogReaderChecks.only(log.joined(separator: "\n"))
    #expect(report.process.name == "tern" && report.process.pid == 351_748)
    #expect(report.reason.type == "undefined instruction" && report.app.name == "tern")
    let thread = try #require(report.threads.first)
    #expect(thread.name == "render" && thread.id == 351_790)
    #expect(thread.frames.map(\.position) == [.exact, .returnAddress])
    #expect(thread.frames.map(\.imageOffset?.value) == [0x55e37, 0x55000])
  }

  @Test("A kernel restart without a message is an unexpected reboot, the first start is not")
  func reboot() throws {
    let report = try LogReaderChecks.only(
      "[00037.711] 07800.07847> tern: open\n[00000.000] 00000.00000> welcome to Zircon\n")
    #expect(report.tags[.title] == "unexpected kernel reboot" && report.process.uptime == 37.711)
    #expect(try LogReaderChecks.reports("[00000.000] 00000.00000> welcome to Zircon\n").isEmpty)
  }

  @Test("Truncated or damaged anywhere, it is read or refused")
  func damaged() throws {
    let bytes = Array(try Self.sample().utf8)
    for count in bytes.indices {
      _ = try LogReaderChecks.reports(String(decoding: bytes[..<count], as: UTF8.self))
    }
    var mutator = Mutator(seed: 3)
    for _ in 0..<300 {
      do throws(ParseError) {
        for report in try FormatRegistry.builtIn.reports(in: ByteView(mutator.mutated(bytes))) {
          #expect(report.threads.flatMap(\.frames).count < 1000)
        }
      } catch {
        #expect(!error.refusal.isEmpty)
      }
    }
  }

  @Test("Endless modules and frames take time in proportion to their length")
  func size() throws {
    var text = "ZIRCON KERNEL PANIC\ndouble fault, halting\n"
    for index in 0..<20_000 {
      text += "{{{module:\(index):m\(index):elf:c9e63845}}}\n"
      text += "{{{mmap:0x\(String(index * 4096 + 4096, radix: 16)):0x1000:load:\(index):rx:0x0}}}\n"
    }
    text += String(repeating: "{{{bt:1:0x4000000}}}\n", count: 100)
    #expect(try LogReaderChecks.only(text).images.count <= 16_384)
    let starts = String(
      repeating: "STARNIX KERNEL PANIC\n info=panicked at a.rs:1:1:\n", count: 4000)
    #expect(try LogReaderChecks.reports(starts).count == 4000)
  }
}

import Bytes
import CrashModel
import Identifiers
import TestSupport
import Testing

@testable import ReportFormats

@Suite("Kernel panics of Apple's systems")
struct AppleKernelPanicTests {
  static let intel = """
    Anonymous UUID:       46DA59B5-3F0A-217A-3DEA-DE9A80DC8B4F

    Fri Apr 14 09:17:43 2017

    *** Panic Report ***
    panic(cpu 2 caller 0xffffff80058dbadd): Kernel trap at 0xffffff8005e596b6, type 14=page fault, registers:
    CR0: 0x000000008001003b, CR2: 0x0000000000000000, CR3: 0x000000001c395000
    RFL: 0x0000000000010286, RIP: 0xffffff8005e596b6, CS:  0x0000000000000008

    Backtrace (CPU 2), Frame : Return Address
    0xffffff81f89f3870 : 0xffffff80057ae6ed mach_kernel : _handle_debugger_trap + 0x47d
    0xffffff81f89f38c0 : 0xffffff80058ea185 mach_kernel : _kdp_i386_trap + 0x155
    0xffffff81f89f3900 : 0xffffff80058db8ba mach_kernel : _kernel_trap + 0x50a
    0xffffff81f89f3970 : 0xffffff800575bb40 mach_kernel : _return_from_trap + 0xe0
    0xffffff81f89f3990 : 0xffffff80057ae107 mach_kernel : _panic_trap_to_debugger + 0x197
    0xffffff81f89f3ab0 : 0xffffff80057adf53 mach_kernel : _panic + 0x63
    0xffffff81f89f3b20 : 0xffffff80058dbadd mach_kernel : _kernel_trap + 0x72d
    0xffffff81f89f3c90 : 0xffffff800575bb40 mach_kernel : _return_from_trap + 0xe0
    0xffffff81f89f3cb0 : 0xffffff8005e596b6 mach_kernel : __ZN9IOService5startEPS_ + 0x26
    0xffffff81f89f3dc0 : 0xffffff7f89711234 org.example.nest : __ZN4Nest3layEi + 0x34
    0xffffff81f89f3fa0 : 0xffffff800575b0ce mach_kernel : _call_continuation + 0x2e
          Kernel Extensions in backtrace:
             org.example.nest(1.5.2)[F452C9FD-94A1-366D-BF2F-89BDDDA08364]@0xffffff7f89700000->0xffffff7f8971bfff
                dependency: com.apple.iokit.IOPCIFamily(2.9)[580E4204-F37D-33D4-AADB-3E7B4EB2A0D5]@0xffffff7f86494000

    BSD process name corresponding to current thread: kernel_task

    Mac OS version:
    16E195

    Kernel version:
    Darwin Kernel Version 16.5.0: Fri Mar  3 16:52:33 PST 2017; root:xnu-3789.51.2~3/RELEASE_X86_64
    Kernel UUID: 05D51A3D-3A87-3FF0-98C3-9CF3827A3EDD
    Kernel slide:     0x0000000005400000
    Kernel text base: 0xffffff8005600000
    System model name: iMac15,1 (Mac-42FD25EABCABB274)

    System uptime in nanoseconds: 387443259139658
    loaded kexts:
    org.example.nest\t1.5.2
    """

  static func arm(lines: Int) -> String {
    """
    panic(cpu 1 caller 0xfffffe001f5bd638): "Nest(AP): no eggs"
    \(String(repeating: "000000000000000000 | [RX] | 000000000000000000 000000000000000000\n", count: lines))
    Debugger message: panic
    OS version: 22D68
    Kernel version: Darwin Kernel Version 22.3.0: Mon Jan 30 20:38:37 PST 2023; root:xnu-8792.81.3~2/RELEASE_ARM64_T6000
    Kernel UUID: 7A07282F-D9FA-3782-A45A-8F8BB52FD37D
    Boot session UUID: 0674A3DD-5968-4A6D-B991-16CBC55071E9
    Kernel slide:      0x0000000015a18000
    Kernel text base:  0xfffffe001ca1c000
    Epoch Time:        sec       usec
      Boot    : 0x64159d91 0x0004000c
      Sleep   : 0x6417825d 0x000e21b9
      Calendar: 0x64178273 0x00045c32

    Panicked task 0xfffffe2508e09660: 0 pages, 524 threads: pid 0: kernel_task
    Panicked thread: 0xfffffe203ab8b808, backtrace: 0xfffffe8c1a27b280, tid: 96515
    \t\t  lr: 0xfffffe001cb66834  fp: 0xfffffe8c1a27b2f0
    \t\t  lr: 0xfffffe001d3abf80  fp: 0xfffffe8c1a27b8a0
    \t\t  lr: 0xfffffe001f5bd638  fp: 0xfffffe8c1a27b920
    \t\t  lr: 0xfffffe001cbc94e0  fp: 0xfffffe8c1a27be30
          Kernel Extensions in backtrace:
             org.example.nest(1.0)[0C99D617-AE94-37F4-B1DB-0FE51C1CC8BA]@0xfffffe001f587990->0xfffffe001f5c244f
    """
  }

  @Test("A panic of an Intel Mac: who, when, where, and the images of its frames")
  func intel() throws {
    let report = try AppleCrashReaderTests.report(Self.intel)
    #expect(report.kind == .other && report.reason.type == "kernel panic")
    #expect(report.install == "46DA59B5-3F0A-217A-3DEA-DE9A80DC8B4F")
    #expect(report.os == OperatingSystem(name: "macOS", build: "16E195"))
    #expect(report.device.model == "iMac15,1" && report.device.architecture == .x86_64)
    #expect(report.time == Timestamp("2017-04-14 09:17:43"))
    #expect(report.process.uptime == 387443.259139658)
    #expect(report.tags[.panicTask] == "kernel_task")
    let frames = try #require(report.threads.first?.frames)
    #expect(frames.count == 11)
    #expect(frames[0].function == "handle_debugger_trap" && frames[0].symbolOffset == 0x47d)
    #expect(frames[8].symbol == "__ZN9IOService5startEPS_" && frames[8].position == .exact)
    #expect(
      frames.suffix(3).map { $0.image.map { report.images[$0].name } } == [
        "kernel", "org.example.nest", "kernel",
      ])
    #expect(frames[9].imageOffset == ImageOffset(0x11234))
    #expect(report.images.map(\.version) == [nil, "1.5.2"])
  }

  @Test("However long its log, a panic keeps its backtrace and the kernel's id")
  func long() throws {
    let report = try AppleCrashReaderTests.report(Self.arm(lines: 3000))
    #expect(report.os == OperatingSystem(name: "macOS", build: "22D68"))
    #expect(report.device.architecture == .arm64)
    #expect(report.time == Timestamp(seconds: 0x6417_8273))
    #expect(report.process.uptime == Double(0x6417_8273 - 0x6415_9d91))
    let thread = try #require(report.threads.first)
    #expect(thread.id == 96515)
    // Frames above the caller of `panic` are the panic itself.
    #expect(thread.frames.map(\.function) == [nil, "panic", nil, nil])
    #expect(
      thread.frames.map { $0.image.map { report.images[$0].name } } == [
        "kernel", "kernel", "org.example.nest", "kernel",
      ])
    #expect(report.images[0].debugID == DebugID("7a07282f-d9fa-3782-a45a-8f8bb52fd37d"))
    #expect(report.notes.isEmpty)
  }

  @Test("A panic beyond the limit has a note")
  func limit() throws {
    let report = try AppleCrashReaderTests.report(Self.arm(lines: 70_000))
    #expect(
      report.notes.contains("Only the first \(AppleLimits.panicBytes) bytes of the panic are kept.")
    )
    #expect(report.notes.contains("The panic has no backtrace."))
  }

  @Test(
    "The system of a build",
    arguments: [
      ("18A373", "20.0.0", "iOS"), ("20C69", "20.2.0", "macOS"), ("15P6703", "17.7.0", "bridgeOS"),
      ("18R382", "20.0.0", "watchOS"), ("18J386", "20.0.0", "tvOS"),
    ])
  func system(build: String, darwin: String, name: String) throws {
    let report = try AppleCrashReaderTests.report(
      """
      panic(cpu 0 caller 0xfffffe001f5bd638): no eggs
      OS version: \(build)
      Kernel version: Darwin Kernel Version \(darwin): Mon Jan 30 20:38:37 PST 2023; root:xnu-1~2/RELEASE_ARM64_T6000
      """)
    #expect(report.os.name == name)
  }

  @Test("Without a list of extensions, the images are those that the frames name")
  func imagesByName() throws {
    let lines = Self.intel.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.prefix { !$0.contains("Kernel Extensions in backtrace") }
    let report = try AppleCrashReaderTests.report(text.joined(separator: "\n"))
    #expect(report.images.map(\.name) == ["kernel", "org.example.nest"])
    #expect(report.threads[0].frames.map(\.image) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0])
  }

  @Test("A panic is found after a long console log")
  func inLog() throws {
    let log = String(repeating: "ternd: charging 3 desks\n", count: 20_000)
    let panic = Self.intel.split(separator: "\n").drop { !$0.hasPrefix("panic(") }
    let reports = try FormatRegistry.builtIn.reports(
      in: ByteView((log + panic.joined(separator: "\n")).utf8))
    #expect(reports.count == 1 && reports[0].threads[0].frames.count == 11)
    #expect(reports[0].reason.message?.hasPrefix("Kernel trap at ") == true)
  }

  @Test("Every prefix and every damaged copy of a panic is read")
  func damaged() throws {
    let bytes = Array(Self.intel.utf8)
    var outcomes = Outcomes()
    for end in stride(from: 0, to: bytes.count, by: 7) {
      outcomes.count {
        FormatRegistryTests.check(try FormatRegistry.builtIn.reports(in: ByteView(bytes[..<end])))
      }
    }
    var mutator = Mutator(seed: 42, .anyByte, changes: 4...4)
    for copy in mutator.copies(of: bytes, count: 400) {
      outcomes.count {
        FormatRegistryTests.check(try FormatRegistry.builtIn.reports(in: ByteView(copy)))
      }
    }
    #expect(outcomes.isMixed && outcomes.read > 400)
  }
}

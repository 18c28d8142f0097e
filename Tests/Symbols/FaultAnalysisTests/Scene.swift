import Bytes
import CrashModel
import FaultAnalysis
import Identifiers

/// A process at the moment of its crash, drawn by a test.
///
///     0x40_0000  code, read and execute
///     0x50_0000  data, read and write
///     0x51_0000  constants, read only
///     0x52_0000  a guard page
///     0x7fff_0000..<0x7fff_8000  the stack; nothing below it
struct Scene {
  static let code: UInt64 = 0x40_0000
  static let stack: UInt64 = 0x7fff_0000

  var code: [UInt8] = []
  var registers: [String: UInt64] = [:]
  var reason = CrashReason(signal: "SIGSEGV", code: "SEGV_MAPERR")
  var system = "Linux"
  var architecture = Architecture.x86_64
  /// Words of the stack, by their offsets from its start.
  var words: [Int: UInt64] = [:]
  var functions: [String] = []
  /// Whether the dump lists the use of addresses.
  var hasMappings = true

  init(_ code: String, _ registers: [String: UInt64] = [:], address: UInt64? = nil) {
    self.code = code.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    self.registers = registers
    reason.address = address.map(Address.init)
  }

  private var size: Int { architecture == .i386 ? 4 : 8 }

  private var memory: ProcessMemory {
    var stack = [UInt8](repeating: 0, count: 0x8000)
    for (offset, word) in words {
      for index in 0..<size {
        stack[offset + index] = UInt8(truncatingIfNeeded: word >> UInt64(8 * index))
      }
    }
    return ProcessMemory(
      [
        .init(start: Self.code, bytes: ByteView(code + [UInt8](repeating: 0x90, count: 32))),
        .init(start: Self.stack, bytes: ByteView(stack)),
      ], addressSize: size, endianness: .little,
      mappings: hasMappings
        ? [
          MemoryMapping(start: 0x40_0000, end: 0x41_0000, protection: [.read, .execute]),
          MemoryMapping(start: 0x50_0000, end: 0x51_0000, protection: [.read, .write]),
          MemoryMapping(
            start: 0x51_0000, end: 0x52_0000, protection: .read, name: "/usr/lib/libtern.so"),
          MemoryMapping(start: 0x52_0000, end: 0x52_1000, protection: []),
          MemoryMapping(
            start: Self.stack, end: Self.stack + 0x8000, protection: [.read, .write],
            name: "[stack]"),
        ] : [], hasAllMappings: hasMappings)
  }

  var report: CrashReport {
    var report = CrashReport(format: ReportFormat("minidump"))
    report.os.name = system
    report.device.architecture = architecture
    report.reason = reason
    report.memory = memory
    var registers = registers
    let isARM = architecture == .arm64
    let pc = isARM ? "pc" : size == 8 ? "rip" : "eip"
    let sp = isARM ? "sp" : size == 8 ? "rsp" : "esp"
    registers[pc, default: Self.code] += 0
    registers[sp, default: Self.stack + 0x1000] += 0
    let frames = functions.map { Frame(position: .exact, function: $0) }
    report.threads = [
      CrashThread(
        index: 0, crashed: true, registers: registers.map { Register($0.key, $0.value) },
        frames: frames)
    ]
    report.crashedThread = 0
    return report
  }

  var fault: Fault? { FaultAnalyzer(report) { _ in [] }?.fault() }
}

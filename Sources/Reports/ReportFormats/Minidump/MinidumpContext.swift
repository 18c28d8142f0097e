internal import Bytes
internal import CrashModel

/// The positions of an architecture's registers in the context of a thread. Data after them, such as the
/// vectors and shadow stacks of newer processors, is ignored.
///
/// Sources: Breakpad, `src/google_breakpad/common/minidump_cpu_*.h`; Crashpad, `minidump/minidump_context.h`.
struct MinidumpContext {
  /// The registers in a context, in the usual order; empty if it is too short.
  static func registers(
    in bytes: ByteView, of processor: MinidumpProcessor, endianness: Endianness
  ) -> [Register] {
    guard let layout = layout(of: processor, bytes, endianness) else { return [] }
    var registers: [Register] = []
    for (name, offset) in layout.offsets {
      let value =
        layout.width == 8
        ? number(bytes, at: offset, as: UInt64.self, endianness)
        : number(bytes, at: offset, as: UInt32.self, endianness).map(UInt64.init)
      guard let value else { return [] }
      // MIPS keeps registers of 32 bits in 64.
      registers.append(
        Register(name, processor.addressSize == 4 ? value & 0xffff_ffff : value))
    }
    for (name, offset) in layout.flags {
      guard let value = number(bytes, at: offset, as: UInt32.self, endianness) else { continue }
      registers.append(Register(name, UInt64(value)))
    }
    return registers
  }

  private static func number<T: FixedWidthInteger & BitwiseCopyable>(
    _ bytes: ByteView, at offset: Int, as type: T.Type, _ endianness: Endianness
  ) -> T? {
    var reader = ByteReader(bytes.bytes, reading: "context", endianness: endianness)
    guard (try? reader.seek(to: offset)) != nil else { return nil }
    return try? reader.read(type)
  }

  /// The position and size in bytes of each register of a context.
  static func registerOffsets(
    in bytes: ByteView, of processor: MinidumpProcessor, endianness: Endianness
  ) -> [(name: String, offset: Int, width: Int)] {
    guard let layout = layout(of: processor, bytes, endianness) else { return [] }
    return layout.offsets.map { ($0.name, $0.offset, layout.width) }
      + layout.flags.map { ($0.name, $0.offset, 4) }
  }

  private struct Layout {
    var width = 8
    var offsets: [(name: String, offset: Int)]
    /// Registers of four bytes, whatever the width.
    var flags: [(name: String, offset: Int)] = []
  }

  private static func layout(
    of processor: MinidumpProcessor, _ bytes: ByteView, _ endianness: Endianness
  ) -> Layout? {
    switch processor {
    case .amd64: amd64
    case .x86, .x86OnWindows64: x86
    case .arm64: arm64(from: 8, flags: 4)
    case .oldARM64: arm64(from: 8, flags: 272)
    case .arm: arm
    case .mips, .mips64: mips
    case .ppc: ppc
    case .ppc64: ppc64
    case .sparc: sparc
    // A version precedes the registers since Crashpad supports the processor.
    case .riscv32:
      riscv(width: 4, from: number(bytes, at: 4, as: UInt32.self, endianness) == 1 ? 8 : 4)
    case .riscv64: riscv(width: 8, from: 8)
    default: nil
    }
  }

  private static let amd64 = Layout(
    offsets: [
      ("rax", 120), ("rcx", 128), ("rdx", 136), ("rbx", 144), ("rsp", 152), ("rbp", 160),
      ("rsi", 168), ("rdi", 176), ("r8", 184), ("r9", 192), ("r10", 200), ("r11", 208),
      ("r12", 216), ("r13", 224), ("r14", 232), ("r15", 240), ("rip", 248),
    ], flags: [("eflags", 68)])

  private static let x86 = Layout(
    width: 4,
    offsets: [
      ("eax", 176), ("ebx", 164), ("ecx", 172), ("edx", 168), ("esi", 160), ("edi", 156),
      ("ebp", 180), ("esp", 196), ("eip", 184), ("eflags", 192),
    ])

  /// x0 to x28, fp, lr, sp and pc, one after the other.
  private static func arm64(from first: Int, flags: Int) -> Layout {
    let names = (0...28).map { "x\($0)" } + ["fp", "lr", "sp", "pc"]
    return Layout(offsets: offsets(names, from: first, width: 8), flags: [("cpsr", flags)])
  }

  private static let arm = Layout(
    width: 4,
    offsets: offsets((0...12).map { "r\($0)" } + ["sp", "lr", "pc", "cpsr"], from: 4, width: 4))

  private static let mips = Layout(
    offsets: offsets(
      "zero at v0 v1 a0 a1 a2 a3 t0 t1 t2 t3 t4 t5 t6 t7 s0 s1 s2 s3 s4 s5 s6 s7 t8 t9 k0 k1 gp sp fp ra"
        .split(separator: " ").map(String.init), from: 8, width: 8)
      + [("hi", 264), ("lo", 272), ("pc", 312)])

  private static let ppc = Layout(
    width: 4,
    offsets: [("srr0", 4), ("srr1", 8)] + offsets((0...31).map { "r\($0)" }, from: 12, width: 4)
      + offsets(["cr", "xer", "lr", "ctr"], from: 140, width: 4))

  private static let ppc64 = Layout(
    offsets: [("srr0", 8), ("srr1", 16)] + offsets((0...31).map { "r\($0)" }, from: 24, width: 8)
      + offsets(["cr", "xer", "lr", "ctr"], from: 280, width: 8))

  private static let sparc = Layout(
    offsets: offsets(
      ["g", "o", "l", "i"].flatMap { kind in (0...7).map { "\(kind)\($0)" } }
        + ["ccr", "pc", "npc", "y"], from: 8, width: 8))

  private static func riscv(width: Int, from first: Int) -> Layout {
    let names =
      "pc ra sp gp tp t0 t1 t2 s0 s1 a0 a1 a2 a3 a4 a5 a6 a7 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11 t3 t4 t5 t6"
      .split(separator: " ").map(String.init)
    return Layout(width: width, offsets: offsets(names, from: first, width: width))
  }

  private static func offsets(
    _ names: [String], from first: Int, width: Int
  ) -> [(name: String, offset: Int)] {
    names.enumerated().map { ($0.element, first + $0.offset * width) }
  }
}

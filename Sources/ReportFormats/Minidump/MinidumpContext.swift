internal import Bytes
internal import CrashModel

/// Where the registers of an architecture lie in the context of a thread.
///
/// Source: Breakpad, `src/google_breakpad/common/minidump_cpu_{x86,amd64,arm,arm64}.h`.
struct MinidumpContext {
  /// The registers in a context, in the order in which people read them; empty where it is too short.
  static func registers(
    in bytes: ByteView, of system: MinidumpSystem, _ file: MinidumpFile
  ) -> [Register] {
    guard let layout = layout(of: system.processor) else { return [] }
    var registers: [Register] = []
    for (name, offset) in layout.places {
      let value =
        layout.width == 8
        ? file.number(bytes, at: offset, as: UInt64.self)
        : file.number(bytes, at: offset, as: UInt32.self).map(UInt64.init)
      guard let value else { return [] }
      registers.append(Register(name, value))
    }
    for (name, offset) in layout.flags {
      guard let value = file.number(bytes, at: offset, as: UInt32.self) else { continue }
      registers.append(Register(name, UInt64(value)))
    }
    return registers
  }

  private struct Layout {
    var width = 8
    var places: [(name: String, offset: Int)]
    /// Registers of four bytes, whatever the width.
    var flags: [(name: String, offset: Int)] = []
  }

  private static func layout(of processor: MinidumpProcessor) -> Layout? {
    switch processor {
    case .amd64: amd64
    case .x86, .x86OnWindows64: x86
    case .arm64: arm64(from: 8, flags: 4)
    case .oldARM64: arm64(from: 8, flags: 272)
    case .arm: arm
    default: nil
    }
  }

  private static let amd64 = Layout(
    places: [
      ("rax", 120), ("rcx", 128), ("rdx", 136), ("rbx", 144), ("rsp", 152), ("rbp", 160),
      ("rsi", 168), ("rdi", 176), ("r8", 184), ("r9", 192), ("r10", 200), ("r11", 208),
      ("r12", 216), ("r13", 224), ("r14", 232), ("r15", 240), ("rip", 248),
    ], flags: [("eflags", 68)])

  private static let x86 = Layout(
    width: 4,
    places: [
      ("eax", 176), ("ebx", 164), ("ecx", 172), ("edx", 168), ("esi", 160), ("edi", 156),
      ("ebp", 180), ("esp", 196), ("eip", 184), ("eflags", 192),
    ])

  /// x0 to x28, fp, lr, sp and pc, one after the other.
  private static func arm64(from first: Int, flags: Int) -> Layout {
    let names = (0...28).map { "x\($0)" } + ["fp", "lr", "sp", "pc"]
    return Layout(
      places: names.enumerated().map { ($0.element, first + $0.offset * 8) },
      flags: [("cpsr", flags)])
  }

  private static let arm: Layout = {
    let names = (0...12).map { "r\($0)" } + ["sp", "lr", "pc", "cpsr"]
    return Layout(width: 4, places: names.enumerated().map { ($0.element, 4 + $0.offset * 4) })
  }()
}

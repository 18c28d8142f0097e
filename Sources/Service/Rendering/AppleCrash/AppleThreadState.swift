internal import Bytes
package import CrashModel
internal import CrashService
package import Identifiers

/// The registers of the report's thread in Apple's text form: in each architecture's lines and order,
/// whatever the order in the report.
package struct AppleThreadState {
  private let title: String
  /// The names, line by line.
  private let layout: [[String]]
  private let indent: String
  private let digits: Int
  private let values: [String: UInt64]
  /// Registers that the form does not have.
  private let others: [Register]
  private let isMac: Bool

  package init(of thread: CrashThread, architecture: Architecture?, isMac: Bool) {
    var values: [String: UInt64] = [:]
    var names: [String] = []
    for register in thread.registers {
      let name = Self.name(of: register)
      guard values[name] == nil else { continue }
      values[name] = register.value
      names.append(name)
    }
    self.values = values
    self.isMac = isMac
    switch architecture {
    case .x86_64, .x86_64h:
      (title, layout, indent, digits) = ("X86 Thread State (64-bit)", Self.x86_64, "", 16)
    case .i386:
      (title, layout, indent, digits) = ("X86 Thread State (32-bit)", Self.i386, "", 8)
    case .arm, .armv6, .armv7, .armv7s, .armv7k:
      (title, layout, indent, digits) = ("ARM Thread State (32-bit)", Self.arm, " ", 8)
    case .arm64, .arm64e, .arm64_32:
      (title, layout, indent, digits) = ("ARM Thread State (64-bit)", Self.arm64, " ", 16)
    default:
      let name = architecture?.description.uppercased().appleLine ?? "Unknown"
      (title, layout, indent, digits) = ("\(name) Thread State", [], " ", 16)
    }
    let known = Set(layout.joined()).union(isMac ? ["cpu", "err", "trap"] : [])
    others = names.filter { !known.contains($0) }.map { Register($0, values[$0] ?? 0) }
  }

  /// Returns the lines; none if the report has no registers.
  package func lines(thread: Int, isCrashed: Bool) -> [String] {
    guard !values.isEmpty else { return [] }
    var lines = ["Thread \(thread)\(isCrashed ? " crashed" : "") with \(title):"]
    for names in layout {
      let cells = names.compactMap { name in values[name].map { cell(name, $0) } }
      if !cells.isEmpty { lines.append(indent + cells.joined()) }
    }
    let columns = 4
    for start in stride(from: 0, to: others.count, by: columns) {
      let cells = others[start..<min(start + columns, others.count)]
      lines.append(indent + cells.map { cell($0.name, $0.value) }.joined())
    }
    return lines + [""] + trap()
  }

  /// Returns macOS's lines about the processor, below the registers of an Intel machine.
  private func trap() -> [String] {
    guard isMac else { return [] }
    var lines: [String] = []
    if let cpu = values["cpu"] { lines.append("Logical CPU:     \(cpu)") }
    if let error = values["err"] {
      lines.append("Error Code:      0x\(String(error, radix: 16).zeroPadded(to: 8))")
    }
    if let trap = values["trap"] { lines.append("Trap Number:     \(trap)") }
    return lines.isEmpty ? [] : lines + [""]
  }

  private func cell(_ name: String, _ value: UInt64) -> String {
    let width = Self.narrow.contains(name) && value >> 32 == 0 ? 8 : digits
    // A longer name would run into the value before it.
    let label = name.columns < 5 ? name.padded(to: 5, right: true) : "  " + name
    return "\(label): 0x\(String(value, radix: 16).zeroPadded(to: width))"
  }

  /// Returns a name as Apple writes it: names with blanks or colons could not be parsed.
  private static func name(of register: Register) -> String {
    switch register.name {
    case "rflags": return "rfl"
    case "eflags": return "efl"
    case let name:
      let text = name.printable.filter { $0 != " " && $0 != ":" && $0.isASCII }
      return text.isEmpty ? "?" : String(text.prefix(16))
    }
  }

  /// The registers with 32 bits.
  private static let narrow: Set<String> = ["cpsr", "esr"]

  private static let arm64 =
    (0..<7).map { row in (0..<4).map { "x\(row * 4 + $0)" } } + [
      ["x28", "fp", "lr"], ["sp", "pc", "cpsr"], ["far", "esr"],
    ]
  private static let arm =
    [["r0", "r1", "r2", "r3"], ["r4", "r5", "r6", "r7"], ["r8", "r9", "r10", "r11"]]
    + [["ip", "sp", "lr", "pc"], ["cpsr"]]
  private static let x86_64 = [
    ["rax", "rbx", "rcx", "rdx"], ["rdi", "rsi", "rbp", "rsp"], ["r8", "r9", "r10", "r11"],
    ["r12", "r13", "r14", "r15"], ["rip", "rfl", "cr2"],
  ]
  private static let i386 = [
    ["eax", "ebx", "ecx", "edx"], ["edi", "esi", "ebp", "esp"], ["ss", "efl", "eip", "cs"],
    ["ds", "es", "fs", "gs"], ["cr2"],
  ]
}

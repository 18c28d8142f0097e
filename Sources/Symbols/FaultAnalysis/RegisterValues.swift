internal import CrashModel
internal import Instructions

/// The registers of a thread by all their names: `eax` is a part of `rax`, `x29` is called `fp`.
struct RegisterValues {
  private var values: [String: UInt64] = [:]
  let programCounter: UInt64?
  let stackPointer: UInt64?
  let stackPointerName: String

  init(_ registers: [Register]) {
    for register in registers where values[register.name] == nil {
      values[register.name] = register.value
    }
    for (one, other) in [("x29", "fp"), ("x30", "lr")] {
      if let value = values[other], values[one] == nil { values[one] = value }
    }
    programCounter = ["rip", "eip", "pc"].lazy.compactMap { [values] in values[$0] }.first
    stackPointerName = ["rsp", "esp", "sp"].first { [values] in values[$0] != nil } ?? "sp"
    stackPointer = values[stackPointerName]
  }

  /// The value of a register or of the part of one that has a name.
  subscript(name: String) -> UInt64? {
    if let value = values[name] { return value }
    if name == "xzr" || name == "wzr" { return 0 }
    if name.first == "w", let value = values["x" + name.dropFirst()] { return value & 0xffff_ffff }
    guard let (whole, shift, bits) = Self.part(name) else { return nil }
    let value = values["r" + whole] ?? values["e" + whole]
    return value.map { $0 >> shift & (1 << bits - 1) }
  }

  /// The register of x86 that holds another: the name without its first letter.
  private static func part(_ name: String) -> (whole: String, shift: UInt64, bits: UInt64)? {
    if name.first == "r", let last = name.last, let bits: UInt64 = ["d": 32, "w": 16, "b": 8][last]
    {
      return (String(name.dropFirst().dropLast()), 0, bits)
    }
    if name.count == 3, name.first == "e" { return (String(name.dropFirst()), 0, 32) }
    if name.count == 2, let last = name.last, "xpi".contains(last) { return (name, 0, 16) }
    guard let last = name.last, last == "l" || last == "h" else { return nil }
    let stem = String(name.dropLast())
    // `al` is a part of `ax`, `sil` of `si`.
    return (stem.count == 1 ? stem + "x" : stem, last == "h" ? 8 : 0, 8)
  }

  /// The general registers that may hold addresses.
  var addresses: [(name: String, value: UInt64)] {
    values.filter { !["eflags", "cpsr", "fs_base", "gs_base"].contains($0.key) }
      .sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }
}

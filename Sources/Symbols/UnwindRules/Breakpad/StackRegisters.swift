internal import Identifiers

/// The registers by the names that Breakpad's files use, with or without a dollar sign.
struct StackRegisters {
  private var numbers: [String: UInt16] = [:]
  /// Stands for `.ra`: the program counter's own number, where DWARF has one.
  let programCounter: UInt8

  /// Where DWARF has no number for the program counter.
  private static let otherProgramCounter: UInt8 = 0xff

  init(_ architecture: Architecture) {
    let registers = UnwindRegisters(architecture)
    for number in UInt16(0)..<320 {
      let name = registers.name(of: number)
      if numbers[name] == nil { numbers[name] = number }
    }
    switch UnwindRegisters.family(of: architecture) {
    case .x86_64: programCounter = 16
    case .i386: programCounter = 8
    case .arm64:
      programCounter = 32
      numbers["fp"] = 29
      numbers["lr"] = 30
      numbers["x31"] = 31
    case .arm:
      programCounter = 15
      numbers["r13"] = 13
      numbers["r14"] = 14
      numbers["r15"] = 15
      numbers["fp"] = 11
      numbers["ip"] = 12
    default: programCounter = Self.otherProgramCounter
    }
    numbers[".ra"] = UInt16(programCounter)
  }

  /// The number of the register that `name` stands for; `nil` for an unknown one.
  subscript(name: String) -> UInt16? {
    numbers[name.hasPrefix("$") ? String(name.dropFirst()) : name]
  }
}

internal import DWARF

/// The most that is taken from unwind rules, whatever they say.
enum UnwindLimits {
  /// Registers with a rule at one address.
  static let registers = CallFrameLimits.registers
  /// Different rules may take this many times the bytes that they are read from, and as much as a
  /// small file needs; real files stay below half.
  static let ruleRatio = 16
  static let ruleBytes = 1 << 20
  /// Rows, for each byte that rules are read from; a row takes a byte at least.
  static let rowRatio = 2
  /// Steps where entries may share what they name, for each byte of input, and in all.
  static let effortRatio = 8
  static let effort = 1 << 20
  /// Unwind codes of one function of 64-bit Arm Windows; a prologue has one for each instruction.
  static let codes = 256
  /// Notes about damage.
  static let notes = 16
}

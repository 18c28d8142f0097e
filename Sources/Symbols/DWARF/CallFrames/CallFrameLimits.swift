/// The most that is taken from call frame information, whatever it says.
package enum CallFrameLimits {
  /// Registers with a rule at one address. Real code saves two dozen.
  package static let registers = 128
  /// States that a program remembers at once.
  static let rememberedStates = 64
  /// Operations of one expression, in bytes.
  package static let expressionBytes = 1024
  /// Values on the stack of an expression.
  package static let expressionDepth = 64
}

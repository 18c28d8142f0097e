/// The number of bits for each field of a scope in a cache.
struct ScopeForm: Equatable, Sendable {
  let function: UInt8
  let distance: UInt8
  let file: UInt8
  let line: UInt8
  let column: UInt8

  /// The widths for this many functions and files: the remaining bits are distributed as most
  /// programs need them; scopes that need more become wide scopes.
  init(functionCount: Int, fileCount: Int) {
    // All ones mean no function.
    let function = min(Self.bits(functionCount &+ 1), 24)
    let file = min(Self.bits(fileCount), 20)
    let rest = 64 - function - file
    // The entry of a function needs 32 bits.
    let distance = min(rest * 13 / 34, 14, 32 - function)
    let column = min(rest * 7 / 34, 9)
    self.function = UInt8(function)
    self.file = UInt8(file)
    self.distance = UInt8(distance)
    self.column = UInt8(column)
    line = UInt8(min(rest - distance - column, 32))
  }

  /// Reads the widths given in a file; `nil` if they do not fit 64 bits.
  init?(function: UInt8, distance: UInt8, file: UInt8, line: UInt8, column: UInt8) {
    let widths = [function, distance, file, line, column]
    guard widths.allSatisfy({ $0 <= 32 }), function > 0,
      widths.reduce(0, { $0 + Int($1) }) <= 64, function + distance <= 32
    else { return nil }
    self.function = function
    self.distance = distance
    self.file = file
    self.line = line
    self.column = column
  }

  /// The mark of a wide scope in its function field.
  @inline(__always)
  var wide: UInt64 { mask(function) }

  @inline(__always)
  func mask(_ bits: UInt8) -> UInt64 { 1 &<< UInt64(bits) &- 1 }

  private static func bits(_ count: Int) -> Int {
    Int.bitWidth - max(count, 1).leadingZeroBitCount
  }
}

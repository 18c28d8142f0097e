/// A `FUNC` record.
public struct BreakpadFunction: BitwiseCopyable, Sendable {
  public var start: UInt32
  /// Exclusive; that of a function without code is its start.
  public var end: UInt32
  /// Where the name lies in the file.
  public var nameOffset: Int
  public var nameCount: Int
}

/// A `PUBLIC` record.
public struct BreakpadPublic: BitwiseCopyable, Sendable {
  public var address: UInt32
  /// Where the name lies in the file.
  public var nameOffset: Int
  public var nameCount: Int
}

extension BreakpadLine {
  /// The fields of a `FUNC` record, whose first word has been read; `nil` when one of them is wrong
  /// or missing, or the function lies 4 GiB after the start of the image.
  @_lifetime(self: copy self)
  public mutating func function() -> BreakpadFunction? {
    skipSpaces()
    _ = takes("m ")
    guard let start = hexadecimal().flatMap(UInt32.init(exactly:)), let size = hexadecimal(),
      hexadecimal() != nil
    else { return nil }
    let name = rest()
    let end = UInt64(start).addingReportingOverflow(size)
    return BreakpadFunction(
      start: start, end: end.overflow ? .max : UInt32(clamping: end.partialValue),
      nameOffset: name.lowerBound, nameCount: name.count)
  }

  /// The fields of a `PUBLIC` record; `nil` as for ``function()``.
  @_lifetime(self: copy self)
  public mutating func publicSymbol() -> BreakpadPublic? {
    skipSpaces()
    _ = takes("m ")
    guard let address = hexadecimal().flatMap(UInt32.init(exactly:)), hexadecimal() != nil else {
      return nil
    }
    let name = rest()
    return BreakpadPublic(
      address: address, nameOffset: name.lowerBound, nameCount: name.count)
  }
}

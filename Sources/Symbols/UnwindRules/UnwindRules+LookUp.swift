internal import Bytes

extension UnwindRules {
  /// The rules while the program is at `offset` from the image base; `nil` where none are known.
  ///
  /// Allocates nothing.
  ///
  /// - Complexity: O(log n) in the number of rows.
  public func lookUp(_ offset: UInt32) -> UnwindRow? {
    var start: UInt32 = 0
    return lookUp(offset, start: &start)
  }

  /// - Parameter start: From where on they hold, at least.
  @inline(__always)
  public func lookUp(_ offset: UInt32, start: inout UInt32) -> UnwindRow? {
    let file = bytes.bytes
    let block = file.lastWord32(notAbove: offset, in: blockStarts)
    guard block >= 0 else { return nil }
    let first = file.word32(at: blockStarts.lowerBound &+ block &* 4)
    let behind = offset &- first
    let blockOffset = blocks.lowerBound &+ block &* UnwindFormat.blockSize
    guard blockOffset <= blocks.upperBound &- UnwindFormat.blockSize else { return nil }
    let limit = UInt16(truncatingIfNeeded: min(behind, UnwindFormat.blockReach))
    let slot = file.countOfSixteen(notAbove: limit, at: blockOffset) &- 1
    guard slot >= 0 else { return nil }
    start =
      first &+ UInt32(file.byte(blockOffset &+ slot &* 2))
      &+ UInt32(file.byte(blockOffset &+ slot &* 2 &+ 1)) &<< 8
    return row(numbered: file.word32(at: blockOffset &+ UnwindFormat.blockStarts &+ slot &* 4))
  }

  /// - Parameter number: The word of its record plus 1, as it is in a block.
  @inline(__always)
  private func row(numbered number: UInt32) -> UnwindRow? {
    let offset = rules.lowerBound &+ (Int(number) &- 1) &* 8
    guard number > 0, offset <= rules.upperBound &- 8 else { return nil }
    let row = UnwindRow(reading: bytes.bytes, at: offset)
    guard row.wordCount &* 8 <= rules.upperBound &- row.rulesOffset else { return nil }
    return row
  }

  /// A register of the caller and how it is found; rules are in the order of their registers.
  ///
  /// A register without a rule is what the calling convention makes of it: kept by the callee, or
  /// not.
  ///
  /// - Parameter index: Below ``UnwindRow/ruleCount``.
  @inline(__always)
  public func rule(_ index: Int, of row: UnwindRow) -> (register: UInt16, rule: UnwindRow.Rule) {
    let word = self.word(index, of: row)
    return (UInt16(truncatingIfNeeded: word), Self.rule(word))
  }

  /// The rule for `register`; `nil` where there is none.
  public func rule(for register: UInt16, of row: UnwindRow) -> UnwindRow.Rule? {
    for index in 0..<row.ruleCount {
      let word = self.word(index, of: row)
      if UInt16(truncatingIfNeeded: word) == register { return Self.rule(word) }
    }
    return nil
  }

  /// How many bytes of arguments the function takes off the stack when it returns, where the rules
  /// tell: those of its caller may need it.
  public func parameterBytes(of row: UnwindRow) -> UInt32? {
    guard row.flags.contains(.hasParameterBytes) else { return nil }
    return bytes.bytes.word32(at: row.rulesOffset &+ row.ruleCount &* 8 &+ 4)
  }

  @inline(__always)
  private func word(_ index: Int, of row: UnwindRow) -> UInt64 {
    index < row.ruleCount ? bytes.bytes.word64(at: row.rulesOffset &+ index &* 8) : 0
  }

  @inline(__always)
  private static func rule(_ word: UInt64) -> UnwindRow.Rule {
    let value = Int32(truncatingIfNeeded: word &>> 32)
    switch UInt8(truncatingIfNeeded: word &>> 16) {
    case UnwindFormat.RuleKind.sameValue: return .sameValue
    case UnwindFormat.RuleKind.offset: return .offset(value)
    case UnwindFormat.RuleKind.valueOffset: return .valueOffset(value)
    case UnwindFormat.RuleKind.register: return .register(UInt16(truncatingIfNeeded: value))
    case UnwindFormat.RuleKind.expression:
      return .expression(UnwindExpression(offset: UInt32(bitPattern: value)))
    case UnwindFormat.RuleKind.valueExpression:
      return .valueExpression(UnwindExpression(offset: UInt32(bitPattern: value)))
    default: return .undefined
    }
  }

  /// The operations of an expression, see ``ExpressionOperation``; none where the file is damaged.
  @_lifetime(borrow self)
  public func bytes(of expression: UnwindExpression) -> RawSpan {
    let all = bytes.bytes.extracting(expressions)
    let start = Int(expression.offset) &+ 2
    guard start <= all.byteCount else { return all.extracting(0..<0) }
    let count = Int(all.byte(start &- 2)) | Int(all.byte(start &- 1)) &<< 8
    guard count <= all.byteCount &- start else { return all.extracting(0..<0) }
    return all.extracting(start..<(start &+ count))
  }

  /// Calls `body` with each run of addresses that has rules, in order, until it answers `false`.
  public func forEachRow<Failure: Error>(
    _ body: (Range<UInt32>, UnwindRow) throws(Failure) -> Bool
  ) throws(Failure) {
    let file = bytes.bytes
    var open: (start: UInt32, row: UnwindRow)?
    for block in 0..<(blockStarts.count / 4) {
      let start = file.word32(at: blockStarts.lowerBound &+ block &* 4)
      let blockOffset = blocks.lowerBound &+ block &* UnwindFormat.blockSize
      guard blockOffset <= blocks.upperBound &- UnwindFormat.blockSize else { break }
      for slot in 0..<UnwindFormat.blockCount {
        let behind =
          UInt32(file.byte(blockOffset &+ slot &* 2))
          | UInt32(file.byte(blockOffset &+ slot &* 2 &+ 1)) &<< 8
        guard behind <= UnwindFormat.blockReach else { break }
        let here = start &+ behind
        if let open, open.start < here {
          guard try body(open.start..<here, open.row) else { return }
        }
        open = row(numbered: file.word32(at: blockOffset &+ UnwindFormat.blockStarts &+ slot &* 4))
          .map { (here, $0) }
      }
    }
    if let open, open.start < .max { _ = try body(open.start..<(.max), open.row) }
  }
}

internal import Synchronization

/// A pattern that is searched for anywhere in a text, unless `^` at its start or `$` at its end anchors it.
/// It examines each byte of a text once, whatever the pattern.
package final class SearchPattern: Sendable {
  /// The most bytes of a pattern, and the most steps after its counts are expanded.
  package static let limit = (bytes: 512, steps: 2_000)
  /// The most cached states of one pattern.
  private static let stateLimit = 250

  private let isTiedToEnd: Bool
  private let machine: Mutex<PatternMachine>

  /// - Throws: ``PatternError`` for text that is not a pattern, or too large; its offset counts from the
  ///   start of `text`.
  package init(_ text: String) throws(PatternError) {
    let bytes = Array(text.utf8)
    guard bytes.count <= Self.limit.bytes else {
      throw PatternError(
        offset: Self.limit.bytes, reason: "the pattern has more than \(Self.limit.bytes) bytes")
    }
    let isTiedToStart = bytes.first == UInt8(ascii: "^")
    isTiedToEnd = bytes.last == UInt8(ascii: "$") && !Self.isEscaped(bytes.count - 1, in: bytes)
    let start = isTiedToStart ? 1 : 0
    let end = bytes.count - (isTiedToEnd ? 1 : 0)
    let node = try PatternParser.parse(bytes, min(start, end)..<end, ignoresCase: false)
    if case .choice = node, isTiedToStart || isTiedToEnd {
      throw PatternError(
        offset: isTiedToStart ? 0 : end,
        reason: "beside | at the outermost level, ^ and $ need parentheses: ^(a|b)$")
    }
    var program = PatternProgram(isReversed: false, limit: Self.limit.steps)
    try program.add([node], label: 0)
    machine = Mutex(
      PatternMachine(program, isEverywhere: !isTiedToStart, stateLimit: Self.stateLimit))
  }

  private static func isEscaped(_ index: Int, in bytes: [UInt8]) -> Bool {
    bytes[..<index].reversed().prefix { $0 == UInt8(ascii: "\\") }.count % 2 == 1
  }

  /// Whether the pattern matches anywhere in `text`.
  ///
  /// - Complexity: O(bytes of the text).
  package func fits(_ text: [UInt8]) -> Bool {
    machine.withLock { machine in
      var state = machine.start
      if machine.fits(state) != 0, !isTiedToEnd || text.isEmpty { return true }
      for byte in text {
        state = machine.step(state, byte)
        if state == PatternMachine.dead { return false }
        if !isTiedToEnd, machine.fits(state) != 0 { return true }
      }
      return machine.fits(state) != 0
    }
  }
}

internal import Bytes

/// `1:3:void app.tern.Desk.pay(int):10:12 -> a`: a method or a part of one, and its name in the shipped app.
///
///     [FIRST:[LAST:]]TYPE [CLASS.]METHOD(TYPES)[:FIRST[:LAST]] -> NAME
///
/// The lines before the type are those printed by the shipped app; the lines after the parameters are those
/// of the source. Lines of fields have no parameters.
struct R8MemberLine {
  /// The lines printed by the app.
  var printed: ClosedRange<Int>?
  /// The class of the method, where it is another one.
  var originalClass: Range<Int>?
  var method: Range<Int>
  /// The first line of the source, and the last where given.
  var firstLine: Int?
  var lastLine: Int?
  var obfuscated: Range<Int>

  /// - Returns: `nil` for a field, and for anything else that is not a method.
  init?(_ line: Range<Int>, in bytes: RawSpan) {
    guard let arrow = bytes.lastArrow(in: line) else { return nil }
    obfuscated = arrow + 4..<line.upperBound
    var position = line.lowerBound
    if let first = Self.number(at: &position, before: arrow, in: bytes) {
      guard Self.take(UInt8(ascii: ":"), at: &position, before: arrow, in: bytes) else {
        return nil
      }
      var last = first
      let start = position
      if let number = Self.number(at: &position, before: arrow, in: bytes) {
        guard Self.take(UInt8(ascii: ":"), at: &position, before: arrow, in: bytes) else {
          return nil
        }
        last = number
      } else if position > start {
        return nil
      }
      guard first <= last else { return nil }
      printed = first...last
    } else if position > line.lowerBound {
      return nil
    }
    guard let blank = bytes.index(of: 32, in: position..<arrow),
      let open = bytes.index(of: UInt8(ascii: "("), in: blank..<arrow),
      let close = bytes.index(of: UInt8(ascii: ")"), in: open..<arrow)
    else { return nil }
    method = blank + 1..<open
    var index = open
    while index > blank + 1 {
      index -= 1
      guard bytes.byte(index) == UInt8(ascii: ".") else { continue }
      originalClass = blank + 1..<index
      method = index + 1..<open
      break
    }
    guard !method.isEmpty, !obfuscated.isEmpty else { return nil }
    position = close + 1
    if Self.take(UInt8(ascii: ":"), at: &position, before: arrow, in: bytes) {
      guard let first = Self.number(at: &position, before: arrow, in: bytes) else { return nil }
      firstLine = first
      if Self.take(UInt8(ascii: ":"), at: &position, before: arrow, in: bytes) {
        guard let last = Self.number(at: &position, before: arrow, in: bytes) else { return nil }
        lastLine = last
      }
    }
    guard position == arrow else { return nil }
  }

  /// The decimal number at `position`, which moves past its digits; `nil` where there is none, or one too
  /// large for a line.
  private static func number(
    at position: inout Int, before end: Int, in bytes: RawSpan
  ) -> Int? {
    let start = position
    var value = 0
    while position < end, bytes.byte(position).isDigit {
      if value <= mostLines { value = value * 10 + Int(bytes.byte(position) - 48) }
      position += 1
    }
    return position > start && value <= mostLines ? value : nil
  }

  /// Java counts lines in 16 bits, R8 in 31.
  private static let mostLines = Int(Int32.max)

  private static func take(
    _ byte: UInt8, at position: inout Int, before end: Int, in bytes: RawSpan
  ) -> Bool {
    guard position < end, bytes.byte(position) == byte else { return false }
    position += 1
    return true
  }

  /// The line of the source for a line printed by the app; `nil` where unknown.
  ///
  /// - Parameter line: `nil` where the app prints none.
  func sourceLine(for line: Int?) -> Int? {
    guard let firstLine else {
      // Without source lines in the mapping, the printed line is the source's own.
      return line.flatMap { $0 > 0 ? $0 : nil }
    }
    var result = firstLine
    if let lastLine, lastLine > firstLine {
      // One of several lines follows only from its position among the lines that the app prints.
      guard let printed, let line, printed.contains(line) else { return nil }
      result = min(firstLine + (line - printed.lowerBound), lastLine)
    }
    return result > 0 ? result : nil
  }
}

internal import Bytes
internal import CrashModel
internal import Identifiers

/// `#1      Basket.total (package:tern/till.dart:4:39)`, `#00 abs ADDRESS virt ADDRESS SYMBOL+0xOFFSET`.
struct DartLine {
  let number: Int
  var frame = Frame(position: .returnAddress)
  /// The address in the program, if the line gives it.
  var virtual: UInt64?

  init?(_ line: RawSpan) {
    var line = line
    // Crashlytics writes `at . #00 abs 0 virt …`.
    if line.has("at . #") { line = line.from(5) }
    guard line.has("#") else { return nil }
    var index = 1
    guard let number = line.decimal(at: &index), number < 1_000_000 else { return nil }
    self.number = Int(number)
    let rest = line.from(index).trimmed
    if rest.has("abs ") {
      guard readAddresses(rest) else { return nil }
      return
    }
    guard rest.ends(with: ")"), let open = rest.findLast(" ("), open > 0 else { return nil }
    let inside = rest.part((open + 2)..<(rest.byteCount - 1))
    let location = SourceLocation(inside)
    guard let file = location.file,
      inside.has("package:") || inside.has("dart:") || inside.has("file:")
        || file.hasSuffix(".dart")
    else { return nil }
    frame.function = rest.upTo(open).trimmed.name
    frame.file = file
    frame.line = location.line
    frame.column = location.column
  }

  private mutating func readAddresses(_ text: RawSpan) -> Bool {
    var index = 4
    guard let address = text.hexadecimalDigits(at: &index) else { return false }
    if address > 0 { frame.address = Address(address) }
    var rest = text.from(index).trimmed
    if rest.has("virt ") {
      index = 5
      guard let offset = rest.hexadecimalDigits(at: &index) else { return false }
      virtual = offset
      rest = rest.from(index).trimmed
    }
    guard let plus = rest.find("+") else { return rest.byteCount == 0 || rest.has("<") }
    frame.symbol = rest.upTo(plus).name
    // Without 0x the number is decimal, if it has no letters.
    let digits = rest.from(plus + 1)
    index = 0
    if digits.has("0x") {
      frame.symbolOffset = digits.hexadecimal(at: &index)
    } else if let offset = digits.decimal(at: &index), index == digits.byteCount {
      frame.symbolOffset = offset
    } else {
      index = 0
      frame.symbolOffset = digits.hexadecimalDigits(at: &index)
    }
    return true
  }
}

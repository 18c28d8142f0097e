internal import Bytes

/// A frame as lldb prints it.
///
///     * frame #0: 0x0000555555555131 tern`Cart::total(this=0x0000000000000000) at cart.cpp:12:3
///       frame #1: 0x0000555555555180 tern`main + 20
///       frame #2: 0x0000555555555160 tern`shop::sum() at sum.h:8:1 [inlined]
///
/// Source: the setting `frame-format` of lldb.
struct LLDBFrame {
  let number: UInt64
  let address: UInt64
  var image: String?
  var function: String?
  var offset: UInt64?
  var location: SourceLocation?
  var isInlined = false

  init?(_ text: RawSpan) {
    var line = text
    if line.has("* ") { line = line.from(2).trimmed }
    guard line.has("frame #") else { return nil }
    var index = 7
    guard let number = line.decimal(at: &index), line.has(": ", at: index) else { return nil }
    index += 2
    guard let address = line.hexadecimal(at: &index) else { return nil }
    self.number = number
    self.address = address
    var rest = line.from(index).trimmed
    if rest.ends(with: " [inlined]") {
      isInlined = true
      rest = rest.upTo(rest.byteCount - 10)
    } else if let mark = rest.find(" [inlined] ") {
      // Older versions write it before the function.
      isInlined = true
      let tick = rest.find(UInt8(ascii: "`")).map { rest.upTo($0).name }
      image = tick
      rest = rest.from(mark + 11)
    }
    if rest.ends(with: " [opt]") { rest = rest.upTo(rest.byteCount - 6) }
    if image == nil, let tick = rest.find(UInt8(ascii: "`")) {
      image = rest.upTo(tick).name
      rest = rest.from(tick + 1)
    }
    if let at = rest.findLast(" at ") {
      location = SourceLocation(rest.from(at + 4).trimmed)
      rest = rest.upTo(at)
    }
    if let plus = rest.findLast(" + ") {
      var digits = plus + 3
      offset = rest.decimal(at: &digits)
      if offset != nil { rest = rest.upTo(plus) }
    }
    let name = rest.trimmed
    // Values of arguments are not part of the name.
    if let open = name.find(UInt8(ascii: "(")), open > 0, name.from(open).contains("=") {
      function = name.upTo(open).name
    } else if name.byteCount > 0, !name.has("___lldb_unnamed_symbol") {
      function = name.name
    }
  }
}

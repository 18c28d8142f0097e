internal import Bytes

/// The family of runtimes that printed a line as a call on a stack.
enum ManagedFrameShape {
  /// `at Shop.Cart.Total(Int32 n) in /src/Cart.cs:line 31`, and Mono's forms.
  case dotNet
  /// `at com.acme.Cart.total(Cart.java:31)`.
  case java
  /// `at Cart.total (/src/cart.js:31:7)`: V8, Hermes, Internet Explorer.
  case v8
  /// `total@https://shop.example/cart.js:31:7`: Firefox, Safari, Opera.
  case gecko

  /// - Parameter line: The line without surrounding blanks.
  init?(_ line: RawSpan) {
    guard line.byteCount > 3, line.byteCount <= FormatLimits.nameBytes else { return nil }
    if line.has("at ") {
      guard let shape = Self.call(line.from(3).trimmed) else { return nil }
      self = shape
    } else if Self.isGecko(line) {
      self = .gecko
    } else if Self.isLocalised(line) {
      self = .dotNet
    } else {
      return nil
    }
  }

  private static func call(_ call: RawSpan) -> ManagedFrameShape? {
    // The second line of a call of Rust.
    if call.find(".rs:") != nil { return nil }
    let last = call.byteOrZero(call.byteCount - 1)
    if last == UInt8(ascii: ")"), let open = call.findLast(UInt8(ascii: "(")) {
      let inside = call.part((open + 1)..<(call.byteCount - 1))
      if endsWithColumn(inside) || inside.has("<anonymous>") || inside.has("native")
        || inside.has("index ") || inside.has("address at ") || inside.has("wasm://")
      {
        return .v8
      }
      if call.find("(eval at ") != nil { return .v8 }
      if isJavaSource(inside) { return .java }
      return isMethod(call.upTo(open)) ? .dotNet : nil
    }
    if call.find(") in ") != nil || call.find(") [0x") != nil || call.find(") <0x") != nil
      || call.find("!<BaseAddress>+0x") != nil
    {
      return .dotNet
    }
    if let plus = call.findLast(") + 0x"), isMethod(call.upTo(plus)) { return .dotNet }
    if last == UInt8(ascii: ">"), call.findLast(" <0x") != nil || call.findLast(" <IL 0x") != nil {
      return .dotNet
    }
    if last == UInt8(ascii: "]"), call.find(") ~[") ?? call.find(") [") != nil { return .java }
    if endsWithColumn(call) || call.has("native") && call.byteCount == 6 { return .v8 }
    if call.has("<anonymous>"), call.byteCount == 11 { return .v8 }
    return nil
  }

  /// `Type.Method`, perhaps with parameters, generic arguments and Mono's wrapper before it.
  private static func isMethod(_ name: RawSpan) -> Bool {
    if name.has("(wrapper ") { return true }
    var name = name
    if let open = name.find("(") { name = name.upTo(open) }
    name = name.trimmed
    if let bracket = name.find("[") { name = name.upTo(bracket) }
    guard name.byteCount > 2 else { return false }
    return (name.find(".") != nil || name.find(":") != nil) && name.find(" ") == nil
      && name.byte(name.byteCount - 1) != UInt8(ascii: ":")
  }

  private static func isJavaSource(_ inside: RawSpan) -> Bool {
    // A dump of threads has the module before it.
    if inside.ends(with: "/Native Method") { return true }
    // Android's runtime writes the second word in lower case.
    if inside.has("Native Method") || inside.has("Native method") || inside.has("Unknown Source") {
      return true
    }
    var end = inside.byteCount
    while end > 0, inside.byte(end - 1).isDigit { end -= 1 }
    if end < inside.byteCount, end > 1, inside.byte(end - 1) == UInt8(ascii: ":") { return true }
    return inside.ends(with: ".java") || inside.ends(with: ".kt") || inside.ends(with: ".scala")
      || inside.ends(with: ".groovy") || inside.ends(with: ".clj")
  }

  /// `…:LINE:COLUMN`; WebAssembly's column is hexadecimal.
  static func endsWithColumn(_ text: RawSpan) -> Bool {
    var end = text.byteCount
    while end > 0, text.byte(end - 1).hexadecimalDigit != nil { end -= 1 }
    if text.has(":0x", at: end - 3) || text.has("x", at: end - 1) && text.has(":0", at: end - 3) {
      return true
    }
    end = text.byteCount
    guard let first = skipNumber(text, &end), first else { return false }
    return skipNumber(text, &end) ?? false
  }

  /// Moves `end` before `:NUMBER`.
  private static func skipNumber(_ text: RawSpan, _ end: inout Int) -> Bool? {
    var start = end
    while start > 0, text.byte(start - 1).isDigit { start -= 1 }
    guard start < end, start > 0, text.byte(start - 1) == UInt8(ascii: ":") else { return nil }
    end = start - 1
    return true
  }

  /// Whether a line is the location of a call without its function, as Safari prints it:
  /// `https://shop.example/cart.js:31:7`. It counts as a call only inside a stack.
  static func isBareScript(_ line: RawSpan) -> Bool {
    line.byteCount < 4096 && line.find("://") != nil && line.find(32) == nil
      && line.find(UInt8(ascii: "@")) == nil && line.find(UInt8(ascii: "(")) == nil
      && endsWithColumn(line)
  }

  private static func isGecko(_ line: RawSpan) -> Bool {
    guard let at = atSign(of: line) else { return false }
    let location = line.from(at + 1)
    if location.has("[native code]") { return location.byteCount == 13 }
    if location.has("[wasm code]") { return location.byteCount == 11 }
    if location.find(":wasm-function[") != nil { return endsWithColumn(location) }
    var end = line.byteCount
    guard skipNumber(line, &end) != nil, end > at + 1 else { return false }
    if location.find("://") != nil {
      return location.find(" ") == nil || location.find(" > ") != nil
    }
    return endsWithColumn(location) && location.find(" ") == nil && line.find(" ") == nil
      && (location.find("/") != nil || location.find(".") != nil)
  }

  /// The start of the location in a line of Firefox or Safari: after a property's name in quotation marks,
  /// which may contain the character too.
  static func atSign(of line: RawSpan) -> Int? {
    guard let first = line.find(UInt8(ascii: "@")) else { return nil }
    let quote = UInt8(ascii: "\"")
    guard let last = line.findLast(quote), let opening = line.find(quote), opening < first,
      first < last
    else { return first }
    return line.find(UInt8(ascii: "@"), from: last)
  }

  /// `bei Shop.Kasse.Summe(Int32 n) in C:\Kasse.cs:Zeile 31.`: a word of letters, a method with its
  /// parameters, and a file or nothing.
  private static func isLocalised(_ line: RawSpan) -> Bool {
    guard let method = methodAfterWord(of: line) else { return false }
    let rest = line.from(method)
    guard let open = rest.find(UInt8(ascii: "(")), isMethod(rest.upTo(open)),
      let close = rest.find(UInt8(ascii: ")"), from: open)
    else { return false }
    if rest.byteCount == close + 1 { return true }
    guard rest.byteOrZero(close + 1) == 32 else { return false }
    var end = rest.byteCount
    if rest.byte(end - 1) == UInt8(ascii: ".") { end -= 1 }
    let digits = end
    while end > close, rest.byte(end - 1).isDigit { end -= 1 }
    return end < digits && end > close && rest.findLast(UInt8(ascii: ":")) != nil
  }

  /// The start of the method after the word for "at" in another language.
  static func methodAfterWord(of line: RawSpan) -> Int? {
    var end = 0
    while end < line.byteCount, line.byte(end).isLetter || line.byte(end) >= 0x80 { end += 1 }
    // "w" in Polish, "v" in Czech, and a dozen letters of six bytes.
    guard (1...24).contains(end), line.byteOrZero(end) == 32 else { return nil }
    let start = line.skippingBlanks(from: end)
    let first = line.byteOrZero(start)
    guard
      first.isLetter || first == UInt8(ascii: "<") || first == UInt8(ascii: "_") || first >= 0x80
    else { return nil }
    return start
  }
}

internal import Bytes
internal import CrashModel

/// `at java.base@17/java.lang.Thread.run(Thread.java:840) ~[?:?]`, also in the forms of loggers.
enum JavaCall {
  /// The position of `at ` in a line that is a call, after any logger's prefix.
  static func start(_ line: RawSpan) -> Int? {
    let line = line.upTo(4096)
    var from = 0
    while let found = line.find("at ", from: from) {
      from = found + 3
      guard found == 0 || line.byte(found - 1).isBlank, isCall(line.from(found + 3)) else {
        continue
      }
      return found
    }
    return nil
  }

  /// Whether a name with a location in parentheses follows.
  private static func isCall(_ text: RawSpan) -> Bool {
    var index = 0
    while index < text.byteCount, isOfName(text.byte(index)) { index += 1 }
    guard index > 2, text.byteOrZero(index) == UInt8(ascii: "("),
      let close = text.find(UInt8(ascii: ")"), from: index)
    else { return false }
    guard text.upTo(index).find(UInt8(ascii: ".")) != nil else { return false }
    let source = withoutModule(text.between(index + 1, close))
    return source.find(UInt8(ascii: ":")) != nil || source.has("Native Method")
      || source.has("Unknown Source") || source.has("SourceFile") || source.has("r8-map-id-")
      || source.ends(with: ".java") || source.ends(with: ".kt") || source.ends(with: ".scala")
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "$"), UInt8(ascii: "/"),
      UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "-"), UInt8(ascii: "@"),
      UInt8(ascii: "+"), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: "~"),
      UInt8(ascii: "*"), UInt8(ascii: ":"), UInt8(ascii: "&"), UInt8(ascii: "="),
      UInt8(ascii: "|"):
      true
    default: byte.isLetter || byte.isDigit || byte >= 0x80
    }
  }

  /// Reads a line from `at ` on.
  static func frame(_ line: RawSpan) -> Frame? {
    guard line.has("at ") else { return nil }
    let call = line.from(3)
    guard isCall(call), let open = call.find(UInt8(ascii: "(")),
      let close = call.find(UInt8(ascii: ")"), from: open)
    else { return nil }
    var frame = Frame(position: .returnAddress, function: function(call.upTo(open)))
    let source = withoutModule(call.between(open + 1, close))
    if !source.has("Native Method"), source.byteCount > 0 {
      let location = SourceLocation(source)
      if location.line != nil || !source.has("Unknown Source") {
        frame.file = location.file
        frame.line = location.line
      }
    }
    return frame
  }

  /// `java.base@17.0.15/Thread.java:840` in dumps of threads.
  @_lifetime(copy source)
  private static func withoutModule(_ source: RawSpan) -> RawSpan {
    source.from(source.findLast(UInt8(ascii: "/")).map { $0 + 1 } ?? 0)
  }

  /// The name without module and class loader: `app//`, `java.base@17.0.15/`.
  private static func function(_ name: RawSpan) -> String {
    // A hidden class has an address after a slash: `Desk$$Lambda/0x00007f12.run`
    let end = name.find("$$Lambda") ?? name.find("/0x") ?? name.byteCount
    let start = name.upTo(end).findLast(UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    return name.from(start).name
  }
}

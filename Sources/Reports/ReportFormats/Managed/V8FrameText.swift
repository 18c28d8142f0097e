internal import CrashModel

/// A call as V8, Hermes and Internet Explorer print it, without `at `:
///
///     Cart.total (/src/cart.js:31:7)
///     async Cart.total [as sum] (file:///src/cart.js:31:7)
///     /src/my cart.js:31:7
///     Array.map (<anonymous>)
///     eval (eval at total (/src/cart.js:31:7), <anonymous>:1:1)
///     async Promise.all (index 0)
///     total (address at index.android.bundle:1:2345)     Hermes: an offset into its bytecode, from 0
///     total (wasm://wasm/0a1b:wasm-function[12]:0x34)
enum V8FrameText {
  static func frame(_ call: Substring) -> Frame? {
    var frame = Frame(position: .returnAddress)
    guard call.last == ")" else {
      if let wasm = WasmFrames.frame(function: nil, location: call) { return wasm }
      let location = ScriptLocation(call)
      // Without parentheses there is no function; a path may have blanks.
      guard location.column != nil, call.firstRange(of: " in ") == nil, !call.contains("(") else {
        return nil
      }
      let bare = call.hasPrefix("async ") ? call.dropFirst(6) : call
      ScriptLocation(bare).set(&frame)
      return frame
    }
    guard let (name, inside) = parts(of: call) else { return nil }
    if let wasm = WasmFrames.frame(function: name, location: inside) { return wasm }
    if inside.hasPrefix("eval at ") {
      evaluated(inside).set(&frame)
    } else if inside == "<anonymous>" || inside == "native" || inside.hasPrefix("index ")
      || inside.hasPrefix("native ")
    {
      // Not in any source.
    } else if let mark = inside.lastRange(of: ":0x"), inside.hasPrefix("wasm://") {
      frame.file = String(inside[..<mark.lowerBound])
    } else {
      let isBytecode = inside.hasPrefix("address at ")
      var location = ScriptLocation(isBytecode ? inside.dropFirst(11) : inside)
      if isBytecode {
        guard location.line != nil, let offset = location.offset, offset < Int.max else {
          return nil
        }
        // Columns count from 1, offsets from 0.
        location.column = offset + 1
      }
      guard location.column != nil else { return nil }
      location.set(&frame)
    }
    frame.function = function(name)
    return frame.function == nil && frame.file == nil ? nil : frame
  }

  /// The function, and the text in its parentheses, which may be nested.
  private static func parts(of call: Substring) -> (Substring, Substring)? {
    if let mark = call.firstRange(of: "(eval at ") {
      let start = call.utf8.index(after: mark.lowerBound)
      return (call[..<mark.lowerBound].trimmed, call[start...].dropLast())
    }
    var depth = 0
    var index = call.utf8.endIndex
    while index > call.utf8.startIndex {
      index = call.utf8.index(before: index)
      if call.utf8[index] == UInt8(ascii: ")") { depth += 1 }
      guard call.utf8[index] == UInt8(ascii: "(") else { continue }
      depth -= 1
      guard depth == 0 else { continue }
      return (call[..<index].trimmed, call[call.utf8.index(after: index)...].dropLast())
    }
    return nil
  }

  /// The location of the outermost file that contains a call of `eval`.
  private static func evaluated(_ text: Substring) -> ScriptLocation {
    var text = text
    if let open = text.utf8.lastIndex(of: UInt8(ascii: "(")) {
      text = text[text.utf8.index(after: open)...]
    }
    if let close = text.utf8.firstIndex(of: UInt8(ascii: ")")) { text = text[..<close] }
    return ScriptLocation(text)
  }

  private static func function(_ name: Substring) -> String? {
    if name.isEmpty || name == "<anonymous>" || name == "Anonymous function" { return nil }
    return String(name)
  }
}

internal import Bytes
internal import CrashModel

/// A call as Firefox, Safari and Opera print it:
///
///     total@https://shop.example/cart.js:31:7     Safari and old versions may leave out the column
///     @https://shop.example/cart.js:31:7          code outside functions
///     obj["@total"]@Scratchpad/1:10:29
///     total/<@file:///cart.js:31:7                a function inside `total`
///     total@https://shop.example/cart.js line 26 > eval:1:30
///     eval@[native code]
enum GeckoFrameText {
  static func frame(_ line: Substring) -> Frame? {
    let bytes = ByteView(line.utf8).bytes
    guard case .gecko? = ManagedFrameShape(bytes) else { return bare(line) }
    guard let at = ManagedFrameShape.atSign(of: bytes) else { return nil }
    let index = line.utf8.index(line.startIndex, offsetBy: at)
    return frame(function: line[..<index], location: line[line.utf8.index(after: index)...])
  }

  /// A line without blanks, whose file may be any text: `total@index.ios.bundle:12:345`, `global code@a`.
  private static func bare(_ line: Substring) -> Frame? {
    guard let at = line.utf8.firstIndex(of: UInt8(ascii: "@")), !line.utf8.contains(32) else {
      return nil
    }
    return frame(function: line[..<at], location: line[line.utf8.index(after: at)...])
  }

  private static func frame(function: Substring, location: Substring) -> Frame? {
    if let wasm = WasmFrames.frame(function: function, location: location) { return wasm }
    var frame = Frame(position: .returnAddress)
    frame.function = name(function)
    if location == "[wasm code]" {
      // `<?>.wasm-function[total]`; a number adds no information.
      if let open = function.firstRange(of: ".wasm-function["), function.last == "]" {
        let inside = function[open.upperBound...].dropLast()
        frame.function = inside.allSatisfy(\.isNumber) ? nil : String(inside)
      }
      return frame.function == nil || function == "wasm-stub" ? nil : frame
    }
    if location == "[native code]" {
      frame.inApp = false
    } else {
      var parsed = ScriptLocation(location)
      if let evaluated = parsed.file?[...].firstRange(of: " line "), let file = parsed.file {
        parsed = ScriptLocation(file[..<evaluated.lowerBound])
        let digits = file[evaluated.upperBound...].utf8.prefix { $0.isDigit }
        parsed.line = Int(String(Substring(digits)))
      }
      parsed.set(&frame)
    }
    return frame.function == nil && frame.line == nil ? nil : frame
  }

  /// The name without the arguments that old versions print.
  private static func name(_ text: Substring) -> String? {
    var name = text
    if name.hasPrefix("Error created at ") { name = name.dropFirst(17) }
    if name.last == ")", let open = name.utf8.firstIndex(of: UInt8(ascii: "(")),
      !name[..<open].contains("\"")
    {
      name = name[..<open]
    }
    if name.isEmpty || name == "<anonymous function>" { return nil }
    if name.hasPrefix("<anonymous function: "), name.last == ">" {
      return String(name.dropFirst(21).dropLast())
    }
    return String(name)
  }
}

internal import Bytes
internal import CrashModel
internal import Identifiers

/// Stacks of Java, .NET and JavaScript as the runtimes print them, a call a line.
///
///     at com.acme.Cart.total(Cart.java:31)                      Java, Kotlin
///        at Acme.Cart.Total(Int32 n) in C:\src\Cart.cs:line 31    .NET; words of other languages too
///        at Acme.Cart.Total(Int32) + 0x1c                         NativeAOT
///       at Acme.Cart.Total () [0x0001f] in <7ad93f13>:0           Mono
///       at Acme.Cart:Total <0x0001f>                              Mono, after a signal
///     total@index.ios.bundle:12:345                             Safari, Firefox: see GeckoFrameText
///         at total (index.android.bundle:12:345)                V8, Hermes: see V8FrameText
///
/// Anything else in between is skipped.
enum ManagedStackText {
  /// - Complexity: O(n) in the text.
  static func frames(of text: String, limit: Int) -> [Frame] {
    var frames: [Frame] = []
    for line in text.utf8.split(separator: 10) {
      guard frames.count < limit else { break }
      guard line.count <= FormatLimits.nameBytes, let line = String(Substring(line).utf8),
        let frame = frame(line)
      else { continue }
      frames.append(frame)
    }
    return frames
  }

  /// The call of a line.
  static func frame(_ line: String) -> Frame? {
    let line = line[...].trimmed
    if line.hasPrefix("at ") { return call(line.dropFirst(3).trimmed) }
    if let frame = GeckoFrameText.frame(line) { return frame }
    return localised(line)
  }

  /// A line of .NET in another language, `bei Acme.Kasse.Summe() in C:\Kasse.cs:Zeile 31.`
  private static func localised(_ line: Substring) -> Frame? {
    let bytes = ByteView(line.utf8).bytes
    guard case .dotNet? = ManagedFrameShape(bytes),
      let start = ManagedFrameShape.methodAfterWord(of: bytes)
    else { return nil }
    return dotNet(line[line.utf8.index(line.startIndex, offsetBy: start)...])
  }

  private static func call(_ line: Substring) -> Frame? {
    guard !line.isEmpty else { return nil }
    if let frame = V8FrameText.frame(line) { return frame }
    var frame = Frame(position: .returnAddress)
    if line.last == ")", line.firstRange(of: ") in ") == nil,
      let open = line.utf8.lastIndex(of: UInt8(ascii: "("))
    {
      let inside = line[line.utf8.index(after: open)...].dropLast()
      // A location has a colon or is a word of the runtime; anything else is parameters.
      if inside.utf8.contains(UInt8(ascii: ":")) || inside == "Native Method"
        || inside == "Unknown Source" || inside.hasSuffix(".java") || inside.hasSuffix(".kt")
      {
        frame.function = String(line[..<open].trimmed)
        if inside.utf8.contains(UInt8(ascii: ":")) { ScriptLocation(inside).set(&frame) }
        if frame.line == nil, inside.hasSuffix(".java") || inside.hasSuffix(".kt") {
          frame.file = String(inside)
        }
        if frame.function?.isEmpty == true { frame.function = nil }
        return frame.function == nil && frame.file == nil ? nil : frame
      }
    }
    return dotNet(line)
  }

  // MARK: .NET and Mono

  private static func dotNet(_ line: Substring) -> Frame? {
    var frame = Frame(position: .returnAddress)
    var name = line
    if let (end, file) = source(of: line) {
      name = line[..<end]
      setFile(line[file...], into: &frame)
    }
    if name.hasPrefix("(wrapper "), let end = name.firstRange(of: ") ") {
      name = name[end.upperBound...]
    }
    // The offset into the method: in machine code, or in intermediate code (Mono's in brackets).
    for mark in [" [0x", " <IL 0x", " <0x", " + 0x"] {
      guard let start = name.lastRange(of: mark) else { continue }
      let digits = name[start.upperBound...].utf8.prefix { $0.hexadecimalDigit != nil }
      frame.symbolOffset = UInt64(String(Substring(digits)), radix: 16)
      name = name[..<start.lowerBound]
      break
    }
    // A program compiled ahead of time, without method names.
    if let mark = name.firstRange(of: "!<BaseAddress>+0x") {
      frame.function = nil
      frame.file = nil
      frame.symbolOffset = nil
      frame.imageOffset = UInt64(name[mark.upperBound...], radix: 16).map { ImageOffset($0) }
      frame.symbol = String(name[..<mark.lowerBound])
      return frame.imageOffset == nil ? nil : frame
    }
    frame.function = tight(withFullStop(name))
    if frame.function?.isEmpty == true { frame.function = nil }
    return frame.function == nil && frame.file == nil ? nil : frame
  }

  /// The end of the method and the start of its file: ` in ` separates them, or another word if a number ends
  /// the line.
  private static func source(of line: Substring) -> (Substring.Index, Substring.Index)? {
    if let mark = line.firstRange(of: ") in ") ?? line.firstRange(of: "] in ") {
      return (line.utf8.index(after: mark.lowerBound), mark.upperBound)
    }
    if let mark = line.firstRange(of: " in ") { return (mark.lowerBound, mark.upperBound) }
    guard let close = line.firstRange(of: ") "),
      line.utf8.last.map({ $0.isDigit || $0 == UInt8(ascii: ".") }) ?? false,
      let blank = line[close.upperBound...].utf8.firstIndex(of: 32),
      line[blank...].utf8.contains(UInt8(ascii: ":"))
    else { return nil }
    return (line.utf8.index(after: close.lowerBound), line.utf8.index(after: blank))
  }

  /// `Type:Method`, as Mono writes it in native traces, with a full stop.
  private static func withFullStop(_ name: Substring) -> Substring {
    let end = name.utf8.firstIndex(of: UInt8(ascii: "(")) ?? name.endIndex
    guard let colon = name[..<end].utf8.lastIndex(of: UInt8(ascii: ":")) else { return name }
    let method = name[name.utf8.index(after: colon)...]
    guard let first = method.utf8.first, !first.isDigit, first != UInt8(ascii: ":") else {
      return name
    }
    return name[..<colon] + "." + method
  }

  /// `C:\src\Cart.cs:line 31`, `/src/Cart.cs:31`, or Mono's `<module id>:0`, which has no information.
  private static func setFile(_ text: Substring, into frame: inout Frame) {
    guard !text.hasPrefix("<") else { return }
    var text = text
    if text.last == "." { text = text.dropLast() }
    let digits = text.utf8.reversed().prefix { $0.isDigit }.count
    let number = text.utf8.suffix(digits)
    let rest = text.utf8.dropLast(digits)
    if digits > 0, rest.last == 32, let colon = rest.lastIndex(of: UInt8(ascii: ":")),
      rest.distance(from: colon, to: rest.endIndex) < 32
    {
      frame.file = String(Substring(text.utf8[..<colon]))
      frame.line = Int(String(Substring(number))).flatMap { $0 > 0 ? $0 : nil }
    } else {
      ScriptLocation(text).set(&frame)
    }
  }

  /// The name without Mono's blank before the parameters.
  private static func tight(_ name: Substring) -> String {
    guard let open = name.firstRange(of: " (") else { return String(name.trimmed) }
    return String(name[..<open.lowerBound]) + String(name[open.lowerBound...].dropFirst().trimmed)
  }
}

extension Substring {
  /// The text without blanks at its ends.
  var trimmed: Substring {
    var text = self
    while let last = text.utf8.last, last == 32 || last == 9 || last == 13 {
      text = text[..<text.utf8.index(before: text.utf8.endIndex)]
    }
    while let first = text.utf8.first, first == 32 || first == 9 {
      text = text[text.utf8.index(after: text.utf8.startIndex)...]
    }
    return text
  }

  /// The last range of `text`, compared byte by byte.
  func lastRange(of text: String) -> Range<Index>? {
    let bytes = utf8
    let wanted = text.utf8
    guard let first = wanted.first, bytes.count >= wanted.count else { return nil }
    var start = bytes.index(bytes.endIndex, offsetBy: -wanted.count)
    while true {
      if bytes[start] == first {
        let end = bytes.index(start, offsetBy: wanted.count)
        if bytes[start..<end].elementsEqual(wanted) { return start..<end }
      }
      guard start > bytes.startIndex else { return nil }
      start = bytes.index(before: start)
    }
  }
}

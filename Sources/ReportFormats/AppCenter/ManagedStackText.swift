internal import CrashModel

/// Stacks of Java, .NET and JavaScript as the runtimes print them, a call a line.
///
///     at com.acme.Cart.total(Cart.java:31)                      Java, Kotlin
///        at Acme.Cart.Total(Int32 n) in C:\src\Cart.cs:line 31    .NET
///       at Acme.Cart.Total () [0x0001f] in <7ad93f13>:0           Mono
///     total@index.ios.bundle:12:345                             JavaScriptCore
///         at total (index.android.bundle:12:345)                V8, Hermes
///
/// Anything else in between is skipped.
enum ManagedStackText {
  /// - Complexity: O(n) in the text.
  static func frames(of text: String, limit: Int) -> [Frame] {
    var frames: [Frame] = []
    for line in text.utf8.split(separator: 10) {
      guard frames.count < limit else { break }
      guard line.count <= FormatLimits.nameBytes, let line = String(Substring(line).utf8),
        let frame = frame(Substring(line).trimmed)
      else { continue }
      frames.append(frame)
    }
    return frames
  }

  private static func frame(_ line: Substring) -> Frame? {
    if line.hasPrefix("at ") { return call(line.dropFirst(3).trimmed) }
    // `function@file:line:column`, and `file:line:column` alone for code outside functions.
    guard let at = line.utf8.firstIndex(of: UInt8(ascii: "@")), !line.utf8.contains(32) else {
      return nil
    }
    var frame = Frame(position: .returnAddress)
    frame.function = line[..<at].isEmpty ? nil : String(line[..<at])
    setLocation(line[line.utf8.index(after: at)...], into: &frame)
    return frame.function == nil && frame.line == nil ? nil : frame
  }

  private static func call(_ line: Substring) -> Frame? {
    guard !line.isEmpty else { return nil }
    var frame = Frame(position: .returnAddress)
    var name = line
    if let source = line.firstRange(of: " in ") {
      name = line[..<source.lowerBound]
      windows(line[source.upperBound...], into: &frame)
      if let offset = name.firstRange(of: " [0x") { name = name[..<offset.lowerBound] }
      frame.function = tight(name)
    } else if name.last == ")", let open = name.utf8.lastIndex(of: UInt8(ascii: "(")) {
      let inside = name[name.utf8.index(after: open)...].dropLast()
      // A location has a colon or is a word of the runtime; anything else are parameters.
      if inside.utf8.contains(UInt8(ascii: ":")) || inside == "Native Method"
        || inside == "Unknown Source" || inside == "native" || inside.hasSuffix(".java")
        || inside.hasSuffix(".kt")
      {
        frame.function = String(name[..<open].trimmed)
        let location = inside.hasPrefix("address at ") ? inside.dropFirst(11) : inside
        if inside.utf8.contains(UInt8(ascii: ":")) { Self.setLocation(location, into: &frame) }
        if frame.line == nil, inside.hasSuffix(".java") || inside.hasSuffix(".kt") {
          frame.file = String(inside)
        }
      } else {
        frame.function = tight(name)
      }
    } else if name.utf8.contains(UInt8(ascii: ":")), !name.utf8.contains(32) {
      setLocation(name, into: &frame)
    } else {
      frame.function = tight(name)
    }
    if frame.function?.isEmpty == true { frame.function = nil }
    return frame.function == nil && frame.file == nil ? nil : frame
  }

  /// `C:\src\Cart.cs:line 31`, or Mono's `<module id>:0`, which shows nothing.
  private static func windows(_ text: Substring, into frame: inout Frame) {
    if let line = text.firstRange(of: ":line ") {
      frame.file = String(text[..<line.lowerBound])
      let digits = text[line.upperBound...].utf8.prefix { (48...57).contains($0) }
      frame.line = Int(String(Substring(digits))).flatMap { $0 > 0 ? $0 : nil }
    } else if !text.hasPrefix("<") {
      setLocation(text, into: &frame)
    }
  }

  /// `file:line` or `file:line:column`.
  private static func setLocation(_ text: Substring, into frame: inout Frame) {
    func number(after text: inout Substring) -> Int? {
      guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")),
        let value = Int(text[text.utf8.index(after: colon)...])
      else { return nil }
      text = text[..<colon]
      return value
    }
    var rest = text
    let last = number(after: &rest)
    let first = last == nil ? nil : number(after: &rest)
    if !rest.isEmpty { frame.file = String(rest) }
    guard let line = first ?? last, line > 0 else { return }
    frame.line = line
    if first != nil, let last, last > 0 { frame.column = last }
  }

  /// Mono's blank before the parameters left out.
  private static func tight(_ name: Substring) -> String {
    guard let open = name.firstRange(of: " (") else { return String(name.trimmed) }
    return String(name[..<open.lowerBound]) + String(name[open.lowerBound...].dropFirst().trimmed)
  }
}

extension Substring {
  /// Without blanks at its ends.
  fileprivate var trimmed: Substring {
    var text = self
    while let last = text.utf8.last, last == 32 || last == 9 || last == 13 {
      text = text[..<text.utf8.index(before: text.utf8.endIndex)]
    }
    while let first = text.utf8.first, first == 32 || first == 9 {
      text = text[text.utf8.index(after: text.utf8.startIndex)...]
    }
    return text
  }
}

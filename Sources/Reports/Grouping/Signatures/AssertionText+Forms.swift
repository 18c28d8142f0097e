/// Forms of assertions inside a message.
extension AssertionText {
  /// The file and message of a message that contains a file, without the text after it.
  static func refined(_ parts: Parts) -> Parts {
    var (file, message) = parts
    if file == nil, let (found, rest) = located(message) {
      file = found
      message = rest
    }
    // Swift without a text: `Assertion failed: file FILE, line LINE`.
    if file == nil, message.has("file "), let end = message.findLast(", line "),
      message[(end + 7)...].allSatisfy({ $0.isDigit })
    {
      file = Array(message[5..<end])
      message = NameBytes("Assertion failed".utf8)
    }
    // Unreal Engine: `TEXT [File:PATH] [Line: 12] `.
    if let mark = message.find("[File:"), let end = message.find("] [Line: "), end > mark + 6 {
      file = Array(message[(mark + 6)..<end])
      message.cut(at: mark)
      while message.last == 0x20 { message.removeLast() }
    }
    // Apple's kernel: `"TEXT"@FILE:12`.
    if message.first == UInt8(ascii: "\""), let end = message.find("\"@"), end > 1 {
      message = Array(message[1..<end])
    }
    for tail: StaticString in [
      // libdispatch and others, as crash reports give the reason for an abort.
      " Abort Cause ",
      // The values of Rust's `assert_eq!`.
      " left: ",
      // A stack in the same line of a log.
      " #0 0x",
    ] {
      if let end = message.find(tail), end > 0 { message.cut(at: end) }
    }
    return (file, message)
  }

  /// `FILE.cpp:12 TEXT`, `FILE.swift:12: TEXT`
  private static func located(_ bytes: NameBytes) -> Parts? {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 2 else { return nil }
    let path = bytes[..<colon]
    guard !path.contains(0x20), let dot = path.lastIndex(of: UInt8(ascii: ".")),
      endings.contains(where: { $0.elementsEqual(path[(dot + 1)...]) })
    else { return nil }
    var end = bytes.digitsEnd(colon + 1)
    guard end > colon + 1 else { return nil }
    if bytes.at(end) == UInt8(ascii: ":") { end += 1 }
    guard bytes.at(end) == 0x20 else { return nil }
    while bytes.at(end) == 0x20 { end += 1 }
    guard end < bytes.count else { return nil }
    return (Array(path), bytes.from(end))
  }

  private static let endings: [NameBytes] = [
    "c", "cc", "cpp", "cxx", "h", "hh", "hpp", "inl", "m", "mm", "swift", "rs", "go", "java", "kt",
    "cs",
  ].map { Array($0.utf8) }
}

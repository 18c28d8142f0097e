public import Bytes
public import Identifiers

/// The comments at the end of a script that refer to its map.
///
///     //# debugId=6c1b8a1e-…
///     //# sourceMappingURL=shop.min.js.map
///
/// Old tools write `//@`. The last comment of each kind counts.
///
/// Source: ECMA-426, "Linking generated code to source maps"; the proposal "Source map debug ids".
public struct ScriptComments: Sendable, Equatable {
  public private(set) var sourceMappingURL: String?
  public private(set) var debugID: DebugID?

  /// - Complexity: O(1), except for a map embedded in the comment itself.
  public init(in script: ByteView) {
    let tail = script.clamped(max(0, script.count - SourceMapLimits.commentBytes)..<script.count)
    read(tail)
    if sourceMappingURL == nil { read(script) }
  }

  /// Reads the lines of `text` from its end, as long as they are comments or blank.
  private mutating func read(_ text: ByteView) {
    let bytes = text.bytes
    var end = text.count
    while end > 0 {
      var start = end
      while start > 0, bytes.byte(start - 1) != 10, bytes.byte(start - 1) != 13 { start -= 1 }
      let line = text.clamped(start..<end)
      end = start - 1
      guard !line.isEmpty else { continue }
      guard let comment = Self.comment(line) else {
        // It may be at the end of a line of code.
        guard let mark = Self.lastMark(in: line) else { return }
        take(line.clamped(mark..<line.count))
        return
      }
      // Cut off at the start: it may be of any kind.
      if start == 0, comment.isEmpty { return }
      take(line)
    }
  }

  private mutating func take(_ line: ByteView) {
    guard line.starts(with: "//# ".utf8) || line.starts(with: "//@ ".utf8) else { return }
    let body = line.clamped(4..<line.count)
    if sourceMappingURL == nil, body.starts(with: "sourceMappingURL=".utf8) {
      let text = body.clamped(17..<body.count).text
      sourceMappingURL = text.split(whereSeparator: \.isWhitespace).first.map(String.init)
    } else if debugID == nil, body.starts(with: "debugId=".utf8) {
      let text = body.clamped(8..<min(body.count, 80)).text
      debugID = DebugID(text.filter { !$0.isWhitespace }).flatMap { $0.isZero ? nil : $0 }
    }
  }

  private static func comment(_ line: ByteView) -> ByteView? {
    if line.starts(with: "//".utf8) || line.starts(with: "*/".utf8) || line.starts(with: "/*".utf8)
    {
      return line
    }
    let bytes = line.bytes
    for index in 0..<line.count where bytes.byte(index) != 32 && bytes.byte(index) != 9 {
      return nil
    }
    return line
  }

  private static func lastMark(in line: ByteView) -> Int? {
    let bytes = line.bytes
    var index = line.count - 4
    while index >= 0 {
      if bytes.byte(index) == UInt8(ascii: "/"), bytes.byte(index + 1) == UInt8(ascii: "/"),
        bytes.byte(index + 2) == UInt8(ascii: "#") || bytes.byte(index + 2) == UInt8(ascii: "@"),
        bytes.byte(index + 3) == 32
      {
        return index
      }
      index -= 1
    }
    return nil
  }

  /// The map inside a `data:` URL.
  ///
  /// - Complexity: O(n).
  public static func map(inDataURL url: String) -> ByteView? {
    guard url.hasPrefix("data:"), let comma = url.utf8.firstIndex(of: UInt8(ascii: ",")) else {
      return nil
    }
    let body = String(url[url.utf8.index(after: comma)...])
    if url[..<comma].hasSuffix(";base64") { return Base64.decode(body).map { ByteView($0) } }
    return percentDecoded(body)
  }

  private static func percentDecoded(_ text: String) -> ByteView? {
    var bytes: [UInt8] = []
    var digits = text.utf8.makeIterator()
    while let byte = digits.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = digits.next()?.hexadecimalDigit, let low = digits.next()?.hexadecimalDigit
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return ByteView(bytes)
  }
}

public import Bytes

/// The parts of a `multipart/form-data` document, read as leniently as the senders of dumps write it.
///
/// Breakpad's sender on macOS leaves out the line break before the boundary that follows a file, and others end
/// without the last boundary.
///
/// Source: RFC 7578, RFC 2046 section 5.1.1.
public struct MultipartForm {
  /// A field or a file.
  public struct Part {
    public var name: String
    public var fileName: String?
    public var contentType: String?
    public var bytes: ByteView

    public init(name: String, fileName: String?, contentType: String?, bytes: ByteView) {
      self.name = name
      self.fileName = fileName
      self.contentType = contentType
      self.bytes = bytes
    }
  }

  /// Bytes of the last words of a process.
  fileprivate static let lastBytes = 2 << 10

  /// Upper limits, whatever the document claims.
  public enum Limits {
    public static let parts = 1_000
    /// Bytes of a boundary; RFC 2046 allows 70.
    public static let boundary = 200
    /// Bytes of the headers of a part.
    public static let head = 16 << 10
    /// Bytes of a field that is kept.
    public static let field = 64 << 10
  }

  public private(set) var parts: [Part] = []
  /// Damage, a sentence each.
  public private(set) var notes: [String] = []

  /// Whether a document begins like a form: with a boundary and the headers of its first part.
  public static func recognises(_ bytes: ByteView) -> Bool {
    guard let boundary = boundary(startingLineOf: bytes) else { return false }
    let head = bytes.clamped((boundary.count)..<(boundary.count + 256)).array
    return String(decoding: head, as: UTF8.self).lowercased().contains("content-disposition:")
  }

  /// The first line, with its two dashes; `nil` if it is not a boundary.
  private static func boundary(startingLineOf bytes: ByteView) -> [UInt8]? {
    guard bytes.starts(with: [0x2d, 0x2d]) else { return nil }
    let head = bytes.clamped(0..<(Limits.boundary + 4)).array
    guard let end = head.firstIndex(where: { $0 == 13 || $0 == 10 }), end > 2 else { return nil }
    let line = head[..<end]
    return line.allSatisfy { $0 >= 0x20 && $0 < 0x7f } ? Array(line) : nil
  }

  /// - Parameter boundary: The boundary in the request. Default: the first line of the document.
  /// - Returns: `nil` for a document that has no boundary.
  public init?(_ bytes: ByteView, boundary: String? = nil) {
    let mark: [UInt8]
    if let boundary, !boundary.isEmpty, boundary.utf8.count <= Limits.boundary {
      mark = Array("--".utf8) + Array(boundary.utf8)
    } else if let line = Self.boundary(startingLineOf: bytes) {
      mark = line
    } else {
      return nil
    }
    let boundaryLines = Self.boundaryLines(of: mark, in: bytes)
    guard !boundaryLines.isEmpty else { return nil }
    for (index, boundaryLine) in boundaryLines.enumerated() {
      guard !boundaryLine.isLast else { break }
      let isCut = index + 1 == boundaryLines.count
      let end = isCut ? bytes.count : boundaryLines[index + 1].start
      guard parts.count < Limits.parts else {
        notes.append("the form has more than \(Limits.parts) parts; the others were not read")
        break
      }
      guard let part = Self.part(bytes.clamped(boundaryLine.end..<end)) else { continue }
      parts.append(part)
      if isCut { notes.append("the form ends before its last boundary") }
    }
  }

  private struct BoundaryLine {
    let start: Int
    /// The position after its line break.
    let end: Int
    let isLast: Bool
  }

  private static func boundaryLines(of mark: [UInt8], in bytes: ByteView) -> [BoundaryLine] {
    let text = bytes.bytes
    var boundaryLines: [BoundaryLine] = []
    var position = 0
    while let start = find(mark, in: text, from: position) {
      position = start + mark.count
      let next = bytes.clamped(position..<(position + 2)).array
      let isLast = next == [0x2d, 0x2d]
      let isLine = next == [13, 10]
      // A file may contain the same bytes; a boundary is a line, or ends the document, or begins a part.
      let isAtLineStart = start == 0 || bytes[start - 1] == 10
      let head = bytes.clamped((position + 2)..<(position + 22)).array
      let beginsPart =
        isLine && String(decoding: head, as: UTF8.self).lowercased() == "content-disposition:"
      guard isLast || isLine || next.first == 10, isAtLineStart || beginsPart || isLast else {
        continue
      }
      boundaryLines.append(
        BoundaryLine(start: start, end: position + (next.first == 10 ? 1 : 2), isLast: isLast))
      if isLast || boundaryLines.count > Limits.parts + 1 { break }
    }
    return boundaryLines
  }

  private static func find(_ mark: [UInt8], in text: RawSpan, from start: Int) -> Int? {
    let count = text.byteCount
    var position = start
    let last = count - mark.count
    guard let first = mark.first else { return nil }
    while position <= last {
      if text.byte(position) == first {
        var index = 1
        while index < mark.count, text.byte(position + index) == mark[index] { index += 1 }
        if index == mark.count { return position }
      }
      position += 1
    }
    return nil
  }

  /// - Parameter bytes: The bytes from the first header to the next boundary.
  private static func part(_ bytes: ByteView) -> Part? {
    let head = bytes.clamped(0..<Limits.head).array
    var lines: [String] = []
    var start = 0
    var content: Int?
    while let end = head[start...].firstIndex(of: 10) {
      let line = head[start..<end].filter { $0 != 13 }
      start = end + 1
      if line.isEmpty {
        content = start
        break
      }
      lines.append(String(decoding: line, as: UTF8.self))
    }
    guard let content else { return nil }
    var end = bytes.count
    // The line break before a boundary belongs to it.
    if end > content, bytes[end - 1] == 10 { end -= 1 }
    if end > content, bytes[end - 1] == 13, end < bytes.count { end -= 1 }
    var name: String?
    var fileName: String?
    var contentType: String?
    for line in lines {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      switch parts[0].lowercased() {
      case "content-disposition":
        name = parameter("name", of: parts[1])
        fileName = parameter("filename", of: parts[1])
      case "content-type": contentType = String(parts[1].drop { $0 == " " })
      default: break
      }
    }
    guard let name else { return nil }
    return Part(
      name: name, fileName: fileName, contentType: contentType, bytes: bytes.clamped(content..<end))
  }

  /// The value of `name="value"`, with what senders escape in it.
  private static func parameter(_ name: String, of value: Substring) -> String? {
    for field in fields(of: value) {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].drop(while: { $0 == " " }).lowercased() == name else {
        continue
      }
      var text = parts[1]
      if text.hasPrefix("\""), text.hasSuffix("\""), text.count > 1 {
        text = text.dropFirst().dropLast()
      }
      return unescaped(String(text).replacing("\\\"", with: "\""))
    }
    return nil
  }

  /// The parts between semicolons outside quotes.
  private static func fields(of value: Substring) -> [String] {
    var fields = [""]
    var isQuoted = false
    var isEscaped = false
    for letter in value {
      if letter == ";", !isQuoted {
        fields.append("")
        continue
      }
      if letter == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = letter == "\\" && !isEscaped
      fields[fields.count - 1].append(letter)
    }
    return fields
  }

  /// `%22` and the like, as browsers and Crashpad write quotes, line breaks and percent signs.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("%") else { return text }
    var bytes: [UInt8] = []
    let given = Array(text.utf8)
    var index = 0
    while index < given.count {
      if given[index] == UInt8(ascii: "%"), index + 2 < given.count,
        let byte = UInt8(
          String(decoding: given[(index + 1)...(index + 2)], as: UTF8.self), radix: 16)
      {
        bytes.append(byte)
        index += 3
      } else {
        bytes.append(given[index])
        index += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MultipartForm {
  /// A document with parts, which ``init(_:boundary:)`` reads.
  ///
  /// - Parameter name: A text that makes the boundary unique, such as an id.
  public static func document(_ parts: [Part], boundary name: String) -> [UInt8] {
    let boundary = "----mayday-\(name)"
    var bytes: [UInt8] = []
    for part in parts {
      var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(escaped(part.name))\""
      if let fileName = part.fileName { head += "; filename=\"\(escaped(fileName))\"" }
      if let type = part.contentType { head += "\r\nContent-Type: \(escaped(type))" }
      bytes += Array((head + "\r\n\r\n").utf8) + part.bytes.array + [13, 10]
    }
    return bytes + Array("--\(boundary)--\r\n".utf8)
  }

  /// Byte for byte: a carriage return and a line feed are one character.
  private static func escaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 13: bytes += Array("%0D".utf8)
      case 10: bytes += Array("%0A".utf8)
      case UInt8(ascii: "\""): bytes += Array("%22".utf8)
      case UInt8(ascii: "%"): bytes += Array("%25".utf8)
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension MultipartForm.Part {
  /// The part with the end of its text, from the start of a line, if it is the process's standard error,
  /// according to its name.
  public var lastWords: MultipartForm.Part? {
    guard name.lowercased().contains("stderr") || fileName?.lowercased().contains("stderr") == true,
      !bytes.isEmpty, FileMagic(of: bytes) == nil
    else { return nil }
    var part = self
    let start = max(0, bytes.count - MultipartForm.lastBytes)
    let end = bytes.clamped(start..<bytes.count)
    let line = start == 0 ? 0 : end.bytes.find(10).map { $0 + 1 } ?? 0
    part.bytes = end.clamped(line..<end.count)
    return part
  }
}

internal import Bytes

/// A mail with its parts (RFC 5322, RFC 2045, RFC 2046): each part is a separate source, decoded from base64
/// or quoted-printable, and an attachment may be a file of any format.
enum MailText {
  /// Nested multiparts.
  private static let depth = 4
  private static let parts = 256
  private static let headerBytes = 64 << 10

  private struct Header {
    var boundary: [UInt8]?
    var encoding = ""
    var isAttachment = false
    /// The start of the body.
    var body = 0
  }

  /// The parts of a mail; `nil` for another text.
  ///
  /// - Complexity: O(n).
  static func sources(of text: ByteView) -> [TextSource]? {
    let head = text.bytes.upTo(headerBytes)
    guard isMail(head) else { return nil }
    var sources: [TextSource] = []
    add(0..<text.count, of: text, depth: 0, to: &sources)
    return sources.isEmpty ? nil : sources
  }

  /// Whether the first lines are headers of a mail, not of a report.
  static func isMail(_ head: RawSpan) -> Bool {
    var cursor = LineCursor(0..<head.byteCount)
    var count = 0
    var isMail = false
    while let range = cursor.next(in: head) {
      let line = head.part(range)
      if line.trimmed.byteCount == 0 {
        if count == 0 { continue }
        break
      }
      if count == 0, line.has("From ") {
        count += 1
        continue
      }
      guard line.byte(0).isBlank || isHeader(line) else { return false }
      count += 1
      let text = line.upTo(32).name.lowercased()
      for name in ["mime-version:", "message-id:", "received:", "content-type:", "return-path:"]
      where text.hasPrefix(name) {
        isMail = true
      }
    }
    return isMail
  }

  private static func isHeader(_ line: RawSpan) -> Bool {
    guard let colon = line.upTo(80).find(UInt8(ascii: ":")), colon > 0 else { return false }
    for index in 0..<colon {
      let byte = line.byte(index)
      guard byte.isLetter || byte.isDigit || byte == UInt8(ascii: "-") else { return false }
    }
    return true
  }

  /// Adds the parts of `range`, which begins with headers.
  private static func add(
    _ range: Range<Int>, of text: ByteView, depth: Int, to sources: inout [TextSource]
  ) {
    guard sources.count < parts else { return }
    let header = header(of: range, in: text.bytes)
    let body = min(header.body, range.upperBound)..<range.upperBound
    guard let boundary = header.boundary, depth < Self.depth else {
      let part = text.clamped(body)
      let decoded: ByteView
      if header.encoding == "base64" {
        decoded = Base64.decode(part.bytes.text).map { ByteView($0) } ?? part
      } else if header.encoding == "quoted-printable" {
        decoded = quotedPrintable(part.bytes)
      } else {
        decoded = part
      }
      if !decoded.isEmpty { sources.append(TextSource(decoded, at: body.lowerBound)) }
      return
    }
    var start: Int?
    var cursor = LineCursor(body)
    while let line = cursor.next(in: text.bytes) {
      guard let isLast = isBoundary(text.bytes.part(line), boundary) else { continue }
      if let start, start < line.lowerBound {
        add(start..<line.lowerBound, of: text, depth: depth + 1, to: &sources)
      }
      start = isLast ? nil : min(cursor.position, range.upperBound)
      if isLast { break }
    }
    if let start, start < range.upperBound {
      add(start..<range.upperBound, of: text, depth: depth + 1, to: &sources)
    }
  }

  /// Whether `line` is `--boundary`, and whether it is the last, `--boundary--`.
  private static func isBoundary(_ line: RawSpan, _ boundary: [UInt8]) -> Bool? {
    let text = line.trimmed
    guard text.has("--"), text.byteCount >= boundary.count + 2 else { return nil }
    for (index, byte) in boundary.enumerated() where text.byte(index + 2) != byte { return nil }
    let rest = text.from(boundary.count + 2)
    if rest.byteCount == 0 { return false }
    return rest.has("--") ? true : nil
  }

  private static func header(of range: Range<Int>, in text: RawSpan) -> Header {
    var header = Header(body: range.lowerBound)
    var cursor = LineCursor(range)
    var field = ""
    func take() {
      let lowered = field.lowercased()
      if lowered.hasPrefix("content-transfer-encoding:") {
        header.encoding = String(lowered.dropFirst(26).filter { !$0.isWhitespace })
      } else if lowered.hasPrefix("content-type:"), lowered.contains("multipart/") {
        header.boundary = boundary(in: field)
      }
    }
    while let line = cursor.next(in: text) {
      let words = text.part(line)
      header.body = min(cursor.position, range.upperBound)
      guard words.trimmed.byteCount > 0 else {
        if field.isEmpty, header.body - range.lowerBound < 4 { continue }
        break
      }
      if words.byte(0).isBlank {
        if field.utf8.count < 4096 { field += " " + words.trimmed.name }
      } else {
        take()
        field = words.name
      }
      guard cursor.position - range.lowerBound < headerBytes else { break }
    }
    take()
    return header
  }

  private static func boundary(in field: String) -> [UInt8]? {
    let bytes = Array(field.utf8)
    let lowered = Array(field.lowercased().utf8)
    guard lowered.count == bytes.count, let found = ByteView(lowered).bytes.find("boundary=") else {
      return nil
    }
    var value = bytes[(found + 9)...]
    if value.first == UInt8(ascii: "\"") {
      value = value.dropFirst().prefix { $0 != UInt8(ascii: "\"") }
    } else {
      value = value.prefix { $0 != UInt8(ascii: ";") && !$0.isBlank }
    }
    return value.isEmpty || value.count > 200 ? nil : Array(value)
  }

  /// RFC 2045, 6.7.
  private static func quotedPrintable(_ text: RawSpan) -> ByteView {
    var result: [UInt8] = []
    result.reserveCapacity(text.byteCount)
    var index = 0
    while index < text.byteCount {
      let byte = text.byte(index)
      index += 1
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        continue
      }
      var end = index
      while end < text.byteCount, text.byte(end).isBlank || text.byte(end) == 13 { end += 1 }
      if text.byteOrZero(end) == 10 {
        index = end + 1
      } else if let high = text.byteOrZero(index).hexadecimalDigit,
        let low = text.byteOrZero(index + 1).hexadecimalDigit
      {
        result.append(high << 4 | low)
        index += 2
      } else {
        result.append(byte)
      }
    }
    return ByteView(result)
  }
}

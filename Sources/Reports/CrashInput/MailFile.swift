internal import Bytes
internal import Files

/// The files in a mail (RFC 5322, RFC 2045, RFC 2046): its attachments, decoded, and what was written.
///
/// A mail without attachments is left to the readers of reports, which look for reports in its text.
///
/// Mails in mails are opened. Depth, parts and headers are bounded; what is decoded is never larger than the
/// mail.
struct MailFile {
  struct Part {
    /// A name without folders, unique in the mail; for display and for what it is attached as.
    let name: String
    let bytes: ByteView
    /// Whether it has a file's name, and is not shown as text of the mail.
    let isFile: Bool
  }

  /// The file that most likely is the report comes first.
  private(set) var parts: [Part] = []
  /// Why parts are missing.
  private(set) var problem: String?

  private var names: Set<String> = []

  private enum Limits {
    /// Multiparts and mails inside each other.
    static let depth = 8
    static let parts = 1_000
    static let headerBytes = 64 << 10
    static let fieldBytes = 8 << 10
    static let nameBytes = 200
    static let boundaryBytes = 200
  }

  /// The headers of a part.
  fileprivate struct Header {
    var type = "text/plain"
    var parameters: [String: String] = [:]
    var isAttachment = false
    var fileName: String?
    var encoding = ""
    /// The start of the body.
    var body = 0
  }

  // MARK: Recognition

  private static let marks = ["mime-version:", "message-id:", "received:", "return-path:", "from:"]

  /// Bytes of the start that show whether a file is a mail.
  static let headBytes = Limits.headerBytes

  /// Whether a file that begins with `head`, of any length, may be a mail: it begins with a name, or with an
  /// empty line.
  static func mayBeMail(_ head: ByteView) -> Bool {
    guard head.count > 0 else { return false }
    let byte = head.bytes.byte(0)
    return (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte) || byte == 10 || byte == 13
  }

  /// Whether a file that begins with `head` is a mail of several parts.
  static func isMail(_ head: ByteView) -> Bool {
    var lines = LineWalk(head, 0..<min(head.count, Limits.headerBytes))
    var count = 0
    var isMail = false
    var isMultipart = false
    while let line = lines.next() {
      let text = lines.text(line, atMost: 120).lowercased()
      if text.isEmpty {
        if count == 0 { continue }
        break
      }
      if count == 0, text.hasPrefix("from ") { continue }
      let isFolded = text.first == " " || text.first == "\t"
      guard isFolded || isField(text) else { return false }
      count += 1
      isMail = isMail || marks.contains(where: text.hasPrefix)
      isMultipart = isMultipart || text.hasPrefix("content-type:") && text.contains("multipart/")
    }
    return isMail && isMultipart
  }

  private static func isField(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else { return false }
    return text[..<colon].utf8.allSatisfy { (0x21...0x7e).contains($0) }
  }

  // MARK: Reading

  /// - Returns: `nil` for a mail without attachments.
  /// - Complexity: O(*n*) at each depth.
  init?(_ mail: ByteView) {
    add(mail, depth: 0)
    guard parts.contains(where: \.isFile) else { return nil }
    if let index = parts.firstIndex(where: Self.isDump) ?? parts.firstIndex(where: Self.isReport)
      ?? parts.firstIndex(where: \.isFile)
    {
      parts.insert(parts.remove(at: index), at: 0)
    }
  }

  private static func isDump(_ part: Part) -> Bool {
    part.isFile && FileMagic(of: part.bytes)?.isDump == true
  }

  /// Endings that crash reports usually have.
  private static let endings = ["ips", "crash", "dmp", "mdmp", "synced", "tombstone", "plcrash"]

  private static func isReport(_ part: Part) -> Bool {
    let ending = part.name.split(separator: ".").last.map { $0.lowercased() } ?? ""
    return part.isFile && endings.contains(ending)
  }

  private mutating func add(_ text: ByteView, depth: Int) {
    guard parts.count < Limits.parts else {
      problem = "only the first \(Limits.parts) parts of the mail were read"
      return
    }
    let header = Self.header(of: text)
    let body = text.clamped(min(header.body, text.count)..<text.count)
    let isNested = header.type.hasPrefix("multipart/") || header.type == "message/rfc822"
    guard !isNested || depth < Limits.depth else {
      problem = "parts more than \(Limits.depth) deep were not read"
      return
    }
    if header.type.hasPrefix("multipart/"), let boundary = header.parameters["boundary"],
      !boundary.isEmpty, boundary.utf8.count <= Limits.boundaryBytes
    {
      for part in Self.parts(of: body, boundary: Array("--\(boundary)".utf8)) {
        add(part, depth: depth + 1)
      }
      return
    }
    guard let decoded = Self.decoded(body, header.encoding) else {
      problem = "a part that is not base64: \((header.fileName ?? header.type).prefix(80))"
      return
    }
    if header.type == "message/rfc822" || header.type == "message/global" {
      add(decoded, depth: depth + 1)
      return
    }
    guard decoded.bytes.byteCount > 0 else { return }
    let isFile = header.isAttachment || header.fileName != nil
    // If a text is there in two forms, the plain one is kept.
    guard isFile || header.type == "text/plain" else { return }
    parts.append(
      Part(name: name(header.fileName, isFile: isFile), bytes: decoded, isFile: isFile))
  }

  /// The parts between lines with the boundary; the last one may have no end.
  private static func parts(of body: ByteView, boundary: [UInt8]) -> [ByteView] {
    var parts: [ByteView] = []
    var start: Int?
    var lines = LineWalk(body, 0..<body.count)
    while let line = lines.next() {
      guard lines.begins(line, with: boundary) else { continue }
      let rest = lines.text(line, atMost: boundary.count + 8).utf8.dropFirst(boundary.count)
      let isLast = rest.starts(with: "--".utf8)
      guard isLast || rest.allSatisfy({ $0 == 32 || $0 == 9 }) else { continue }
      if let start, parts.count < Limits.parts {
        // The line break before the boundary belongs to it.
        var end = line.lowerBound
        if end > start, body.bytes.byte(end - 1) == 10 { end -= 1 }
        if end > start, body.bytes.byte(end - 1) == 13 { end -= 1 }
        parts.append(body.clamped(start..<end))
      }
      start = isLast ? nil : lines.position
      if isLast { break }
    }
    if let start, start < body.count { parts.append(body.clamped(start..<body.count)) }
    return parts
  }

  private mutating func name(_ given: String?, isFile: Bool) -> String {
    let last = (given ?? "").split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    var name = last.filter { !$0.isNewline && $0.asciiValue != 0 }
    if name == "." || name == ".." { name = "" }
    while name.utf8.count > Limits.nameBytes { name.removeFirst() }
    if name.isEmpty { name = isFile ? "part-\(parts.count + 1)" : "message.txt" }
    while !names.insert(name).inserted { name = "\(names.count)-\(name)" }
    return name
  }

  // MARK: Encodings

  private static func decoded(_ body: ByteView, _ encoding: String) -> ByteView? {
    switch encoding {
    case "base64": Base64.decode(body.bytes.text).map { ByteView($0) }
    case "quoted-printable": quotedPrintable(body)
    default: body
    }
  }

  static func quotedPrintable(_ body: ByteView) -> ByteView {
    var result: [UInt8] = []
    result.reserveCapacity(body.count)
    let bytes = body.bytes
    var index = 0
    while index < body.count {
      let byte = bytes.byte(index)
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        index += 1
        continue
      }
      // Blanks between the sign and the end of the line do not count.
      var end = index + 1
      while end < body.count, bytes.byte(end) == 32 || bytes.byte(end) == 9 { end += 1 }
      if end < body.count, bytes.byte(end) == 13 { end += 1 }
      if end < body.count, bytes.byte(end) == 10 {
        index = end + 1
      } else if index + 2 < body.count, let high = digit(bytes.byte(index + 1)),
        let low = digit(bytes.byte(index + 2))
      {
        result.append(high << 4 | low)
        index += 3
      } else if end >= body.count {
        index = end
      } else {
        result.append(byte)
        index += 1
      }
    }
    return ByteView(result)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }

  // MARK: Headers

  private static func header(of text: ByteView) -> Header {
    var header = Header()
    var lines = LineWalk(text, 0..<text.count)
    var field = ""
    while let line = lines.next() {
      let part = lines.text(line, atMost: Limits.fieldBytes)
      header.body = lines.position
      if part.allSatisfy(\.isWhitespace) {
        // A mail from a mailbox may begin with an empty line.
        if field.isEmpty, line.lowerBound == 0 { continue }
        break
      }
      if part.first == " " || part.first == "\t" {
        if field.utf8.count + part.utf8.count <= Limits.fieldBytes { field += part }
      } else {
        header.take(field)
        field = part
      }
      if lines.position > Limits.headerBytes { break }
    }
    header.take(field)
    return header
  }
}

extension MailFile.Header {
  fileprivate mutating func take(_ field: String) {
    guard let colon = field.firstIndex(of: ":") else { return }
    let value = String(field[field.index(after: colon)...])
    switch field[..<colon].lowercased() {
    case "content-type":
      let parsed = MailParameters(value)
      type = parsed.value
      parameters = parsed.parameters
      if fileName == nil { fileName = parsed.text("name") }
    case "content-disposition":
      let parsed = MailParameters(value)
      isAttachment = parsed.value == "attachment"
      fileName = parsed.text("filename") ?? fileName
    case "content-transfer-encoding":
      encoding = value.lowercased().filter { !$0.isWhitespace }
    default: break
    }
  }
}

/// A JSON value with its position in the document.
///
/// Parsing is as strict as the strictest client (RFC 8259): input that clients read differently, or that
/// one refuses, is refused here, including duplicate keys in an object.
struct SourceJSON: Sendable {
  enum Content: Sendable {
    case object([Member])
    case array([SourceJSON])
    case string(String)
    case number
    case bool(Bool)
    case null
  }

  struct Member: Sendable {
    let key: String
    let value: SourceJSON
  }

  /// Limits beyond which a document is refused.
  enum Limits {
    /// Nesting depth of objects and arrays. Foundation's readers take 512.
    static let depth = 64
  }

  let content: Content
  /// The range of its bytes, without surrounding blanks.
  let range: Range<Int>

  /// - Throws: ``RemoteConfigurationError`` with the line and column.
  init(reading source: [UInt8]) throws(RemoteConfigurationError) {
    var reader = SourceJSONReader(source)
    self = try reader.document()
  }

  init(_ content: Content, _ range: Range<Int>) {
    self.content = content
    self.range = range
  }

  /// `an object`, for errors.
  var kind: String {
    switch content {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool(let value): value ? "true" : "false"
    case .null: "null"
    }
  }
}

/// Reads a document from its first byte to its last.
private struct SourceJSONReader {
  private let source: [UInt8]
  private var position = 0
  /// The path of the value being read: `appUpdate.localizedStrings[1]`.
  private var path = RemoteConfigurationPath()

  init(_ source: [UInt8]) { self.source = source }

  mutating func document() throws(RemoteConfigurationError) -> SourceJSON {
    if source.starts(with: [0xEF, 0xBB, 0xBF]) { throw error("a byte order mark") }
    skipBlanks()
    let value = try value(depth: 0)
    skipBlanks()
    guard position == source.count else { throw error("something after the document") }
    return value
  }

  // MARK: Values

  private mutating func value(depth: Int) throws(RemoteConfigurationError) -> SourceJSON {
    let start = position
    let content: SourceJSON.Content
    switch next {
    case UInt8(ascii: "{"): content = try object(depth: depth)
    case UInt8(ascii: "["): content = try array(depth: depth)
    case UInt8(ascii: "\""): content = .string(try string())
    case UInt8(ascii: "t"): content = try word("true", .bool(true))
    case UInt8(ascii: "f"): content = try word("false", .bool(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    case let first? where first == UInt8(ascii: "-") || (48...57).contains(first):
      try number()
      content = .number
    default: throw expected("a value")
    }
    return SourceJSON(content, start..<position)
  }

  private mutating func object(depth: Int) throws(RemoteConfigurationError) -> SourceJSON.Content {
    try enter(depth)
    var members: [SourceJSON.Member] = []
    var keys: Set<String> = []
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw expected("a key in quotes") }
      let key = try string()
      path.append(key: key)
      // Some clients take the first of two, some the last.
      guard keys.insert(key).inserted else { throw error("the key appears twice") }
      guard skip(UInt8(ascii: ":")) else { throw expected("a colon") }
      skipBlanks()
      members.append(SourceJSON.Member(key: key, value: try value(depth: depth + 1)))
      path.removeLast()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw expected("a comma or }") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(RemoteConfigurationError) -> SourceJSON.Content {
    try enter(depth)
    var elements: [SourceJSON] = []
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat {
      skipBlanks()
      path.append(index: elements.count)
      elements.append(try value(depth: depth + 1))
      path.removeLast()
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw expected("a comma or ]") }
    return .array(elements)
  }

  private mutating func enter(_ depth: Int) throws(RemoteConfigurationError) {
    guard depth < SourceJSON.Limits.depth else {
      throw error("nested deeper than \(SourceJSON.Limits.depth) levels")
    }
    position += 1
  }

  private mutating func word(
    _ word: String, _ content: SourceJSON.Content
  ) throws(RemoteConfigurationError) -> SourceJSON.Content {
    guard source[position...].starts(with: word.utf8) else { throw expected("a value") }
    position += word.utf8.count
    return content
  }

  /// A number that fits a `Double`: readers refuse others.
  private mutating func number() throws(RemoteConfigurationError) {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
    } else {
      try digits()
    }
    if next == UInt8(ascii: ".") {
      position += 1
      try digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try digits()
    }
    let text = String(decoding: source[start..<position], as: UTF8.self)
    guard text.utf8.count <= 400, Double(text)?.isFinite == true else {
      throw error("a number that is too large")
    }
  }

  private mutating func digits() throws(RemoteConfigurationError) {
    let start = position
    while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    guard position > start else { throw expected("a digit") }
  }

  // MARK: Strings

  private mutating func string() throws(RemoteConfigurationError) -> String {
    position += 1
    var text: [UInt8] = []
    while true {
      guard let byte = next else { throw expected("a quote") }
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let text = String(validating: text, as: UTF8.self) else {
          throw error("a string that is not UTF-8")
        }
        return text
      case UInt8(ascii: "\\"): text += try escaped()
      case 0..<0x20: throw error("a control character in a string: write \\n for a line break")
      default: text.append(byte)
      }
    }
  }

  /// The UTF-8 of an escape sequence, after the backslash.
  private mutating func escaped() throws(RemoteConfigurationError) -> [UInt8] {
    guard let byte = next else { throw expected("a quote") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "u"):
      var units = [try unit()]
      if UTF16.isLeadSurrogate(units[0]), source[position...].starts(with: "\\u".utf8) {
        position += 2
        units.append(try unit())
      }
      guard let text = String(validating: units, as: UTF16.self) else {
        throw error("half of a surrogate pair")
      }
      return Array(text.utf8)
    default: throw error("an unknown escape in a string")
    }
  }

  private mutating func unit() throws(RemoteConfigurationError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw expected("four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  // MARK: Bytes

  private var next: UInt8? { position < source.count ? source[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  /// Skips blanks, and the byte if it comes next.
  private mutating func skip(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard next == byte else { return false }
    position += 1
    return true
  }

  // MARK: Errors

  private func expected(_ what: String) -> RemoteConfigurationError {
    error(position < source.count ? "\(what) is expected" : "the document ends early")
  }

  private func error(_ problem: String) -> RemoteConfigurationError {
    let before = source[..<min(position, source.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    let column = before.count - start + 1
    return RemoteConfigurationError("line \(line), column \(column): \(problem)", at: path.text)
  }
}

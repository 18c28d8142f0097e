/// Writes a JSON document, piece by piece, into bytes.
///
/// The same calls give the same bytes. Text is escaped so far that the document may be shown on a
/// terminal as it is: control characters, line separators and the marks that turn the direction of
/// writing stand as `\u` escapes, which read back as the same characters.
///
/// A document is whole when every object and array that was begun is ended; that is on the caller.
public struct JSONWriter {
  /// The bytes written so far that were not handed on.
  public private(set) var bytes: [UInt8] = []
  private let isPretty: Bool
  /// Takes the bytes of a document that may not fit into memory.
  private let sink: (([UInt8]) -> Void)?
  private var depth = 0
  /// Whether the open object or array has an element already.
  private var needsComma = false
  /// Whether a key has been written whose value is still to come.
  private var isAfterKey = false

  /// - Parameters:
  ///   - pretty: Whether to indent by two blanks; otherwise the document is one line.
  ///   - sink: Takes the bytes while the document is written, but for the last, which ``takeBytes()`` returns.
  public init(pretty: Bool = false, sink: (([UInt8]) -> Void)? = nil) {
    isPretty = pretty
    self.sink = sink
  }

  /// The bytes that are handed to the sink together.
  private static let portion = 1 << 16

  public mutating func beginObject() { begin(UInt8(ascii: "{")) }
  public mutating func endObject() { end(UInt8(ascii: "}")) }
  public mutating func beginArray() { begin(UInt8(ascii: "[")) }
  public mutating func endArray() { end(UInt8(ascii: "]")) }

  /// The key of the member whose value is written next.
  public mutating func key(_ key: String) {
    startElement()
    writeQuoted(key)
    bytes.append(UInt8(ascii: ":"))
    if isPretty { bytes.append(UInt8(ascii: " ")) }
    isAfterKey = true
  }

  public mutating func string(_ text: String) {
    startElement()
    writeQuoted(text)
  }

  public mutating func integer(_ number: some FixedWidthInteger) {
    startElement()
    bytes.append(contentsOf: String(number).utf8)
  }

  /// The shortest digits that read back as the same number; infinities and NaN, which JSON does not
  /// have, become `null`.
  public mutating func double(_ number: Double) {
    guard number.isFinite else { return null() }
    startElement()
    bytes.append(contentsOf: number.description.utf8)
  }

  public mutating func bool(_ value: Bool) {
    startElement()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  public mutating func null() {
    startElement()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Ends the line, so that the next document begins a new one.
  public mutating func newLine() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma = false
  }

  /// Hands out what has been written, to be sent on before more comes.
  public mutating func takeBytes() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private mutating func begin(_ bracket: UInt8) {
    startElement()
    bytes.append(bracket)
    depth += 1
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    precondition(depth > 0 && !isAfterKey, "an end without its beginning, or a key without value")
    depth -= 1
    if needsComma { breakLine() }
    bytes.append(bracket)
    needsComma = true
    if let sink, bytes.count >= Self.portion { sink(takeBytes()) }
  }

  private mutating func startElement() {
    if isAfterKey {
      isAfterKey = false
    } else if depth > 0 {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      breakLine()
    }
    needsComma = true
  }

  private mutating func breakLine() {
    guard isPretty else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth * 2))
  }
}

extension JSONWriter {
  private mutating func writeQuoted(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    var text = text
    let isPlain = text.withUTF8 { utf8 in
      unsafe utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f && $0 != 0x22 && $0 != 0x5c }
    }
    if isPlain {
      bytes.append(contentsOf: text.utf8)
    } else {
      for scalar in text.unicodeScalars { write(scalar) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ scalar: Unicode.Scalar) {
    switch scalar {
    case "\"": bytes.append(contentsOf: "\\\"".utf8)
    case "\\": bytes.append(contentsOf: "\\\\".utf8)
    case "\n": bytes.append(contentsOf: "\\n".utf8)
    case "\r": bytes.append(contentsOf: "\\r".utf8)
    case "\t": bytes.append(contentsOf: "\\t".utf8)
    case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}", "\u{61c}", "\u{200e}", "\u{200f}",
      "\u{2028}"..."\u{202e}", "\u{2066}"..."\u{2069}", "\u{feff}":
      let digits = String(scalar.value, radix: 16)
      bytes.append(contentsOf: "\\u".utf8)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: 4 - digits.utf8.count))
      bytes.append(contentsOf: digits.utf8)
    default:
      bytes.append(
        contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
    }
  }
}

/// Members whose values are at hand; a `nil` member is left out.
extension JSONWriter {
  public mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    string(value)
  }

  public mutating func member(_ key: String, _ value: (some FixedWidthInteger)?) {
    guard let value else { return }
    self.key(key)
    integer(value)
  }

  public mutating func member(_ key: String, _ value: Double?) {
    guard let value else { return }
    self.key(key)
    double(value)
  }

  public mutating func member(_ key: String, _ value: Bool?) {
    guard let value else { return }
    self.key(key)
    bool(value)
  }

  public mutating func member(_ key: String, _ values: [String]) {
    self.key(key)
    beginArray()
    for value in values { string(value) }
    endArray()
  }
}

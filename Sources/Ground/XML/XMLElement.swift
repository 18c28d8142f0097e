public import Bytes

/// An element of an XML document, with its content.
///
/// Source: Extensible Markup Language (XML) 1.0, fifth edition. Documents that declare their own
/// entities are refused, and namespaces are ignored: prefixes of elements are removed.
public struct XMLElement: Sendable {
  /// The name without a prefix.
  public var name: String
  /// Attributes by their names with prefixes.
  public var attributes: [String: String] = [:]
  public var children: [XMLElement] = []
  /// All text directly in the element, joined.
  public var text = ""

  public init(name: String) { self.name = name }

  /// Reads the root of a document in UTF-8, or in UTF-16 with a byte order mark.
  ///
  /// - Throws: ``ParseError`` for damage, a document type with declarations, and past a limit.
  /// - Complexity: O(n).
  public init(parsing bytes: ByteView, limits: XMLLimits) throws(ParseError) {
    var parser = XMLParser(try Self.utf8(bytes, limits), limits)
    self = try parser.document()
  }

  /// The first child with a name.
  public func first(_ name: String) -> XMLElement? { children.first { $0.name == name } }

  /// The first element with a name, this one or one in it at any depth, in document order.
  public func descendant(_ name: String) -> XMLElement? {
    if self.name == name { return self }
    for child in children {
      if let found = child.descendant(name) { return found }
    }
    return nil
  }

  /// The number of elements with a name at any depth.
  public func count(of name: String) -> Int {
    children.reduce(self.name == name ? 1 : 0) { $0 + $1.count(of: name) }
  }

  private static func utf8(_ bytes: ByteView, _ limits: XMLLimits) throws(ParseError) -> [UInt8] {
    guard bytes.count <= limits.bytes else {
      throw ParseError(.limit(name: "bytes", value: limits.bytes), in: "XML", at: 0)
    }
    let isBig = bytes.starts(with: [0xfe, 0xff])
    if isBig || bytes.starts(with: [0xff, 0xfe]) {
      var units: [UInt16] = []
      for offset in stride(from: 2, to: bytes.count - 1, by: 2) {
        let pair = (UInt16(bytes[offset]), UInt16(bytes[offset + 1]))
        units.append(isBig ? pair.0 << 8 | pair.1 : pair.1 << 8 | pair.0)
      }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? bytes.clamped(3..<bytes.count) : bytes
    let array = bytes.array
    guard String(validating: array, as: UTF8.self) != nil else {
      throw ParseError(.invalid("text that is not UTF-8"), in: "XML", at: 0)
    }
    return array
  }
}

/// A parser that reads a document front to back.
private struct XMLParser {
  private let bytes: [UInt8]
  private let limits: XMLLimits
  private var offset = 0
  private var elements = 0
  private var textBytes = 0

  init(_ bytes: [UInt8], _ limits: XMLLimits) {
    self.bytes = bytes
    self.limits = limits
  }

  mutating func document() throws(ParseError) -> XMLElement {
    var root: XMLElement?
    /// The open elements, outermost first.
    var open: [XMLElement] = []
    while offset < bytes.count {
      guard bytes[offset] == UInt8(ascii: "<") else {
        let start = offset
        let text = try text()
        if open.isEmpty {
          guard text.allSatisfy(\.isWhitespace) else { throw error("text outside", at: start) }
        } else {
          open[open.count - 1].text += text
        }
        continue
      }
      if skips("<?") {
        try pass(until: "?>")
      } else if skips("<!--") {
        try pass(until: "-->")
      } else if skips("<![CDATA[") {
        guard !open.isEmpty else { throw error("text outside") }
        let start = offset
        try pass(until: "]]>")
        open[open.count - 1].text += try counted(Array(bytes[start..<(offset - 3)]))
      } else if skips("<!DOCTYPE") {
        guard root == nil, open.isEmpty else { throw error("a document type inside") }
        try passDocumentType()
      } else if skips("</") {
        let name = try name()
        skipBlanks()
        try expect(">")
        guard let element = open.popLast(), element.name == name else {
          throw error("</\(name)> without its start")
        }
        try close(element, in: &open, &root)
      } else {
        guard root == nil else { throw error("a second root") }
        offset += 1
        let (element, isEmpty) = try startTag()
        if isEmpty {
          try close(element, in: &open, &root)
        } else {
          guard open.count < limits.depth else {
            throw limit("elements within elements", limits.depth)
          }
          open.append(element)
        }
      }
    }
    guard open.isEmpty, let root else { throw error("the document ends early") }
    return root
  }

  private func close(
    _ element: XMLElement, in open: inout [XMLElement], _ root: inout XMLElement?
  ) throws(ParseError) {
    if open.isEmpty { root = element } else { open[open.count - 1].children.append(element) }
  }

  private mutating func startTag() throws(ParseError) -> (XMLElement, isEmpty: Bool) {
    elements += 1
    guard elements <= limits.elements else {
      throw limit("elements", limits.elements)
    }
    var element = XMLElement(name: try name())
    while true {
      skipBlanks()
      if skips("/>") { return (element, true) }
      if skips(">") { return (element, false) }
      let attribute = try name(withPrefix: true)
      skipBlanks()
      try expect("=")
      skipBlanks()
      guard offset < bytes.count,
        bytes[offset] == UInt8(ascii: "\"") || bytes[offset] == UInt8(ascii: "'")
      else { throw error("an attribute without quotes") }
      let quote = bytes[offset]
      offset += 1
      let value = try text(until: quote)
      offset += 1
      guard element.attributes.updateValue(value, forKey: attribute) == nil else {
        throw error("the attribute \(attribute) twice")
      }
    }
  }

  /// Reads text up to the next tag, or to the quote that ends it.
  private mutating func text(until quote: UInt8? = nil) throws(ParseError) -> String {
    var text: [UInt8] = []
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == quote { return try counted(text) }
      if byte == UInt8(ascii: "<") {
        guard quote == nil else { throw error("< in an attribute") }
        return try counted(text)
      }
      offset += 1
      if byte == UInt8(ascii: "&") { text += try entity() } else { text.append(byte) }
    }
    guard quote == nil else { throw error("the document ends early") }
    return try counted(text)
  }

  /// Source: XML 1.0, sections 4.1 and 4.6.
  private mutating func entity() throws(ParseError) -> [UInt8] {
    let start = offset
    guard let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
      throw error("& without an entity")
    }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    offset = end + 1
    switch name {
    case "lt": return [UInt8(ascii: "<")]
    case "gt": return [UInt8(ascii: ">")]
    case "amp": return [UInt8(ascii: "&")]
    case "quot": return [UInt8(ascii: "\"")]
    case "apos": return [UInt8(ascii: "'")]
    default: break
    }
    let number =
      name.hasPrefix("#x")
      ? UInt32(name.dropFirst(2), radix: 16)
      : name.hasPrefix("#") ? UInt32(name.dropFirst(1)) : nil
    guard let number, number != 0, let scalar = Unicode.Scalar(number) else {
      throw error("the entity &\(name);", at: start)
    }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func counted(_ text: [UInt8]) throws(ParseError) -> String {
    textBytes += text.count
    guard textBytes <= limits.textBytes else {
      throw limit("bytes of text", limits.textBytes)
    }
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func name(withPrefix: Bool = false) throws(ParseError) -> String {
    let start = offset
    while offset < bytes.count, Self.isNamed(bytes[offset]) { offset += 1 }
    guard offset > start else { throw error("a name is missing") }
    let name = bytes[start..<offset]
    guard !withPrefix, let colon = name.lastIndex(of: UInt8(ascii: ":")) else {
      return String(decoding: name, as: UTF8.self)
    }
    return String(decoding: name[(colon + 1)...], as: UTF8.self)
  }

  private static func isNamed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "."), UInt8(ascii: ":"), 0x80...0xff:
      true
    default: false
    }
  }

  private mutating func passDocumentType() throws(ParseError) {
    while offset < bytes.count {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: ">"): return
      // Entities, which can grow without bound when expanded, are declared there.
      case UInt8(ascii: "["):
        throw ParseError(
          .unsupported("a document type with declarations"), in: "XML", at: offset - 1)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        while offset < bytes.count, bytes[offset] != byte { offset += 1 }
        offset += 1
      default: break
      }
    }
    throw error("the document ends early", at: bytes.count)
  }

  private mutating func skipBlanks() {
    while offset < bytes.count, [0x20, 9, 10, 13].contains(bytes[offset]) { offset += 1 }
  }

  private mutating func skips(_ mark: StaticString) -> Bool {
    let count = mark.utf8CodeUnitCount
    guard bytes.count - offset >= count else { return false }
    let isThere = unsafe UnsafeBufferPointer(start: mark.utf8Start, count: count)
      .elementsEqual(bytes[offset..<(offset + count)])
    if isThere { offset += count }
    return isThere
  }

  private mutating func expect(_ mark: StaticString) throws(ParseError) {
    guard skips(mark) else { throw error("\(mark) is missing") }
  }

  private mutating func pass(until mark: StaticString) throws(ParseError) {
    while offset < bytes.count {
      if skips(mark) { return }
      offset += 1
    }
    throw error("the document ends early")
  }

  private func error(_ reason: String, at position: Int? = nil) -> ParseError {
    ParseError(.invalid(reason), in: "XML", at: min(position ?? offset, bytes.count))
  }

  private func limit(_ name: String, _ value: Int) -> ParseError {
    ParseError(.limit(name: name, value: value), in: "XML", at: offset)
  }
}

internal import Bytes
internal import JSON

/// The objects of a file of JSON: a single one, several in sequence, such as one a line, or those of a list.
struct JSONSequence {
  private(set) var objects: [JSONValue] = []
  /// Whether the last one is cut off, or something else follows it.
  private(set) var isCut = false

  /// - Parameter limit: The most objects that are read.
  /// - Throws: ``ParseError`` if not even the first can be read.
  /// - Complexity: O(n).
  init(reading bytes: ByteView, limit: Int) throws(ParseError) {
    var start = 0
    while objects.count < limit {
      let rest = bytes.clamped(start..<bytes.count)
      do throws(ParseError) {
        let document = try JSONDocument.parse(rest)
        take(document.value, limit: limit)
        isCut = document.cut != nil
        start += document.end
        guard document.cut == nil, document.end > 0,
          bytes.clamped(start..<min(start + 4096, bytes.count)).bytes.firstText == UInt8(ascii: "{")
        else { return }
      } catch {
        guard !objects.isEmpty else { throw error }
        isCut = true
        return
      }
    }
  }

  private mutating func take(_ value: JSONValue, limit: Int) {
    if value.object != nil { objects.append(value) }
    for element in value.array ?? [] where element.object != nil && objects.count < limit {
      objects.append(element)
    }
  }
}

extension RawSpan {
  /// The first byte after blanks, tabs and line ends; 0 at the end.
  var firstText: UInt8 {
    for index in 0..<byteCount where ![9, 10, 13, 32].contains(byte(index)) { return byte(index) }
    return 0
  }

  /// Whether it may be a file of objects of JSON, or a list of them.
  var beginsObjects: Bool {
    let first = upTo(4096).firstText
    return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
  }
}

extension JSONReader {
  /// Enters the first object, also if it is the first of a list.
  @_lifetime(self: copy self)
  mutating func beginFirstObject() throws(ParseError) -> Bool {
    if try peek() == .array {
      guard try beginArray(), try nextElement() else { return false }
    }
    guard try peek() == .object else { return false }
    return try beginObject()
  }
}

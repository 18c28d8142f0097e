internal import Bytes
internal import JSON

/// The functions of an original source, as Metro and the compiler of Hermes write them beside the
/// source: `x_facebook_sources: [[{"names": ["<global>", "total"], "mappings": "AAA;gBCC"}, …], …]`.
///
/// A segment has the differences of column, name and line; the column begins anew after each `;`.
///
/// Source: metro-symbolicate, `SourceMetadataMapConsumer.js`; metro-source-map, `generateFunctionMap.js`.
struct FunctionMap: Sendable {
  /// Where the object lies in the map, in bytes.
  struct MapRange: BitwiseCopyable {
    var start: UInt32
    var count: UInt32
    static let none = MapRange(start: 0, count: 0)
  }

  private struct Entry {
    /// From 1.
    var line: Int
    /// From 0.
    var column: Int
    var name: Int
  }

  private var names: [String] = []
  private var entries: [Entry] = []

  /// - Throws: ``ParseError`` for damage.
  init(parsing object: ByteView) throws(ParseError) {
    var reader = JSONReader(object.bytes, reading: "function map", limits: .sourceMap)
    var mappings = ""
    if try reader.beginObject() {
      while try reader.nextKey() {
        if reader.keyIs("names") {
          guard try reader.beginArray() else { continue }
          while try reader.nextElement() {
            names.append(try reader.readString() ?? "")
            guard names.count <= SourceMapLimits.functions else { throw Self.tooMany }
          }
        } else if reader.keyIs("mappings") {
          mappings = try reader.readString() ?? ""
        }
      }
    }
    try read(ByteView(mappings.utf8))
  }

  private static let tooMany = ParseError(
    .limit(name: "functions of a source", value: SourceMapLimits.functions), in: "function map",
    at: 0)

  private mutating func read(_ text: ByteView) throws(ParseError) {
    var reader = VLQReader(text.bytes)
    var entry = Entry(line: 1, column: 0, name: 0)
    var isSorted = true
    while !reader.isAtEnd {
      guard reader.hasNumber else {
        if reader.byte == UInt8(ascii: ";") { entry.column = 0 }
        reader.position += 1
        continue
      }
      // Sums of at most 2^29 numbers of 32 bits.
      entry.column += try reader.read()
      if reader.hasNumber { entry.name += try reader.read() }
      if reader.hasNumber { entry.line += try reader.read() }
      while reader.hasNumber { _ = try reader.read() }
      if let last = entries.last {
        isSorted = isSorted && (last.line, last.column) <= (entry.line, entry.column)
      }
      entries.append(entry)
      guard entries.count <= SourceMapLimits.functions else { throw Self.tooMany }
    }
    if !isSorted { entries.sort { ($0.line, $0.column) < ($1.line, $1.column) } }
  }

  /// The function around a position: the line from 1, the column from 0.
  func function(line: Int, column: Int) -> String? {
    let next = entries.lowerBound { ($0.line, $0.column) <= (line, column) }
    guard next > 0, names.indices.contains(entries[next - 1].name) else { return nil }
    return names[entries[next - 1].name]
  }
}

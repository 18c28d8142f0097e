/// Writes metadata of .NET for tests: heaps, tables with narrow columns, streams.
public struct MetadataBuilder {
  public private(set) var strings: [UInt8] = [0]
  public private(set) var blobs: [UInt8] = [0]
  public private(set) var guids: [UInt8] = []
  private var tables: [Int: [[UInt8]]] = [:]
  public init() {}

  /// The stream `#Pdb`, if any.
  public var debug: [UInt8]?

  public mutating func string(_ text: String) -> Int {
    strings += Array(text.utf8) + [0]
    return strings.count - text.utf8.count - 1
  }

  public mutating func blob(_ bytes: [UInt8]) -> Int {
    let start = blobs.count
    blobs += Self.number(bytes.count) + bytes
    return start
  }

  public mutating func guid(_ bytes: [UInt8]) -> Int {
    guids += bytes
    return guids.count / 16
  }

  /// A row of a table, of columns of two or four bytes.
  public mutating func row(_ table: Int, _ columns: (value: Int, size: Int)...) {
    tables[table, default: []].append(columns.flatMap { Self.bytes($0.value, $0.size) })
  }

  public static func bytes(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A number in one, two or four bytes.
  public static func number(_ value: Int) -> [UInt8] {
    if value < 0x80 { return [UInt8(value)] }
    if value < 0x4000 { return [UInt8(0x80 | value >> 8), UInt8(value & 0xff)] }
    return [
      UInt8(0xc0 | value >> 24), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff),
      UInt8(value & 0xff),
    ]
  }

  /// A number with a sign: turned left by one in as many bits as it takes.
  public static func signed(_ value: Int) -> [UInt8] {
    for (bits, _) in [(7, 1), (14, 2), (29, 4)]
    where (-(1 << (bits - 1))..<(1 << (bits - 1))).contains(value) {
      let turned = (value & ((1 << (bits - 1)) - 1)) << 1 | (value < 0 ? 1 : 0)
      switch bits {
      case 7: return [UInt8(turned)]
      case 14: return [UInt8(0x80 | turned >> 8), UInt8(turned & 0xff)]
      default:
        return [
          UInt8(0xc0 | turned >> 24), UInt8(turned >> 16 & 0xff), UInt8(turned >> 8 & 0xff),
          UInt8(turned & 0xff),
        ]
      }
    }
    return []
  }

  public var bytes: [UInt8] {
    let present = tables.keys.reduce(0 as UInt64) { $0 | 1 << UInt64($1) }
    var stream: [UInt8] = [0, 0, 0, 0, 2, 0, 0, 1]
    stream += (0..<8).map { UInt8(truncatingIfNeeded: present >> (8 * UInt64($0))) }
    stream += [UInt8](repeating: 0, count: 8)
    for table in tables.keys.sorted() { stream += Self.bytes(tables[table, default: []].count, 4) }
    for table in tables.keys.sorted() { stream += tables[table, default: []].flatMap { $0 } }
    var streams: [(String, [UInt8])] = [
      ("#~", stream), ("#Strings", strings), ("#Blob", blobs), ("#GUID", guids),
    ]
    if let debug { streams.insert(("#Pdb", debug), at: 0) }
    var head = Array("BSJB".utf8) + [1, 0, 1, 0, 0, 0, 0, 0, 12, 0, 0, 0]
    head += Array("PDB v1.0".utf8) + [0, 0, 0, 0] + [0, 0, UInt8(streams.count), 0]
    func name(_ text: String) -> [UInt8] {
      let bytes = Array(text.utf8) + [0]
      return bytes + [UInt8](repeating: 0, count: (4 - bytes.count % 4) % 4)
    }
    var offset = head.count + streams.reduce(0) { $0 + 8 + name($1.0).count }
    var body: [UInt8] = []
    for (title, bytes) in streams {
      head += Self.bytes(offset, 4) + Self.bytes(bytes.count, 4) + name(title)
      body += bytes
      offset += bytes.count
    }
    return head + body
  }
}

/// A portable PDB made by hand.
public enum PortablePDBSample {
  public static let id: [UInt8] = [
    0x04, 0x03, 0x02, 0x01, 0x06, 0x05, 0x08, 0x07, 9, 10, 11, 12, 13, 14, 15, 16,
  ]
  private static let embeddedSource: [UInt8] = [
    0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46, 0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe,
  ]
  private static let sourceLink: [UInt8] = [
    0x56, 0x05, 0x11, 0xcc, 0x91, 0xa0, 0x38, 0x4d, 0x9f, 0xec, 0x25, 0xab, 0x9a, 0x35, 0x1a, 0x6a,
  ]

  /// Two documents, three methods: lines with a hidden point; none; two documents in one method.
  public static var bytes: [UInt8] {
    var builder = MetadataBuilder()
    // The id, no entry point, and that the assembly has three methods and one module.
    builder.debug =
      id + [0xef, 0xbe, 0xad, 0xde, 0, 0, 0, 0] + MetadataBuilder.bytes(0x41, 8)
      + MetadataBuilder.bytes(1, 4) + MetadataBuilder.bytes(3, 4)
    let parts = ["", "src", "Cart.cs", "Till.cs"].map { builder.blob(Array($0.utf8)) }
    func number(_ value: Int) -> [UInt8] { MetadataBuilder.number(value) }
    func signed(_ value: Int) -> [UInt8] { MetadataBuilder.signed(value) }
    for last in [2, 3] {
      let name = builder.blob([0x2f] + [0, parts[1], parts[last]].flatMap(number))
      builder.row(0x30, (name, 2), (0, 2), (0, 2), (0, 2))
    }
    let first = builder.blob(
      number(0)  // no local variables
        + number(0) + number(1) + signed(-4) + number(300) + number(9)  // 0: 300:9 to 301:5
        + number(4) + number(0) + number(0)  // 4: hidden
        + number(300) + number(0) + number(20) + signed(-100) + signed(70))  // 304: 200:79
    let third = builder.blob(
      number(0) + number(1)  // of two documents, the first is named here
        + number(2) + number(0) + number(5) + number(10) + number(1)  // 2: 10:1
        + number(0) + number(2)  // the second document
        + number(6) + number(0) + number(5) + signed(5) + signed(0))  // 8: 15:1
    builder.row(0x31, (1, 2), (first, 2))
    builder.row(0x31, (0, 2), (0, 2))
    builder.row(0x31, (0, 2), (third, 2))
    builder.row(0x36, (3, 2), (1, 2))
    let source = builder.guid(embeddedSource)
    let link = builder.guid(sourceLink)
    let raw = builder.blob([0, 0, 0, 0] + Array("class Cart {}".utf8))
    let links = builder.blob(
      Array(
        #"{"documents":{"/*":"https://example.org/all/*","/src/*":"https://example.org/1a2b/*"}}"#
          .utf8))
    builder.row(0x37, (1 << 5 | 7, 2), (link, 2), (links, 2))
    builder.row(0x37, (1 << 5 | 22, 2), (source, 2), (raw, 2))
    return builder.bytes
  }
}

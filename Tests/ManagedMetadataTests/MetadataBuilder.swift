/// Writes metadata of .NET for tests: heaps, tables with narrow columns, streams.
struct MetadataBuilder {
  private(set) var strings: [UInt8] = [0]
  private(set) var blobs: [UInt8] = [0]
  private(set) var guids: [UInt8] = []
  private var tables: [Int: [[UInt8]]] = [:]
  /// The stream `#Pdb`, if any.
  var debug: [UInt8]?

  mutating func string(_ text: String) -> Int {
    strings += Array(text.utf8) + [0]
    return strings.count - text.utf8.count - 1
  }

  mutating func blob(_ bytes: [UInt8]) -> Int {
    let start = blobs.count
    blobs += Self.number(bytes.count) + bytes
    return start
  }

  mutating func guid(_ bytes: [UInt8]) -> Int {
    guids += bytes
    return guids.count / 16
  }

  /// A row of a table, of columns of two or four bytes.
  mutating func row(_ table: Int, _ columns: (value: Int, size: Int)...) {
    tables[table, default: []].append(columns.flatMap { Self.bytes($0.value, $0.size) })
  }

  static func bytes(_ value: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
  }

  /// A number in one, two or four bytes.
  static func number(_ value: Int) -> [UInt8] {
    if value < 0x80 { return [UInt8(value)] }
    if value < 0x4000 { return [UInt8(0x80 | value >> 8), UInt8(value & 0xff)] }
    return [
      UInt8(0xc0 | value >> 24), UInt8(value >> 16 & 0xff), UInt8(value >> 8 & 0xff),
      UInt8(value & 0xff),
    ]
  }

  /// A number with a sign: turned left by one in as many bits as it takes.
  static func signed(_ value: Int) -> [UInt8] {
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

  var bytes: [UInt8] {
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

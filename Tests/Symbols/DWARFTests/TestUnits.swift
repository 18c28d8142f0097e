import Bytes
import DWARF
import TestSupport

/// Constants of the standard, repeated so that the tests do not share the reader's.
enum At {
  static let sibling: UInt64 = 0x01
  static let name: UInt64 = 0x03
  static let stmtList: UInt64 = 0x10
  static let lowPC: UInt64 = 0x11
  static let highPC: UInt64 = 0x12
  static let language: UInt64 = 0x13
  static let compDir: UInt64 = 0x1b
  static let abstractOrigin: UInt64 = 0x31
  static let declLine: UInt64 = 0x3b
  static let external: UInt64 = 0x3f
  static let specification: UInt64 = 0x47
  static let ranges: UInt64 = 0x55
  static let callColumn: UInt64 = 0x57
  static let callFile: UInt64 = 0x58
  static let callLine: UInt64 = 0x59
  static let linkageName: UInt64 = 0x6e
  static let strOffsetsBase: UInt64 = 0x72
  static let addrBase: UInt64 = 0x73
  static let rnglistsBase: UInt64 = 0x74
}

enum F {
  static let addr: UInt64 = 0x01
  static let data2: UInt64 = 0x05
  static let data4: UInt64 = 0x06
  static let string: UInt64 = 0x08
  static let data1: UInt64 = 0x0b
  static let udata: UInt64 = 0x0f
  static let refAddr: UInt64 = 0x10
  static let ref4: UInt64 = 0x13
  static let indirect: UInt64 = 0x16
  static let flagPresent: UInt64 = 0x19
  static let secOffset: UInt64 = 0x17
  static let exprloc: UInt64 = 0x18
  static let strx: UInt64 = 0x1a
  static let addrx: UInt64 = 0x1b
  static let implicitConst: UInt64 = 0x21
  static let rnglistx: UInt64 = 0x23
  static let strx1: UInt64 = 0x25
}

enum T {
  static let unit: UInt64 = 0x11
  static let structure: UInt64 = 0x13
  static let inlined: UInt64 = 0x1d
  static let subprogram: UInt64 = 0x2e
  static let namespace: UInt64 = 0x39
  static let variable: UInt64 = 0x34
}

/// One function as a test sees it.
struct FoundFunction: Equatable {
  var name: String
  var start: UInt32
  var end: UInt32
  var depth: Int

  init(_ name: String, _ start: UInt32, _ end: UInt32, depth: Int = 0) {
    self.name = name
    self.start = start
    self.end = end
    self.depth = depth
  }
}

extension DWARFSections {
  /// Sections from bytes, little-endian with addresses of eight bytes unless given otherwise.
  init(
    info: DWARFBytes = DWARFBytes(), abbreviations: DWARFBytes = DWARFBytes(),
    line: DWARFBytes = DWARFBytes(), endianness: Endianness = .little, addressSize: Int = 8
  ) {
    self.init(endianness: endianness, addressSize: addressSize)
    self.info = ByteView(info.bytes)
    self.abbreviations = ByteView(abbreviations.bytes)
    self.line = ByteView(line.bytes)
  }

  /// - Parameter tables: Whose names that the reader put together count.
  func text(_ reference: TextReference, of tables: borrowing CodeTables) -> String {
    var sections = self
    sections.scopedNames = tables.scopedNames.view
    return sections.text(reference)
  }

  func text(_ reference: TextReference) -> String {
    let bytes = view(of: reference).array
    guard !reference.isNone else { return "" }
    return String(decoding: bytes[reference.offset...].prefix { $0 != 0 }, as: UTF8.self)
  }

  func tables(
    base: UInt64 = 0, executable: [Range<UInt64>] = [0x1000..<0x9000],
    limits: DWARFLimits = DWARFLimits()
  ) -> CodeTables {
    CodeTables.reading(
      self, space: CodeSpace(imageBase: base, executable: executable), limits: limits)
  }

  /// All ranges of code with their names, in order.
  func functions(
    base: UInt64 = 0, executable: [Range<UInt64>] = [0x1000..<0x9000]
  ) -> [FoundFunction] {
    let tables = tables(base: base, executable: executable)
    return (0..<tables.codeRanges.count).map { index in
      let codeRange = tables.codeRanges[index]
      var scope = tables.scopes[Int(codeRange.scope)]
      let name = text(tables.functions[Int(scope.function)].name, of: tables)
      var depth = 0
      while scope.parent != CodeTables.none {
        depth += 1
        scope = tables.scopes[Int(scope.parent)]
      }
      return FoundFunction(name, codeRange.start, codeRange.end, depth: depth)
    }
  }
}

/// A unit header up to version 4 and from version 5 on.
func unitHeader(
  _ unit: inout DWARFBytes, version: UInt64, addressSize: UInt8 = 8, isWide: Bool = false,
  kind: UInt8 = 1, abbreviations: UInt64 = 0
) {
  unit.u16(version)
  let size = isWide ? 8 : 4
  if version >= 5 {
    unit.put(kind, addressSize)
    unit.number(abbreviations, size: size)
  } else {
    unit.number(abbreviations, size: size)
    unit.put(addressSize)
  }
}

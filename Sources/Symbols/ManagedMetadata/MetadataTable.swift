/// A table of metadata, by its number.
///
/// Source: ECMA-335, section II.22; Portable PDB v1.0, "Metadata tables".
struct MetadataTable: Hashable, RawRepresentable {
  let rawValue: Int

  static let module = MetadataTable(rawValue: 0x00)
  static let typeDefinition = MetadataTable(rawValue: 0x02)
  static let method = MetadataTable(rawValue: 0x06)
  static let nestedClass = MetadataTable(rawValue: 0x29)
  static let document = MetadataTable(rawValue: 0x30)
  static let methodDebugInformation = MetadataTable(rawValue: 0x31)
  static let stateMachineMethod = MetadataTable(rawValue: 0x36)
  static let customDebugInformation = MetadataTable(rawValue: 0x37)
  /// The number of possible tables.
  static let count = 64

  /// The content of a column.
  enum Column: Equatable {
    case number(Int)
    case string, guid, blob
    case row(Int)
    case coded(CodedIndex)
  }

  /// A column that points into one of several tables, selected by the low bits.
  struct CodedIndex: Equatable {
    var bits: Int
    /// The tables that determine the width.
    var tables: [Int]

    static let typeOrReference = CodedIndex(bits: 2, tables: [0x02, 0x01, 0x1b])
    static let constant = CodedIndex(bits: 2, tables: [0x04, 0x08, 0x17])
    static let attribute = CodedIndex(
      bits: 5,
      tables: [
        0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e, 0x17, 0x14, 0x11, 0x1a, 0x1b, 0x20,
        0x23, 0x26, 0x27, 0x28, 0x2a, 0x2c, 0x2b,
      ])
    static let marshal = CodedIndex(bits: 1, tables: [0x04, 0x08])
    static let security = CodedIndex(bits: 2, tables: [0x02, 0x06, 0x20])
    static let memberParent = CodedIndex(bits: 3, tables: [0x02, 0x01, 0x1a, 0x06, 0x1b])
    static let semantics = CodedIndex(bits: 1, tables: [0x14, 0x17])
    static let methodOrMember = CodedIndex(bits: 1, tables: [0x06, 0x0a])
    static let forwarded = CodedIndex(bits: 1, tables: [0x04, 0x06])
    static let implementation = CodedIndex(bits: 2, tables: [0x26, 0x23, 0x27])
    static let attributeType = CodedIndex(bits: 3, tables: [0x06, 0x0a])
    static let scope = CodedIndex(bits: 2, tables: [0x00, 0x1a, 0x23, 0x01])
    static let typeOrMethod = CodedIndex(bits: 1, tables: [0x02, 0x06])
    static let customDebug = CodedIndex(
      bits: 5, tables: attribute.tables + [0x30, 0x32, 0x33, 0x34, 0x35])
  }

  /// The columns of each table; `nil` where the number is not used.
  static let columns: [[Column]?] = {
    var all = [[Column]?](repeating: nil, count: count)
    let half = Column.number(2)
    let word = Column.number(4)
    all[0x00] = [half, .string, .guid, .guid, .guid]
    all[0x01] = [.coded(.scope), .string, .string]
    all[0x02] = [word, .string, .string, .coded(.typeOrReference), .row(0x04), .row(0x06)]
    all[0x03] = [.row(0x04)]
    all[0x04] = [half, .string, .blob]
    all[0x05] = [.row(0x06)]
    all[0x06] = [word, half, half, .string, .blob, .row(0x08)]
    all[0x07] = [.row(0x08)]
    all[0x08] = [half, half, .string]
    all[0x09] = [.row(0x02), .coded(.typeOrReference)]
    all[0x0a] = [.coded(.memberParent), .string, .blob]
    all[0x0b] = [half, .coded(.constant), .blob]
    all[0x0c] = [.coded(.attribute), .coded(.attributeType), .blob]
    all[0x0d] = [.coded(.marshal), .blob]
    all[0x0e] = [half, .coded(.security), .blob]
    all[0x0f] = [half, word, .row(0x02)]
    all[0x10] = [word, .row(0x04)]
    all[0x11] = [.blob]
    all[0x12] = [.row(0x02), .row(0x14)]
    all[0x13] = [.row(0x14)]
    all[0x14] = [half, .string, .coded(.typeOrReference)]
    all[0x15] = [.row(0x02), .row(0x17)]
    all[0x16] = [.row(0x17)]
    all[0x17] = [half, .string, .blob]
    all[0x18] = [half, .row(0x06), .coded(.semantics)]
    all[0x19] = [.row(0x02), .coded(.methodOrMember), .coded(.methodOrMember)]
    all[0x1a] = [.string]
    all[0x1b] = [.blob]
    all[0x1c] = [half, .coded(.forwarded), .string, .row(0x1a)]
    all[0x1d] = [word, .row(0x04)]
    all[0x1e] = [word, word]
    all[0x1f] = [word]
    all[0x20] = [word, half, half, half, half, word, .blob, .string, .string]
    all[0x21] = [word]
    all[0x22] = [word, word, word]
    all[0x23] = [half, half, half, half, word, .blob, .string, .string, .blob]
    all[0x24] = [word, .row(0x23)]
    all[0x25] = [word, word, word, .row(0x23)]
    all[0x26] = [word, .string, .blob]
    all[0x27] = [word, word, .string, .string, .coded(.implementation)]
    all[0x28] = [word, word, .string, .coded(.implementation)]
    all[0x29] = [.row(0x02), .row(0x02)]
    all[0x2a] = [half, half, .coded(.typeOrMethod), .string]
    all[0x2b] = [.coded(.methodOrMember), .blob]
    all[0x2c] = [.row(0x2a), .coded(.typeOrReference)]
    all[0x30] = [.blob, .guid, .blob, .guid]
    all[0x31] = [.row(0x30), .blob]
    all[0x32] = [.row(0x06), .row(0x35), .row(0x33), .row(0x34), word, word]
    all[0x33] = [half, half, .string]
    all[0x34] = [.string, .blob]
    all[0x35] = [.row(0x35), .blob]
    all[0x36] = [.row(0x06), .row(0x06)]
    all[0x37] = [.coded(.customDebug), .guid, .blob]
    return all
  }()
}

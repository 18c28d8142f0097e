internal import Bytes
internal import Identifiers

/// A program's facts about its PDB: the id that they share, and the PDB's name.
///
///     OFFSET  SIZE  FIELD            OFFSET  SIZE  FIELD
///          0     4  "RSDS"                0     4  "NB10"
///          4    16  GUID                  4     4  offset, 0
///         20     4  age                   8     4  time stamp of the PDB
///         24     n  path of the PDB      12     4  age
///                                        16     n  path of the PDB
///
/// Source: Microsoft, "PE Format", "Debug Type", type 2; Breakpad, MDCVInfoPDB70 and MDCVInfoPDB20
/// in `src/google_breakpad/common/minidump_format.h`. `ld --build-id` for MinGW writes `RSDS` with
/// the start of its build id and no path.
struct CodeViewRecord: Sendable {
  let debugID: DebugID
  /// The path on the machine that linked the program; empty where there is none.
  let path: String

  init(parsing view: ByteView) throws(ParseError) {
    var reader = ByteReader(view.bytes, reading: "CodeView record")
    switch try reader.read(UInt32.self) {
    case 0x5344_5352:
      let guid = ByteView(copying: try reader.readBytes(16)).array
      debugID = DebugID(guid: guid, age: try reader.read())
    case 0x3031_424e:
      try reader.skip(4)
      let stamp: UInt32 = try reader.read()
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: stamp >> UInt32(24 - 8 * $0)) }
      debugID = DebugID(uuid: bytes, age: try reader.read())
    case let other:
      throw reader.error(.unsupported("a CodeView record \(other.hexadecimal)"))
    }
    path = (try? reader.readCString().text) ?? ""
  }
}

extension DebugID {
  /// A GUID as stored in a file: its first 4, next 2 and next 2 bytes are little-endian numbers.
  init(guid bytes: [UInt8], age: UInt32) {
    let id = DebugID(uuid: bytes).uuid
    self.init(
      uuid: [id[3], id[2], id[1], id[0], id[5], id[4], id[7], id[6]] + id[8...], age: age)
  }
}

internal import Bytes
internal import ObjectFormats

/// The module that the code at an address comes from.
///
///     OFFSET  SIZE  FIELD
///          0     4  version: 0xf12eba2d, or 0xf13151e4 for entries of 32 bytes
///     then for each contribution
///          0     2  section, from 1
///          4     4  offset in the section
///          8     4  size
///         16     2  module, from 0
///         28     4  in the longer form the section in the object file
///
/// Source: LLVM docs, "The PDB DBI (Debug Info) Stream", "Section Contribution Substream".
///
/// A linker that folds equal functions keeps the symbols of all of them in some modules, and the code
/// of one.
struct ContributionMap: ~Copyable {
  struct Contribution: BitwiseCopyable {
    var start: UInt32
    var end: UInt32
    var module: UInt32
  }

  private static let version28: UInt32 = 0xf12e_ba2d
  private static let version32: UInt32 = 0xf131_51e4

  private var contributions = Table<Contribution>()

  /// An empty map.
  init() {}

  /// - Throws: ``ParseError`` for a list that is cut off, or of another version.
  init(_ file: PDBFile) throws(ParseError) {
    guard let view = file.dbi?.contributions, !view.isEmpty else { return }
    var reader = ByteReader(view.bytes, reading: "section contributions")
    let version: UInt32 = try reader.read()
    guard version == Self.version28 || version == Self.version32 else {
      throw reader.error(.unsupported("version \(version.hexadecimal)"))
    }
    let size = version == Self.version32 ? 32 : 28
    var entries: [Contribution] = []
    while !reader.isAtEnd {
      let end = reader.position + size
      let section: UInt16 = try reader.read()
      try reader.skip(2)
      let offset: UInt32 = try reader.read()
      let length: UInt32 = try reader.read()
      try reader.skip(4)
      let module: UInt16 = try reader.read()
      try reader.seek(to: end)
      guard length > 0, let start = file.addresses.linked(section: section, offset: offset) else {
        continue
      }
      let limit = start.addingReportingOverflow(length)
      guard !limit.overflow else { continue }
      entries.append(
        Contribution(start: start, end: limit.partialValue, module: UInt32(module)))
    }
    entries.sort { $0.start < $1.start }
    var last: UInt32 = 0
    for entry in entries where entry.start >= last {
      contributions.append(entry)
      last = entry.end
    }
  }

  /// Whether `module` contributed the code at `address`; true where unknown.
  func isOwner(_ module: Int, of address: UInt32) -> Bool {
    let low = contributions.lowerBound { $0.start <= address }
    guard low > 0, address < contributions[low - 1].end else { return true }
    return contributions[low - 1].module == UInt32(truncatingIfNeeded: module)
  }
}

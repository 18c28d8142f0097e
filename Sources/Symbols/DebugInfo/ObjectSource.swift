public import Bytes
internal import DWARF
public import ObjectFormats

/// A source file of which a debug file records more than the path.
public struct ObjectSource: Sendable {
  /// The path as used by lines.
  public let path: String
  /// The file itself, where the debug file contains it.
  public let text: ByteView?
  /// The MD5 of the file that was compiled: sixteen bytes.
  public let checksum: [UInt8]?
}

extension ObjectFile {
  /// The sources that the file contains, or has checksums of: in the line tables of DWARF 5, or as
  /// streams of a PDB. Damaged ones are left out.
  ///
  /// - Complexity: O(n) in the size of the sections that hold line tables and units.
  public var sources: [ObjectSource] {
    if let pdb {
      return ((try? pdb.embeddedSources()) ?? []).map { source in
        ObjectSource(path: source.path, text: try? pdb.contents(of: source), checksum: nil)
      }
    }
    guard section(named: "debug_line")?.hasContents == true else { return [] }
    var sections = DWARFSections(endianness: endianness, addressSize: addressSize)
    var notes: [String] = []
    sections.load(from: self, notes: &notes)
    return SourceFacts.reading(sections).map {
      ObjectSource(path: $0.path, text: $0.text, checksum: $0.checksum)
    }
  }
}

public import Bytes

/// The sections that the readers need, as views of their decompressed contents; the reader of the
/// container provides them. A section that a file lacks is empty.
public struct DWARFSections: Sendable {
  public var info = ByteView.empty
  public var abbreviations = ByteView.empty
  public var line = ByteView.empty
  public var strings = ByteView.empty
  public var lineStrings = ByteView.empty
  public var stringOffsets = ByteView.empty
  public var addresses = ByteView.empty
  public var ranges = ByteView.empty
  public var rangeLists = ByteView.empty
  /// The index of units in a package and their parts of its sections: `.debug_cu_index`.
  public var unitIndex = ByteView.empty
  /// The names composed while reading ``info``: ``CodeTables/scopedNames``.
  public var scopedNames = ByteView.empty
  /// The part of ``line`` that was read before ``info`` was available.
  public var linesAhead: LinePrefetch?
  /// The role of these sections for the object that is read.
  public var role = Role.object
  /// The files with further debug information of the object, as far as available.
  public internal(set) var others: [DWARFSections] = []
  var splitUnits = SplitIndex()
  /// The number of the file that several objects share; 0 where there is none.
  var alternateFile = 0
  var alternateInfo = ByteView.empty
  var alternateAbbreviations = ByteView.empty
  var alternateStrings = ByteView.empty
  public var endianness: Endianness
  /// The size of an address in line tables older than version 5, which do not record it, in bytes.
  public var addressSize: Int

  /// The bytes of all split units.
  var splitSize: Int {
    others.reduce(0) { $0 + ($1.role == .alternate ? 0 : $1.info.count) }
  }

  /// The role of sections for the object that is read.
  public enum Role: Sendable {
    case object
    /// Units that the object names by an id, one after another (`.dwo`).
    case split
    /// Such units of many files, with an index (`.dwp`).
    case package
    /// Names and entries shared by several objects, extracted by dwz.
    case alternate
  }

  public init(endianness: Endianness, addressSize: Int) {
    self.endianness = endianness
    self.addressSize = addressSize
  }
}

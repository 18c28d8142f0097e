/// Limits of the readers, whatever a file contains.
///
/// Each is far above what compilers write; a file that reaches one loses the part after it and
/// gets a note.
public struct DWARFLimits: Sendable {
  public var units = 1 << 20
  /// Origins and specifications followed from one function.
  public var originHops = 16
  /// Nested inlined calls.
  public var inlineDepth = 2_000
  /// Abbreviations kept at a time.
  public var cachedAbbreviations = 1 << 18
  /// How often a section may be reread: the bytes read of abbreviations, and of the headers of line
  /// tables, stay under this many times the section's size, plus ``slack``.
  public var rereading = 16
  /// The corresponding factor for data that stays in memory: range lists and line programs.
  public var expansion = 2
  /// Attributes of one abbreviation; an entry with more is not read. They may take no bytes in the
  /// entry.
  public var attributes = 256
  /// Origins and specifications followed from all functions together, per byte of the units: one
  /// that is reread often may be long.
  public var originsPerByte = 1
  /// The bytes of joined paths, as a multiple of the size of the line tables, plus ``pathSlack``: a
  /// path may be short to encode and long when joined.
  public var pathExpansion = 64
  /// In bytes.
  public var pathSlack = 1 << 24
  /// The size of the different paths in a small file, in bytes; in a larger one ``expansion`` times
  /// the size of its names, units and line tables.
  public var pathRoom = 1 << 22
  /// In bytes.
  public var slack = 1 << 20
  /// Different source files of an object.
  public var files = 1 << 22
  /// Functions and inlined calls of an object.
  public var scopes = 1 << 28
  /// Ranges of code of those.
  public var codeRanges = 1 << 28
  /// Rows kept of the line tables of an object.
  public var rows = 1 << 30
  /// Notes kept; further damage is only counted.
  public var notes = 64
  /// Ranges of code that overlap at one address.
  public var overlaps = 4_096
  /// The bytes of units below which another thread costs more than it saves.
  public var smallestShare = 1 << 16
  /// Nested namespaces and types around a function.
  public var scopeDepth = 256
  /// The longest name, in bytes; longer ones are cut.
  public var nameLength = 1 << 18

  /// The longest path of another file, and the longest component of a source file's path, in bytes.
  public var pathLength = 1 << 12

  /// Whether relative paths are joined to the folder in which the compiler ran.
  public var joinsCompilationFolder = true

  public init() {}

  /// The limits for an object that takes `storedBytes` bytes on disk, with all its supplementary
  /// object files.
  ///
  /// Uncompressed sections never reach them: a row takes a byte, a scope three. Compressed ones
  /// might contain far more than the size of their files, and the tables made of them take memory
  /// in turn.
  public func fitting(storedBytes: Int) -> DWARFLimits {
    var limits = self
    let (twice, isBeyond) = storedBytes.multipliedReportingOverflow(by: 2)
    guard storedBytes >= 0, !isBeyond else { return self }
    limits.rows = min(rows, max(twice, twice &+ slack))
    limits.scopes = min(scopes, (storedBytes + slack) / 2)
    limits.codeRanges = min(codeRanges, storedBytes + slack)
    return limits
  }
}

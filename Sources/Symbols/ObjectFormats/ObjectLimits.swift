internal import Bytes

/// The most that is taken from one object file, whatever its headers say.
enum ObjectLimits {
  /// Slices of a universal file. Java class files share the magic number; what they have in the
  /// place of the count is a version, which is 45 or more.
  static let slices = UInt32(FileMagic.mostSlices)
  /// Sections of one file.
  static let sections = 1 << 18
  /// Segments of one file; cores of processes with many mappings come near it.
  static let segments = 1 << 18
  /// Bytes of a section name; the rest is cut off.
  static let sectionNameBytes = 256
  /// Bytes of one section, decompressed.
  static let sectionBytes = 4 << 30
  /// How many times the size of their file all compressed sections together may unpack to, above
  /// ``unpackedSlack``: what costs by the byte must not cost a thousand times as much. Whole files
  /// reach five; single sections of small ones go beyond thirty, so that no section is asked for
  /// itself.
  static let unpackedRatio = 16
  static let unpackedSlack = 4 << 20
  /// Bytes of the object inside `.gnu_debugdata`, decompressed.
  static let miniDebugInfoBytes = 256 << 20
  /// Bytes of a build id; the longest hash in use has 64.
  static let buildIDBytes = 64
  /// Bytes of the note about a file's package; linkers write some two hundred.
  static let packageBytes = 16 << 10
  /// Bytes of symbol names that are searched for their ends, over one symbol table.
  static let symbolNameBytes = 1 << 30
  /// The same as a multiple of the string table, above ``symbolNameSlack``: names share their ends
  /// with others, not with all others.
  static let symbolNameRatio = 16
  static let symbolNameSlack = 1 << 20
  /// Bytes of a path; the rest is cut off. No system takes longer ones.
  static let pathBytes = 4096
  /// Entries of `LC_FUNCTION_STARTS`.
  static let functionStarts = 1 << 22
  /// How far after the start of a PE file its header may begin.
  static let dosStubBytes = FileMagic.dosStubBytes
  /// Entries of a PE file's debug directory.
  static let debugEntries = 256
  /// Streams of a PDB; their numbers have sixteen bits, but for a few that the linker adds.
  static let pdbStreams = 1 << 18
  /// Bytes of a stream's name in a PDB.
  static let streamNameBytes = 4 << 10
  /// Entries that are followed in a dynamic section or hash table.
  static let dynamicEntries = 1 << 24
}

/// The format of `.mdp` files: the result of a triage of some reports, to be merged with those of others.
///
/// Everything in it is a fact about a file, a report or a class of reports, never a count: so the merge of some
/// files is the same in any order, and nothing counts twice, however often a part of the work was repeated. A
/// class is what has the same app and the same grouping key; groups are made of classes when all are known.
///
/// All fixed numbers are little-endian.
///
///     OFFSET  SIZE  FIELD
///          0     8  "MDBATCH", 0
///          8     4  version, 1
///         12     4  size h of the head
///         16     h  the head: a JSON document, see ``BatchHead``
///     16 + h        blocks of records
///      d         n  the directory
///   d + n         8  d
///   d + n + 8     4  n
///   d + n + 12    4  CRC-32 of the bytes from 0 to 16 + h, followed by the directory
///   d + n + 16    8  "MDBEND", 0, 0, the last bytes of the file
///
/// The directory has five sections: images, files, classes, reports and documents, in this order. Each is
///
///     SIZE  FIELD
///        8  number of records
///        4  number of blocks
///       20  each block: its offset (8), its size in the file (4), its size as records (4), the CRC-32 of
///           what is in the file (4)
///
/// A block has whole records one after the other; none begins after its first ``blockSize`` bytes. It is one
/// frame of Zstandard or, if its two sizes are equal, the records as they are. All records together have at
/// most ``mostExpansion`` bytes for each byte of the file. The blocks of a section follow one another without
/// gaps, and so do sections. The records of a section are in strictly ascending order of their keys.
///
/// In records, a *number* is unsigned LEB128; a *signed* one is that of `n << 1 ^ n >> 63`; a *text* is the
/// number of its bytes and its bytes in UTF-8; *bytes* are likewise; an *optional* is 0, or 1 and the value; a
/// *list* is the number of its elements and these, of a set in ascending order. Texts are ordered by their
/// bytes; names of files as if `/` were the lowest byte, so that a folder comes before the file that continues
/// its name.
///
/// - **Image** without a debug file (key: debug id, name): optional text debug id; text name; optional text
///   code id; optional text architecture; number, 1 if it has frames of the app.
/// - **File** (key: name, occurrence): text name; number occurrence, from 0, of several members of an archive
///   with one name; number, 1 for a member of an archive; number, 1 for an attachment, 2 for a file with
///   reports, 0 for others; list of digests of its parts with reports (32 bytes each, ascending); list of
///   refusals (number kind: 0 unreadable, 1 debug file, 2 any other; text reason), ascending.
/// - **Class** (key: app, grouping key): text app; text key; lists of texts: exact and weak alternative keys;
///   list of builds (text version, text build); the title (text; text rules; number, 1 if provisional); the
///   exemplar (number coverage; text id; text kind; text category; bytes document); the reason of the newest
///   report (optional time: signed seconds, number nanoseconds; optional text); list of statements (text
///   functions; text digest; bytes stack).
/// - **Report** (key: app, grouping key, name of its file, occurrence, position, id; one that came in several
///   files has a record for each): text app; text key; text id; text name of its file; number
///   occurrence; number position in its file; text format; optional time; text version; optional texts name,
///   version and build of the system; text title; optional text installation; list of images without a debug
///   file (numbers, indices in this file).
/// - **Document** of a report (key: id), if the head says that there are any: text id; bytes, JSON.
///
/// Versions: 1 is the first.
enum BatchFormat {
  static let magic = Array("MDBATCH\0".utf8)
  static let end = Array("MDBEND\0\0".utf8)
  static let version: UInt32 = 1
  static let fixedSize = 16
  static let trailerSize = 24
  static let blockEntrySize = 20
  /// Records are collected until a block has this many bytes.
  static let blockSize = 256 << 10
  /// The maximum size of a block as records: the largest document of a report.
  static let mostBlockBytes = 1 << 30
  /// The maximum size of all records, for each byte of the file: those of real reports take 5 to 30.
  static let mostExpansion = 256
  static let mostHeadBytes = 64 << 20
  static let mostDirectoryBytes = 256 << 20
}

/// The sections of a file, in their order.
package enum BatchSection: Int, CaseIterable, Sendable {
  case images, files, classes, reports, documents

  var name: StaticString {
    switch self {
    case .images: "batch images"
    case .files: "batch files"
    case .classes: "batch classes"
    case .reports: "batch reports"
    case .documents: "batch documents"
    }
  }
}

public import Bytes

/// What takes everything that a store, or a part of it, holds.
///
/// All is shown twice, as of one moment: first to be counted, then, after ``begin(schema:)``, to be
/// kept. The order is the same both times: the tables, their rows by their keys, then the contents by
/// their digests.
public protocol DumpSink: AnyObject {
  /// A row as a line of JSON, to be counted.
  func count(row: [UInt8], of table: String) throws
  /// A content, by its SHA-256, to be counted.
  ///
  /// - Parameter isPlain: Whether it is a debug file.
  func count(content digest: [UInt8], isPlain: Bool) throws
  /// Everything has been counted.
  ///
  /// - Parameter schema: The version of the tables.
  func begin(schema: Int) throws
  /// A row as a line of JSON, to be kept.
  func keep(row: [UInt8], of table: String) throws
  /// A content, to be kept.
  func keep(content bytes: ByteView, digest: [UInt8], isPlain: Bool) throws
}

/// How much of a store is dumped.
public enum DumpSelection: Sendable {
  /// All, with counters, ledger and what is remembered of reports that are gone.
  case everything
  /// Reports by their whole ids, with their submissions, attachments, groups and the releases of
  /// their apps; those that are not there are skipped.
  case reports([String], withDebugFiles: Bool)
}

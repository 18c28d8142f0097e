public import Bytes

/// A receiver of everything that a store, or a part of it, contains.
///
/// Everything is passed twice, as of one moment: first to be counted, then, after ``begin(schema:)``, to be
/// kept. The order is the same both times: the tables, their rows by their keys, then the contents by their
/// digests.
public protocol DumpSink: AnyObject {
  /// Counts a row, given as a line of JSON.
  func count(row: [UInt8], of table: String) throws
  /// Counts a content, given by its SHA-256.
  ///
  /// - Parameter isPlain: Whether it is a debug file.
  func count(content digest: [UInt8], isPlain: Bool) throws
  /// Begins the second pass, after everything has been counted.
  ///
  /// - Parameter schema: The version of the schema.
  func begin(schema: Int) throws
  /// Keeps a row, given as a line of JSON.
  func keep(row: [UInt8], of table: String) throws
  /// Keeps a content.
  func keep(content bytes: ByteView, digest: [UInt8], isPlain: Bool) throws
}

/// The part of a store that is dumped.
public enum DumpSelection: Sendable {
  /// Everything, with counters, ledger and what is remembered of deleted reports.
  case everything
  /// Reports by their full ids, with their submissions, attachments, groups and the releases of their apps;
  /// unknown ids are skipped.
  case reports([String], withDebugFiles: Bool)
}

public import Bytes
public import CrashModel

/// What is done to what another store has before it is taken over: a home keeps nothing that its rules
/// mean, wherever it comes from.
public protocol ImportTreatment {
  /// Whether a report was made by the same rules: then all that came with it stays as it is.
  ///
  /// - Parameter app: Whose it will be here.
  /// - Throws: The store's error.
  func isTreated(_ report: CrashReport, of app: String) throws -> Bool
  /// A text that somebody may have written.
  func treat(_ text: String) -> String
  /// A file that came with a report.
  func treat(file: ByteView) -> ByteView
  /// The bytes that a report came in.
  func treat(submission: ByteView) -> ByteView
  /// A report of another store, whole with its signature.
  ///
  /// - Parameter id: Its id there.
  func treat(_ report: CrashReport, id: String, in other: CrashStore) throws -> CrashReport
}

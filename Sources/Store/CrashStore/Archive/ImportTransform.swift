public import Bytes
public import CrashModel

/// Scrubbing of another store's data before it is imported: a home keeps nothing that its rules match,
/// wherever it comes from.
public protocol ImportTransform {
  /// Whether a report was already treated by the same rules: all that came with it then stays as it is.
  ///
  /// - Parameter app: The app that it will belong to here.
  /// - Throws: The store's error.
  func isTreated(_ report: CrashReport, of app: String) throws -> Bool
  /// Treats a text that a user may have written.
  func treat(_ text: String) -> String
  /// Treats a file that came with a report.
  func treat(file: ByteView) -> ByteView
  /// Treats the bytes of a submission.
  func treat(submission: ByteView) -> ByteView
  /// Treats a report of another store, including its signature.
  ///
  /// - Parameter id: Its id in the other store.
  func treat(_ report: CrashReport, id: String, in other: CrashStore) throws -> CrashReport
}

public import CrashModel

/// A debug file with what it is needed for.
public struct DebugFileUse: Hashable, Sendable {
  /// One for each architecture in it.
  public var records: [DebugFileRecord]
  /// How many reports use it or wait for it.
  public var reports: Int
  /// When the newest of these reports came.
  public var lastNeeded: Timestamp?
  /// The releases of apps that it belongs to, as somebody said or as reports tell, by app and number.
  public var builds: [MissingImage.Build]

  /// The SHA-256 of the file, in hexadecimal.
  public var digest: String { records.first?.digest ?? "" }
  public var name: String { records.first?.name ?? "" }
  /// In bytes.
  public var size: Int { records.first?.size ?? 0 }
  public var added: Timestamp { records.first?.added ?? Timestamp(seconds: 0) }
  /// When a report needed it last; when it was added where none did.
  public var lastUse: Timestamp { lastNeeded ?? added }
}
